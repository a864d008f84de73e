"""Which next cards keep a table winnable: the exact search on many tables of one game.

A table is a vector of `crewsolve.kernels.game`; the search's board and root row are filled from it.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels import search
from crewsolve.kernels.bits import lowest
from crewsolve.kernels.board import (
    BLAME,
    BOARD,
    HANDS,
    OWNED,
    PLACES,
    SEATS,
    SUIT_OF,
    SUITS,
    Grid,
    Masks,
    set_goals,
)
from crewsolve.kernels.dives import dives
from crewsolve.kernels.game import BEST, BEST_SEAT, COUNT, IN_TRICK, LED, OPEN, TRICKS_LEFT, TURN, WON, put
from crewsolve.kernels.jit import kernel


@kernel
def fill(table: Masks, seats: int, fresh: Masks, root: Masks) -> None:
    """Write a table into a fresh board and the first row of the search's stack."""
    w = 2 * seats
    in_play = table[w + IN_TRICK]
    for seat in range(seats):
        fresh[HANDS + seat] = table[seat]
        fresh[OWNED + seat] = table[seats + seat]
        in_play |= table[seat]
    set_goals(fresh, in_play)
    root[:] = 0
    root[search.LEADER] = (table[w + TURN] - table[w + COUNT]) % seats
    root[search.PLACED] = table[w + COUNT]
    root[search.TRICKS] = table[w + TRICKS_LEFT]
    root[search.BEST_SEAT] = -1
    if table[w + COUNT]:
        root[search.LED] = fresh[SUIT_OF + lowest(table[w + LED])]
        root[search.BEST] = table[w + BEST]
        root[search.BEST_SEAT] = table[w + BEST_SEAT]
        root[search.ON_TABLE] = table[w + IN_TRICK]


@kernel
def count_lost(
    tables: Grid, card: int, pattern: Masks, lost: Grid, first_stamp: int, budget: int, enough: int
) -> int:
    """In how many tables `card` loses the win or leaves it undecided; stops counting above `enough`.

    Card 0 asks for the tables as they are. `pattern` is the board of the deck, seats and rules, `budget` the
    nodes for each table; one stamp of the table of lost positions is used for each, from `first_stamp` on.
    """
    seats = pattern[SEATS]
    work = np.empty(tables.shape[1], np.int64)
    board, fresh, root = np.empty(BOARD, np.int64), pattern.copy(), np.zeros(search.MOVES, np.int64)
    stack = np.zeros((PLACES + 2, search.FRAME), np.int64)
    suits = pattern[SUITS : SUITS + PLACES]
    losses = 0
    for t in range(tables.shape[0]):
        work[:] = tables[t]
        status = put(work, seats, card, suits) if card else OPEN
        if status == OPEN:
            fill(work, seats, fresh, root)
            board[BLAME : BLAME + PLACES] = 0
            losses += dives(board, fresh, root, stack, lost, budget, first_stamp + t) != search.WON
        else:
            losses += status != WON
        if losses > enough:
            break
    return losses
