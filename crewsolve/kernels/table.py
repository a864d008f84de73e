"""The table of lost positions: full keys, so that no verdict rests on a hash."""

from __future__ import annotations

from typing import NamedTuple

from crewsolve.kernels.bits import above, lowest
from crewsolve.kernels.board import Board, Masks
from crewsolve.kernels.jit import kernel

PROBES = 8


class Table(NamedTuple):
    """Open addressing in a power of two of places; `stamp` tells the entries of this deal from older ones."""

    cards: Masks
    rest: Masks
    stamp: Masks


@kernel
def canonical(board: Board, live: int) -> int:
    """The cards in hands, each moved down to the lowest place where the order of its suit stays the same.

    The word of a suit is the sequence of (holder, goals) of its cards in rising rank; only this word
    matters for the play. The word is spelled again with the lowest possible cards of the deal, which is
    the same mask exactly for the same words.
    """
    key = 0
    last = 0
    while live:
        kin = board.kin[lowest(live)] & above(last)
        last = kin & -kin
        key |= last
        live &= live - 1
    return key


@kernel
def rest_key(board: Board, leader: int) -> int:
    """Leader and remaining room as one number, -1 where it does not fit."""
    key = leader
    if board.counted:
        for room in board.room:
            if key >= 1 << 56:
                return -1
            key = key << 6 | min(room, 63)
    return key


@kernel
def _place(table: Table, cards: int, rest: int) -> int:
    mixed = (cards & 0x7FFFFFFF) * 0x5BD1E995 ^ (cards >> 31) * 0x3C6EF372 ^ (rest & 0xFFFFFFFF) * 0x1B873593
    mixed ^= mixed >> 29
    return (mixed ^ (mixed >> 15)) & (table.cards.size - 1)


@kernel
def known_lost(table: Table, stamp: int, cards: int, rest: int) -> bool:
    """Whether the position of this key has been found lost."""
    place = _place(table, cards, rest)
    for _ in range(PROBES):
        if table.stamp[place] != stamp:
            return False
        if table.cards[place] == cards and table.rest[place] == rest:
            return True
        place = (place + 1) & (table.cards.size - 1)
    return False


@kernel
def store_lost(table: Table, stamp: int, cards: int, rest: int) -> None:
    """Remember a lost position, in place of another where its places are taken."""
    first = _place(table, cards, rest)
    place = first
    for _ in range(PROBES):
        if table.stamp[place] != stamp:
            break
        place = (place + 1) & (table.cards.size - 1)
    else:
        place = first
    table.cards[place] = cards
    table.rest[place] = rest
    table.stamp[place] = stamp


@kernel
def enlarge(table: Table, larger: Table, stamp: int) -> None:
    """Store all entries of a table in a larger one."""
    for place in range(table.cards.size):
        if table.stamp[place] == stamp:
            store_lost(larger, stamp, table.cards[place], table.rest[place])
