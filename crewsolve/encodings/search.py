"""`search`: exact depth-first search on bit masks, compiled by numba.

How the search works and why it is exact: docs/search.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crewsolve.encodings.boards import Ints, board_of, line_of, root_of, stack_of
from crewsolve.encodings.method import Answer, Limits
from crewsolve.errors import CrewError
from crewsolve.kernels import board as b
from crewsolve.kernels.dives import dives, restart
from crewsolve.kernels.jit import mark_ready
from crewsolve.kernels.search import LOST, OPEN, run
from crewsolve.kernels.table import COLUMNS, enlarge
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.tasks import Status

DIVES, FREE_DIVES = 3_000, 200_000
"""Nodes spent on short dives before everything is searched."""

SLICE = 50_000
"""Nodes between two looks at the clock."""

SMALLEST, LARGEST = 1 << 14, 1 << 22
"""Places of the table of lost positions: it grows with the search, to 128 MB."""

EXHAUSTED = "every line of play fails"
_STAMP = 1


class Search:
    """Decide by search alone: exact, and bounded only by time unless limited."""

    limit: ClassVar[str] = "slices"
    """How a time limit is kept: between slices of nodes."""

    def __init__(self, name: str, *, sat: str | None = None) -> None:
        if sat is not None:
            raise CrewError(f"the method {name!r} uses no SAT solver: leave {sat!r} out")
        self.name = name

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        if position.outcome is Status.FAILED:
            return Answer(Verdict.UNWINNABLE, "search", reason="a task has already failed")
        found = explore(position, limits)
        if not limits.expired:
            mark_ready("search")
        statistics = {"nodes": found.nodes, "table": found.table_size}
        if found.status == OPEN:
            reason = "the time limit is reached" if limits.expired else "the node budget is spent"
            return Answer(Verdict.UNKNOWN, "search", reason=reason, statistics=statistics)
        if found.status == LOST:
            return Answer(Verdict.UNWINNABLE, "search", reason=EXHAUSTED, statistics=statistics)
        return Answer(
            Verdict.WINNABLE, "search", line_of(position, found.board, found.stack), statistics=statistics
        )


@dataclass(frozen=True, slots=True)
class Found:
    """How a search ended, with the board and stack that hold the line of a win."""

    status: int
    nodes: int
    table_size: int
    board: Ints
    stack: Ints


def explore(position: Position, limits: Limits) -> Found:
    """Short dives first and, if need be, the whole search in slices."""
    fresh, root, stack = board_of(position), root_of(position), stack_of(position)
    board, table = fresh.copy(), np.zeros((SMALLEST, COLUMNS), np.int64)
    budget = FREE_DIVES if position.deal.tasks.is_free else DIVES
    if limits.nodes is not None:
        budget = min(budget, limits.nodes)
    status = OPEN if limits.expired else dives(board, fresh, root, stack, table, budget, _STAMP)
    used = int(board[b.USED])
    if status == OPEN:
        restart(board, fresh, root, stack, 0, _STAMP)
    while status == OPEN and not limits.expired and (limits.nodes is None or used < limits.nodes):
        step = SLICE if limits.nodes is None else min(SLICE, limits.nodes - used)
        before = int(board[b.NODES])
        status = run(board, stack, table, step)
        used += int(board[b.NODES]) - before
        if used > len(table) // 2 and len(table) < LARGEST:
            table = _grown(table)
    return Found(status, used, len(table), board, stack)


def _grown(table: Ints) -> Ints:
    larger = np.zeros((4 * len(table), COLUMNS), np.int64)
    enlarge(table, larger, _STAMP)
    return larger
