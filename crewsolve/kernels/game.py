"""The table of a game in the play phase, as one `int64` vector.

    hands[P], owed[P], then the words named below

`owed[p]` are the tasks of seat p that are not done yet. A game ends when nothing is owed (won), when a
trick gives an owed card to another seat (lost), or after the last trick.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from crewsolve.kernels.jit import kernel
from crewsolve.kernels.playouts import following, suit_mask_of

# Words of the table vector after the 2·P masks.
TURN, LED, BEST, BEST_SEAT, IN_TRICK, COUNT, TRICKS_LEFT = range(7)
WORDS = 7

OPEN, WON, LOST = 0, 1, 2


@kernel
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


@kernel
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
