"""Short dives with noise, against the heavy tail of winnable deals; what is found lost is kept for the next.

The noise comes from a fixed seed, so that the same position always takes the same nodes.
"""

from __future__ import annotations

from crewsolve.kernels.board import (
    BLAME,
    COUNTED,
    KEPT,
    NODES,
    NOISE,
    PLACES,
    PLY,
    RANDOM,
    STAMP,
    USED,
    Grid,
    Masks,
)
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.search import MOVES, OPEN, run

FIRST, SECOND, FREE_SECOND = 100, 150, 300
"""Nodes of the first dive, which has no noise, and of the second; each later one is a tenth longer.

Free tasks have more wins to stumble upon: there all later dives are equally long, and twice as noisy.
"""

NOISES = 10
SEED = 12345


@kernel
def restart(board: Masks, fresh: Masks, root: Masks, stack: Grid, number: int, stamp: int) -> None:
    """Put everything back to the root, but for the blame that tasks have got."""
    for place in range(KEPT):
        if place < BLAME or place >= BLAME + PLACES:
            board[place] = fresh[place]
    for column in range(MOVES):
        stack[0, column] = root[column]
    board[PLY] = board[NODES] = 0
    board[STAMP] = stamp
    board[RANDOM] = SEED + number
    step = 10 if board[COUNTED] else 5
    board[NOISE] = step * (1 + (number - 1) % NOISES) if number else 0


@kernel
def dives(board: Masks, fresh: Masks, root: Masks, stack: Grid, table: Grid, budget: int, stamp: int) -> int:
    """Dive again and again until the position is decided or `budget` cards have been played."""
    used, number, length = 0, 0, FIRST
    while True:
        restart(board, fresh, root, stack, number, stamp)
        status = run(board, stack, table, min(length, budget - used))
        used += board[NODES]
        board[USED] = used
        if status != OPEN or used >= budget:
            return status
        if board[COUNTED]:
            length = FREE_SECOND
        else:
            length = SECOND if number == 0 else length + length // 10
        number += 1
