"""The table of lost positions: full keys, so that no verdict rests on a hash."""

from __future__ import annotations

from crewsolve.kernels.bits import above, lowest
from crewsolve.kernels.board import COUNTED, KIN, ROOM, SEATS, Grid, Masks
from crewsolve.kernels.jit import kernel

PROBES = 8


CARDS, REST, STAMPED = range(3)  # columns; the fourth fills the row to half a cache line
COLUMNS = 4


@kernel
def canonical(board: Masks, live: int) -> int:
    """The cards in hands, each moved down to the lowest place where the order of its suit stays the same.

    The word of a suit is the sequence of (holder, goals) of its cards in rising rank; only this word
    matters for the play. The word is spelled again with the lowest possible cards of the deal, which is
    the same mask exactly for the same words.
    """
    key = 0
    last = 0
    while live:
        kin = board[KIN + lowest(live)] & above(last)
        last = kin & -kin
        key |= last
        live &= live - 1
    return key


@kernel
def rest_key(board: Masks, leader: int) -> int:
    """Leader and remaining room as one number, -1 where it does not fit."""
    key = leader
    if board[COUNTED]:
        for seat in range(board[SEATS]):
            if key >= 1 << 56:
                return -1
            key = key << 6 | min(board[ROOM + seat], 63)
    return key


@kernel
def _place(table: Grid, cards: int, rest: int) -> int:
    mixed = (cards & 0x7FFFFFFF) * 0x5BD1E995 ^ (cards >> 31) * 0x3C6EF372 ^ (rest & 0xFFFFFFFF) * 0x1B873593
    mixed ^= mixed >> 29
    return (mixed ^ (mixed >> 15)) & (table.shape[0] - 1)


@kernel
def known_lost(table: Grid, stamp: int, cards: int, rest: int) -> bool:
    """Whether the position of this key has been found lost."""
    place = _place(table, cards, rest)
    for _ in range(PROBES):
        if table[place, STAMPED] != stamp:
            return False
        if table[place, CARDS] == cards and table[place, REST] == rest:
            return True
        place = (place + 1) & (table.shape[0] - 1)
    return False


@kernel
def store_lost(table: Grid, stamp: int, cards: int, rest: int) -> None:
    """Remember a lost position, in place of another where its places are taken."""
    first = _place(table, cards, rest)
    place = first
    for _ in range(PROBES):
        if table[place, STAMPED] != stamp:
            break
        place = (place + 1) & (table.shape[0] - 1)
    else:
        place = first
    table[place, CARDS] = cards
    table[place, REST] = rest
    table[place, STAMPED] = stamp


@kernel
def enlarge(table: Grid, larger: Grid, stamp: int) -> None:
    """Store all entries of a table in a larger one."""
    for place in range(table.shape[0]):
        if table[place, STAMPED] == stamp:
            store_lost(larger, stamp, table[place, CARDS], table[place, REST])
