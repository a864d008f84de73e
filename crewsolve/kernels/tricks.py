"""One trick: which cards can still end in a trick that no goal refuses.

Play says who can still win the trick and with what; goals say which cards a seat may win. For each possible
winner both are intersected, looking ahead to the last seat of the trick. For fixed tasks the answer is
exact: every card kept can be completed to an acceptable trick.
"""

from __future__ import annotations

from crewsolve.kernels.bits import above, bit_count, top_bit
from crewsolve.kernels.board import (
    COUNTED,
    FORBIDDEN,
    HANDS,
    LEAST,
    ROOM,
    SEATS,
    SUITS,
    WINNERS,
    Masks,
    legal,
)
from crewsolve.kernels.jit import kernel


@kernel
def hopeful_cards(
    board: Masks, seat: int, placed: int, led: int, best: int, best_seat: int, table: int
) -> int:
    """The cards `seat` may play as number `placed` of a trick of suit `led` so that it can still be accepted.

    `best` is the winning card so far (0 when leading), `table` the cards of the trick. The place of seat w
    in `WINNERS` gets the cards that fit with w winning; their union is returned.
    """
    seats = board[SEATS]
    mine = legal(board, seat, led) if placed else board[HANDS + seat] & board[SUITS + led]
    later = seats - placed - 1
    union = 0
    for w in range(seats):
        board[WINNERS + w] = 0
        if table & board[FORBIDDEN + w]:
            continue
        turn = w - seat if w >= seat else w - seat + seats  # 0: the seat itself; up to `later`: after it
        if turn > later and w != best_seat:
            continue
        if turn == 0:
            cards = _own_win(board, seat, later, led, mine, best, table)
        else:
            cards = _win_of(board, seat, later, led, mine, best, w, turn <= later, table)
        board[WINNERS + w] = cards
        union |= cards
    return union


@kernel
def _own_win(board: Masks, seat: int, later: int, led: int, mine: int, best: int, table: int) -> int:
    """The cards with which `seat` itself can win: above the best so far and the lowest of those after it."""
    strong = board[SUITS + led] | board[SUITS]
    allowed = ~board[FORBIDDEN + seat]
    cards = mine & allowed & strong & above(best)
    most = bit_count(table & board[COUNTED])
    room = board[ROOM + seat] - most
    if cards == 0 or room < 0:
        return 0
    floor = best
    other = seat
    for _ in range(later):
        other = other + 1 if other + 1 < board[SEATS] else 0
        theirs = legal(board, other, led) & allowed
        if theirs == 0:
            return 0
        if theirs & ~strong == 0:
            floor = max(floor, theirs & -theirs)
        if theirs & board[COUNTED]:
            most += 1
            if theirs & ~board[COUNTED] == 0:
                room -= 1
    return _enough(board, seat, cards & above(floor), room, most)


@kernel
def _win_of(
    board: Masks, seat: int, later: int, led: int, mine: int, best: int, w: int, waits: bool, table: int
) -> int:
    """The cards with which `seat` lets seat w win: w has played the best card, or waits to beat it."""
    strong = board[SUITS + led] | board[SUITS]
    allowed = ~board[FORBIDDEN + w]
    most = bit_count(table & board[COUNTED])
    room = board[ROOM + w] - most
    top = best
    if waits:
        cards = legal(board, w, led) & allowed & strong & above(best)
        if cards == 0:
            return 0
        top = top_bit(cards)
        if cards & board[COUNTED]:
            most += 1
            if cards & ~board[COUNTED] == 0:
                room -= 1
    allowed &= ~(strong & above(top))
    cards = mine & allowed
    if cards == 0 or room < 0:
        return 0
    other = seat
    for _ in range(later):
        other = other + 1 if other + 1 < board[SEATS] else 0
        if other == w:
            continue
        theirs = legal(board, other, led) & allowed
        if theirs == 0:
            return 0
        if theirs & board[COUNTED]:
            most += 1
            if theirs & ~board[COUNTED] == 0:
                room -= 1
    return _enough(board, w, cards, room, most)


@kernel
def _enough(board: Masks, w: int, cards: int, room: int, most: int) -> int:
    """Of the cards those that leave the trick of w neither too many counted cards nor too few.

    `room` is what w may still take beyond the fewest that the others play, `most` what they can play.
    """
    if room < 0 or most + 1 < board[LEAST + w]:
        return 0
    if room == 0:
        cards &= ~board[COUNTED]
    if most < board[LEAST + w]:
        cards &= board[COUNTED]
    return cards


@kernel
def set_least(board: Masks, live: int, tricks: int) -> None:
    """How many counted cards a trick won by each seat must hold so that the rest fits into the tricks after.

    `live` are the cards in hands and on the table, `tricks` the tricks left with this one.
    """
    seats = board[SEATS]
    slack = -bit_count(board[COUNTED] & live)
    for w in range(seats):
        slack += board[ROOM + w]
    need = 0
    for w in range(seats):
        need += (max(0, board[ROOM + w] - slack) + seats - 1) // seats
    for w in range(seats):
        share = max(0, board[ROOM + w] - slack)
        after = tricks - 1 - need + (share + seats - 1) // seats
        board[LEAST + w] = share - seats * after
