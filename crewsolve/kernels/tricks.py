"""One trick: which cards can still end in a trick that no goal refuses.

Play says who can still win the trick and with what; goals say which cards a seat may win. For each possible
winner both are intersected, looking ahead to the last seat of the trick. For fixed tasks the answer is
exact: every card kept can be completed to an acceptable trick.
"""

from __future__ import annotations

from crewsolve.kernels.bits import above, bit_count, top_bit
from crewsolve.kernels.board import Board, Masks, legal
from crewsolve.kernels.jit import kernel


@kernel
def hopeful_cards(
    board: Board, seat: int, placed: int, led: int, best: int, best_seat: int, table: int, winners: Masks
) -> int:
    """The cards `seat` may play as number `placed` of a trick of suit `led` so that it can still be accepted.

    `best` is the winning card so far (0 when leading), `table` the cards of the trick. `winners[w]` gets
    the cards that fit with seat w winning; the union is returned.
    """
    seats = board.hands.size
    strong = board.suits[led] | board.suits[0]
    mine = legal(board, seat, led) if placed else board.hands[seat] & board.suits[led]
    later = seats - placed - 1
    union = 0
    for w in range(seats):
        winners[w] = 0
        room = board.room[w] - bit_count(table & board.counted)
        if table & board.forbidden[w] or room < 0:
            continue
        turn = (w - seat) % seats  # 0: the seat itself, up to `later`: plays after it
        if turn > later and w != best_seat:
            continue
        if turn == 0:
            cards = _own_win(board, seat, later, led, strong, mine, best, room)
        else:
            cards = _win_of(board, seat, later, led, strong, mine, best, w, turn <= later, room)
        winners[w] = cards
        union |= cards
    return union


@kernel
def _own_win(
    board: Board, seat: int, later: int, led: int, strong: int, mine: int, best: int, room: int
) -> int:
    """The cards with which `seat` itself can win: above the best so far and the lowest of those after it."""
    seats = board.hands.size
    allowed = ~board.forbidden[seat]
    floor = best
    for turn in range(1, later + 1):
        cards = legal(board, (seat + turn) % seats, led) & allowed
        if cards == 0:
            return 0
        if cards & ~strong == 0:
            low = cards & -cards
            floor = max(floor, low)
        if cards & ~board.counted == 0:
            room -= 1
    if room < 0:
        return 0
    cards = mine & allowed & strong & above(floor)
    return cards if room else cards & ~board.counted


@kernel
def _win_of(
    board: Board, seat: int, later: int, led: int, strong: int, mine: int, best: int, w: int, waits: bool,
    room: int,
) -> int:  # fmt: skip
    """The cards with which `seat` lets seat w win: w has played the best card, or waits to beat it."""
    seats = board.hands.size
    allowed = ~board.forbidden[w]
    top = best
    if waits:
        cards = legal(board, w, led) & allowed & strong & above(best)
        if cards == 0:
            return 0
        top = top_bit(cards)
        if cards & ~board.counted == 0:
            room -= 1
    allowed &= ~(strong & above(top))
    for turn in range(1, later + 1):
        other = (seat + turn) % seats
        if other == w:
            continue
        cards = legal(board, other, led) & allowed
        if cards == 0:
            return 0
        if cards & ~board.counted == 0:
            room -= 1
    if room < 0:
        return 0
    cards = mine & allowed
    return cards if room else cards & ~board.counted
