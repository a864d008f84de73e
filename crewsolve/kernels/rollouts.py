"""Scored playouts: from any moment of the play phase to the end of the game, with fixed tasks.

The table is one `int64` vector, so that a rollout starts with one copy:

    hands[P], owed[P], then the words named below.

`owed[p]` are the tasks of seat p that are not done yet. A rollout stops when nothing is owed (won), when a
trick gives an owed card to another seat (lost), or after the last trick.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from crewsolve.kernels.bits import bit_count, random_bit
from crewsolve.kernels.playouts import following, suit_mask_of

# Words of the table vector after the 2·P masks.
TURN, LED, BEST, BEST_SEAT, IN_TRICK, COUNT, TRICKS_LEFT = range(7)
WORDS = 7

UNIFORM, FOLLOW_TASKS = 0, 1
"""Rollout policies: uniformly random legal cards; Witteveen's RandomSmart (Algorithm 4)."""

OPEN, WON, LOST = 0, 1, 2


@njit(inline="always")
def highest_bit(mask: int) -> int:
    """The mask of the highest set bit of a non-empty mask."""
    while mask & (mask - 1):
        mask &= mask - 1
    return mask


@njit(inline="always")
def choose(
    policy: int, hand: int, legal: int, led: int, in_trick: int, mine: int, owed: int, rng: Any
) -> int:
    """The card of a rollout policy; `mine` and `owed` are the open tasks of this seat and of all."""
    if policy == FOLLOW_TASKS and in_trick & owed:
        follow = legal & led
        if follow:
            return highest_bit(follow) if in_trick & mine else follow & -follow
    return random_bit(legal, rng)


@njit
def put(table: Any, seats: int, card: int, suits: Any) -> int:
    """Play one card (a mask) for the seat to play; returns OPEN, WON or LOST."""
    w = 2 * seats
    seat = table[w + TURN]
    table[seat] ^= card
    if table[w + COUNT] == 0:
        table[w + LED] = suit_mask_of(card, suits)
        table[w + BEST] = card
        table[w + BEST_SEAT] = seat
    elif card & (table[w + LED] | suits[0]) and card > table[w + BEST]:
        table[w + BEST] = card
        table[w + BEST_SEAT] = seat
    table[w + IN_TRICK] |= card
    table[w + COUNT] += 1
    table[w + TURN] = seat + 1 if seat + 1 < seats else 0
    if table[w + COUNT] < seats:
        return OPEN
    return close_trick(table, seats)


@njit
def close_trick(table: Any, seats: int) -> int:
    """Give a full trick to its winner and judge the tasks in it."""
    w = 2 * seats
    winner = table[w + BEST_SEAT]
    trick = table[w + IN_TRICK]
    table[seats + winner] &= ~trick
    table[w + TURN] = winner
    table[w + LED] = 0
    table[w + BEST] = 0
    table[w + IN_TRICK] = 0
    table[w + COUNT] = 0
    table[w + TRICKS_LEFT] -= 1
    owed = 0
    for seat in range(seats):
        owed |= table[seats + seat]
    if owed & trick:
        return LOST
    if owed == 0:
        return WON
    return LOST if table[w + TRICKS_LEFT] == 0 else OPEN


@njit(inline="always")
def legal_cards(table: Any, seats: int, suits: Any, anytime: bool) -> int:
    """The cards the seat to play may play."""
    w = 2 * seats
    hand = table[table[w + TURN]]
    if table[w + COUNT] == 0:
        return hand
    return following(hand, table[w + LED], suits[0], anytime)


@njit(inline="always")
def all_owed(table: Any, seats: int) -> int:
    """The open tasks of all seats."""
    owed = 0
    for seat in range(seats):
        owed |= table[seats + seat]
    return owed


@njit
def roll(table: Any, seats: int, suits: Any, anytime: bool, policy: int, rng: Any) -> int:
    """Play the table to the end of the game by a policy; returns WON or LOST and leaves the last table."""
    w = 2 * seats
    status = OPEN
    while status == OPEN:
        seat = table[w + TURN]
        hand = table[seat]
        legal = legal_cards(table, seats, suits, anytime)
        card = choose(
            policy,
            hand,
            legal,
            table[w + LED],
            table[w + IN_TRICK],
            table[seats + seat],
            all_owed(table, seats),
            rng,
        )
        status = put(table, seats, card, suits)
    return status


@njit
def score_moves(
    tables: Any,
    moves: int,
    seats: int,
    suits: Any,
    anytime: bool,
    policy: int,
    rounds: int,
    rng: Any,
    scores: Any,
) -> None:
    """Score every card of `moves` by `rounds` rollouts from each of `tables`.

    Row i of `scores` belongs to the i-th lowest card: games won, tasks left to do, tricks played, summed.
    """
    words = tables.shape[1]
    work = np.empty(words, np.int64)
    row = 0
    rest = moves
    while rest:
        card = rest & -rest
        rest ^= card
        for t in range(tables.shape[0]):
            for _ in range(rounds):
                work[:] = tables[t]
                status = put(work, seats, card, suits)
                if status == OPEN:
                    status = roll(work, seats, suits, anytime, policy, rng)
                if status == WON:
                    scores[row, 0] += 1
                scores[row, 1] += bit_count(all_owed(work, seats))
                scores[row, 2] += tables[t, 2 * seats + TRICKS_LEFT] - work[2 * seats + TRICKS_LEFT]
        row += 1


@njit
def deal_blindly(table: Any, seats: int, seat: int, hidden: int, rng: Any, out: Any) -> None:
    """Fill the rows of `out` with the table, its hidden cards dealt at random to the other hands."""
    for row in range(out.shape[0]):
        out[row, :] = table
        rest = hidden
        for other in range(seats):
            if other == seat:
                continue
            wanted = bit_count(table[other])
            hand = 0
            for _ in range(wanted):
                card = random_bit(rest, rng)
                rest ^= card
                hand |= card
            out[row, other] = hand
