"""Reasons why a position between two tricks is lost, seen without playing on.

All tests are necessary conditions: they ask only what no order of play can give. A trick won by seat w holds
none of the cards forbidden to w: the usable cards of w are the others. A seat that has no usable card to
follow with must first have played all its cards of that suit, one in each trick: so a task card has an
earliest trick, and the tasks that come late must fit into the tricks that are left then.
"""

from __future__ import annotations

from crewsolve.kernels.bits import above, bit_count, lowest, top_bit
from crewsolve.kernels.board import Board, Masks
from crewsolve.kernels.jit import kernel

LOST_BY_COUNTING = 1
LOST_BY_CARD = 2
LOST_BY_TIME = 3
NEVER = 99


@kernel
def doomed(board: Board, live: int, tricks: int, waits: Masks, late: Masks) -> int:
    """0, or the number of the test that shows the position lost; `tricks` are left to be played."""
    if _too_few_tricks(board, live, tricks):
        return LOST_BY_COUNTING
    if board.counted:
        return 0
    seats = board.hands.size
    for seat in range(seats):
        for suit in range(board.suits.size):
            waits[seat, suit] = bit_count(board.hands[seat] & board.suits[suit])
    for t in range(tricks + 1):
        late[t] = 0
    first = True
    while True:
        changed = False
        for owner in range(seats):
            tasks = board.owned[owner] & live
            while tasks:
                card = tasks & -tasks
                tasks ^= card
                time = earliest(board, owner, card, waits)
                if time >= tricks:
                    return LOST_BY_CARD if first else LOST_BY_TIME
                if time and late[time] & card == 0:
                    changed = True
                    for t in range(1, time + 1):
                        late[t] |= card
        if not changed:
            return 0
        for t in range(1, tricks):
            if late[t] == 0:
                break
            if late_need(board, late[t]) > tricks - t:
                return LOST_BY_TIME
        again = False
        for seat in range(seats):
            for suit in range(board.suits.size):
                mine = board.hands[seat] & board.suits[suit]
                t = 1
                while t < tricks and late[t] & mine:
                    most = t + bit_count(late[t] & mine)
                    if most > waits[seat, suit]:
                        waits[seat, suit] = most
                        again = True
                    t += 1
        if not again:
            return 0
        first = False


@kernel
def late_need(board: Board, tasks: int) -> int:
    """The number of tricks these tasks take at least."""
    need = 0
    for owner in range(board.hands.size):
        own = board.owned[owner] & tasks
        if own:
            most = 0
            for hand in board.hands:
                most = max(most, bit_count(own & hand))
            need += most
    return need


@kernel
def _too_few_tricks(board: Board, live: int, tricks: int) -> bool:
    """Whether the seats need more tricks than are left.

    Seat w needs a trick for each of its tasks in one hand; its own task cards win different tricks than
    its rockets that nobody can beat. Counted cards fill tricks of as many cards as there are seats.
    """
    seats = board.hands.size
    counted = bit_count(board.counted & live)
    slack = -counted
    for w in range(seats):
        slack += board.room[w] if board.counted else 0
    if board.counted and slack < 0:
        return True
    need = 0
    for w in range(seats):
        sure = _sure_rockets(board, w, live)
        spare = 1 if bit_count(board.hands[w]) > tricks else 0  # a card that stays in the hand
        tasks = board.owned[w] & live
        wins = bit_count(tasks & board.hands[w]) + max(0, bit_count(sure & ~tasks) - spare)
        for other in range(seats):
            wins = max(wins, bit_count(tasks & board.hands[other]))
        if board.counted:
            share = max(0, board.room[w] - slack) + max(0, bit_count(sure & ~board.counted) - spare)
            wins = max(wins, (share + seats - 1) // seats)
        need += wins
    return need > tricks


@kernel
def _sure_rockets(board: Board, seat: int, live: int) -> int:
    """The rockets of a seat above all others' rockets: each wins a trick, if played at all."""
    rockets = board.suits[0]
    mine = board.hands[seat] & rockets
    return mine & above(top_bit(live & rockets & ~mine))


@kernel
def earliest(board: Board, owner: int, card: int, waits: Masks) -> int:
    """The number of tricks that come at least before `card` is won by its owner, NEVER if it cannot be."""
    own = board.suit_of[lowest(card)]
    time = _earliest_led(board, owner, card, own, waits)
    if time == 0:
        return 0
    for led in range(board.suits.size):
        if led != own:
            time = min(time, _earliest_led(board, owner, card, led, waits))
            if time == 0:
                return 0
    return time


@kernel
def _earliest_led(board: Board, owner: int, card: int, led: int, waits: Masks) -> int:
    """The same for a trick of suit `led`."""
    seats = board.hands.size
    rockets = board.suits[0]
    strong = board.suits[led] | rockets
    usable = ~board.forbidden[owner]
    hand = board.hands[owner]
    ruff_wait = 0 if led == 0 or board.anytime else waits[owner, led]
    if hand & card:
        if card & strong == 0:
            return NEVER
        time = ruff_wait if led and card & rockets else 0
        return max(time, _others(board, owner, owner, led, strong, usable, card, waits))
    holder = owner
    for other in range(seats):
        if board.hands[other] & card:
            holder = other
    least = card & strong
    start = 0 if card & board.suits[led] else waits[holder, led]
    if board.anytime and card & rockets:
        start = 0
    time = NEVER
    winners = hand & usable & board.suits[led] & above(least)
    if winners:
        time = max(start, _others(board, owner, holder, led, strong, usable, top_bit(winners), waits))
    winners = hand & usable & rockets & above(least)
    if led and winners and max(start, ruff_wait) < time:
        ruff = max(start, ruff_wait)
        time = min(
            time, max(ruff, _others(board, owner, holder, led, strong, usable, top_bit(winners), waits))
        )
    return time


@kernel
def _others(
    board: Board, owner: int, holder: int, led: int, strong: int, usable: int, best: int, waits: Masks
) -> int:
    """When the seats that are neither owner nor holder can play below the owner's card `best`."""
    time = 0
    for seat in range(board.hands.size):
        if seat == owner or seat == holder:
            continue
        cards = board.hands[seat] & usable & ~(strong & above(best))
        if cards & board.suits[led]:
            continue
        if board.anytime and cards & board.suits[0]:
            continue
        if cards == 0:
            return NEVER
        time = max(time, waits[seat, led])
    return time
