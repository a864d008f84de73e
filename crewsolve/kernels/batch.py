"""Whole arrays of deals at once, and the replay of what was found."""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.bits import bit_count, lowest
from crewsolve.kernels.board import (
    BLAME,
    BOARD,
    COUNTED,
    HANDS,
    OWNED,
    PLACES,
    PLY,
    ROOM,
    USED,
    Grid,
    Masks,
    in_hands,
    legal,
    set_goals,
)
from crewsolve.kernels.dives import dives
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.replay import line_wins
from crewsolve.kernels.search import (
    BEST_SEAT,
    FRAME,
    LEADER,
    LED,
    MOVES,
    NEXT,
    PLACED,
    TRICKS,
    WON,
    play_next,
    seat_of,
)

WRONG = 3
"""The status of a line that the replay refuses: never to be seen."""


@kernel
def decide_all(
    pattern: Masks, hands: Grid, leaders: Masks, owned: Grid, counted: Masks, room: Grid, budget: int,
    table: Grid, first_stamp: int, statuses: Masks, nodes: Masks, lines: Grid, won: Grid,
) -> None:  # fmt: skip
    """Decide deal after deal; `pattern` is the board of their common deck, seats and rules.

    `table` serves all deals: each has a stamp of its own. `lines` gets the cards of the wins, to the last,
    and `won` what each seat wins by them.
    """
    count, seats = hands.shape
    stack = np.zeros((2 + lines.shape[1], FRAME), np.int64)
    board, fresh, root = np.empty(BOARD, np.int64), pattern.copy(), np.zeros(MOVES, np.int64)
    for number in range(count):
        tricks = PLACES
        for seat in range(seats):
            fresh[HANDS + seat] = hands[number, seat]
            fresh[OWNED + seat] = owned[number, seat]
            fresh[ROOM + seat] = room[number, seat]
            tricks = min(tricks, bit_count(hands[number, seat]))
        fresh[COUNTED] = counted[number]
        set_goals(fresh, in_hands(fresh))
        board[BLAME : BLAME + PLACES] = 0
        root[:] = 0
        root[LEADER], root[TRICKS], root[BEST_SEAT] = leaders[number], tricks, -1
        status = dives(board, fresh, root, stack, table, budget, first_stamp + number)
        statuses[number], nodes[number] = status, board[USED]
        if status == WON:
            finish(board, stack, lines[number])
            if not line_wins(fresh, leaders[number], tricks, lines[number], won[number]):
                statuses[number] = WRONG


@kernel
def finish(board: Masks, stack: Grid, line: Masks) -> None:
    """Write the cards on the stack and, after them, any legal ones to the last trick."""
    while stack[board[PLY], TRICKS]:
        ply = board[PLY]
        seat = seat_of(board, stack[ply, LEADER], stack[ply, PLACED])
        cards = legal(board, seat, stack[ply, LED]) if stack[ply, PLACED] else board[HANDS + seat]
        stack[ply, MOVES] = lowest(cards)
        stack[ply, NEXT] = 0
        play_next(board, stack)
    for ply in range(board[PLY]):
        line[ply] = stack[ply, MOVES + stack[ply, NEXT] - 1]
