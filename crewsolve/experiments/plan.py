"""What is still to be done: chunks cut from the missing items of a store, one at a time.

How the items are cut never matters for a result, so the plan is free to aim at chunks of a fixed time, to
leave out what another run has stored meanwhile, and to run one item for all its twins.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator

from crewsolve.experiments.description import Cell, Experiment
from crewsolve.experiments.kinds import Chunk, Finished, Row, get_kind
from crewsolve.experiments.store import Store

CHUNK_SECONDS = 1.0
"""The time a chunk should take: long against the cost of a transaction, short enough to lose."""

FIRST_CHUNK = 8
GROWTH = 4


class _Open:
    """A cell at work: the items nobody has taken yet, and for a deduplicated one the twins of each."""

    def __init__(self, cell: Cell, numbers: list[int]) -> None:
        self.cell = cell
        self.numbers = deque(numbers)
        self.twins: dict[int, list[int]] = {}
        self.names: dict[int, str] = {}


class Plan:
    """The chunks of an experiment that a store lacks."""

    def __init__(
        self, experiment: Experiment, store: Store, *, retry: bool = False, chunk: int | None = None
    ) -> None:
        self._experiment = experiment
        self._store = store
        self._retry = experiment.settings if retry else None
        self._fixed = chunk
        self._size = chunk or FIRST_CHUNK
        self._kind = get_kind(experiment.kind)
        self._cells = deque(experiment.cells)
        self._open: dict[str, _Open] = {}
        self._from_end = False

    def missing(self) -> dict[str, int]:
        """How many items each cell lacks."""
        return {cell.name: len(self._missing(cell)) for cell in self._experiment.cells}

    def chunks(self) -> Iterator[Chunk]:
        """The chunks, cut when they are asked for."""
        while self._cells:
            cell = self._cells[-1 if self._from_end else 0]
            opened = self._open.get(cell.name) or self._opened(cell)
            numbers = self._take(opened)
            if not opened.numbers:
                self._cells.remove(cell)
            if numbers:
                yield Chunk.of(self._experiment, cell.key, numbers)

    def finished(self, chunk: Chunk, result: Finished) -> list[tuple[Row, str]]:
        """The rows to store for a finished chunk, those of twins included; its pace sets the next size."""
        if self._fixed is None:
            pace = max(result.seconds, 1e-6) / len(chunk.numbers)
            self._size = max(1, min(GROWTH * len(chunk.numbers), round(CHUNK_SECONDS / pace)))
        opened = self._open[Cell(chunk.cell, 0).name]
        rows: list[tuple[Row, str]] = []
        for row in result.rows:
            name = opened.names.get(row.number, "")
            for number in (row.number, *opened.twins.get(row.number, ())):
                rows.append((Row(number, row.value, row.settled, row.note), name))
        return rows

    def _missing(self, cell: Cell) -> list[int]:
        done = self._store.done(cell.key, retry_with=self._retry)
        return [number for number in range(cell.items) if number not in done]

    def _opened(self, cell: Cell) -> _Open:
        opened = _Open(cell, self._missing(cell))
        self._open[cell.name] = opened
        if self._kind.twins is not None and opened.numbers:
            self._fold_twins(opened)
        return opened

    def _fold_twins(self, opened: _Open) -> None:
        """Keep one item of each name to run; a name that is settled already needs none."""
        assert self._kind.twins is not None
        numbers = list(opened.numbers)
        names = self._kind.twins(Chunk.of(self._experiment, opened.cell.key, numbers))
        known = self._store.twins(opened.cell.key)
        copies: list[tuple[Row, str]] = []
        first: dict[str, int] = {}
        opened.numbers.clear()
        for number, name in zip(numbers, names, strict=True):
            opened.names[number] = name
            if name and name in known:
                copies.append((Row(number, known[name].value, True, known[name].note), name))
            elif name and name in first:
                opened.twins.setdefault(first[name], []).append(number)
            else:
                first[name] = number
                opened.numbers.append(number)
        if copies:
            self._store.add(opened.cell.key, copies)

    def _take(self, opened: _Open) -> list[int]:
        """The next items of a cell, without those that another run has stored since."""
        pending = opened.numbers
        count = min(self._size, len(pending))
        taken = [pending.pop() if self._from_end else pending.popleft() for _ in range(count)]
        if not taken:
            return []
        reach = (min(taken), max(taken))
        done = self._store.done(opened.cell.key, retry_with=self._retry, within=reach)
        left = sorted(number for number in taken if number not in done)
        if len(left) < len(taken):
            # Another run works on this file: two that draw their direction again soon work apart.
            self._from_end = random.random() < 0.5
        return left
