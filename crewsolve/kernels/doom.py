"""Reasons why a position between two tricks is lost, seen without playing on.

All tests are necessary conditions: they ask only what no order of play can give. A trick won by seat w holds
none of the cards forbidden to w: the usable cards of w are the others. A seat that has no usable card to
follow with must first have played all its cards of that suit, one in each trick: so a task card has an
earliest trick, and the tasks that come late must fit into the tricks that are left then.
"""

from __future__ import annotations

from crewsolve.kernels.bits import above, bit_count, lowest, top_bit
from crewsolve.kernels.board import (
    ANYTIME,
    BLAME,
    COUNTED,
    FORBIDDEN,
    HANDS,
    LATE,
    OWNED,
    ROOM,
    SEATS,
    SUIT_COUNT,
    SUIT_OF,
    SUITS,
    WAITS,
    Masks,
)
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.rockets import rockets_fit

LOST_BY_COUNTING = 1
LOST_BY_CARD = 2
LOST_BY_TIME = 3
NEVER = 99


@kernel
def doomed(board: Masks, live: int, tricks: int) -> int:
    """0, or the number of the test that shows the position lost; `tricks` are left to be played."""
    if _too_few_tricks(board, live, tricks):
        return LOST_BY_COUNTING
    if board[COUNTED]:
        return 0
    seats = board[SEATS]
    for seat in range(seats):
        for suit in range(board[SUIT_COUNT]):
            board[WAITS + 32 * seat + suit] = bit_count(board[HANDS + seat] & board[SUITS + suit])
    for t in range(tricks + 1):
        board[LATE + t] = 0
    first = True
    while True:
        changed = False
        for owner in range(seats):
            tasks = board[OWNED + owner] & live
            while tasks:
                card = tasks & -tasks
                tasks ^= card
                time = earliest(board, owner, card)
                if time >= tricks:
                    board[BLAME + lowest(card)] += 1
                    return LOST_BY_CARD if first else LOST_BY_TIME
                if time and board[LATE + time] & card == 0:
                    changed = True
                    for t in range(1, time + 1):
                        board[LATE + t] |= card
        if not changed:
            return 0
        for t in range(1, tricks):
            if board[LATE + t] == 0:
                break
            if late_need(board, board[LATE + t]) > tricks - t:
                return LOST_BY_TIME
        again = False
        for seat in range(seats):
            for suit in range(board[SUIT_COUNT]):
                mine = board[HANDS + seat] & board[SUITS + suit]
                t = 1
                while t < tricks and board[LATE + t] & mine:
                    most = t + bit_count(board[LATE + t] & mine)
                    if most > board[WAITS + 32 * seat + suit]:
                        board[WAITS + 32 * seat + suit] = most
                        again = True
                    t += 1
        if not again:
            return 0
        first = False


@kernel
def late_need(board: Masks, tasks: int) -> int:
    """The number of tricks these tasks take at least."""
    need = 0
    for owner in range(board[SEATS]):
        own = board[OWNED + owner] & tasks
        if own:
            most = 0
            for seat in range(board[SEATS]):
                most = max(most, bit_count(own & board[HANDS + seat]))
            need += most
    return need


@kernel
def _too_few_tricks(board: Masks, live: int, tricks: int) -> bool:
    """Whether the seats need more tricks than are left.

    Seat w needs a trick for each of its tasks in one hand; its own task cards win different tricks than
    its rockets that nobody can beat. Counted cards fill tricks of as many cards as there are seats.
    """
    seats = board[SEATS]
    counted = bit_count(board[COUNTED] & live)
    slack = -counted
    for w in range(seats):
        slack += board[ROOM + w] if board[COUNTED] else 0
    if board[COUNTED] and slack < 0:
        return True
    need = 0
    for w in range(seats):
        sure = _sure_rockets(board, w, live)
        spare = 1 if bit_count(board[HANDS + w]) > tricks else 0  # a card that stays in the hand
        tasks = board[OWNED + w] & live
        wins = bit_count(tasks & board[HANDS + w]) + max(0, bit_count(sure & ~tasks) - spare)
        for other in range(seats):
            wins = max(wins, bit_count(tasks & board[HANDS + other]))
        if board[COUNTED]:
            share = max(0, board[ROOM + w] - slack) + max(0, bit_count(sure & ~board[COUNTED]) - spare)
            wins = max(wins, (share + seats - 1) // seats)
        need += wins
    if need > tricks:
        return True
    return not rockets_fit(board, live, tricks, slack)


@kernel
def _sure_rockets(board: Masks, seat: int, live: int) -> int:
    """The rockets of a seat above all others' rockets: each wins a trick, if played at all."""
    rockets = board[SUITS]
    mine = board[HANDS + seat] & rockets
    return mine & above(top_bit(live & rockets & ~mine))


@kernel
def earliest(board: Masks, owner: int, card: int) -> int:
    """The number of tricks that come at least before `card` is won by its owner, NEVER if it cannot be."""
    own = board[SUIT_OF + lowest(card)]
    time = _earliest_led(board, owner, card, own)
    if time == 0:
        return 0
    for led in range(board[SUIT_COUNT]):
        if led != own:
            time = min(time, _earliest_led(board, owner, card, led))
            if time == 0:
                return 0
    return time


@kernel
def _earliest_led(board: Masks, owner: int, card: int, led: int) -> int:
    """The same for a trick of suit `led`."""
    seats = board[SEATS]
    rockets = board[SUITS]
    strong = board[SUITS + led] | rockets
    usable = ~board[FORBIDDEN + owner]
    hand = board[HANDS + owner]
    ruff_wait = 0 if led == 0 or board[ANYTIME] else board[WAITS + 32 * owner + led]
    if hand & card:
        if card & strong == 0:
            return NEVER
        time = ruff_wait if led and card & rockets else 0
        return max(time, _others(board, owner, owner, led, strong, usable, card))
    holder = owner
    for other in range(seats):
        if board[HANDS + other] & card:
            holder = other
    least = card & strong
    start = 0 if card & board[SUITS + led] else board[WAITS + 32 * holder + led]
    if board[ANYTIME] and card & rockets:
        start = 0
    time = NEVER
    winners = hand & usable & board[SUITS + led] & above(least)
    if winners:
        time = max(start, _others(board, owner, holder, led, strong, usable, top_bit(winners)))
    winners = hand & usable & rockets & above(least)
    if led and winners and max(start, ruff_wait) < time:
        ruff = max(start, ruff_wait)
        time = min(time, max(ruff, _others(board, owner, holder, led, strong, usable, top_bit(winners))))
    return time


@kernel
def _others(board: Masks, owner: int, holder: int, led: int, strong: int, usable: int, best: int) -> int:
    """When the seats that are neither owner nor holder can play below the owner's card `best`."""
    time = 0
    for seat in range(board[SEATS]):
        if seat == owner or seat == holder:
            continue
        cards = board[HANDS + seat] & usable & ~(strong & above(best))
        if cards & board[SUITS + led]:
            continue
        if board[ANYTIME] and cards & board[SUITS]:
            continue
        if cards == 0:
            return NEVER
        time = max(time, board[WAITS + 32 * seat + led])
    return time
