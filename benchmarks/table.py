"""From timings to the table: means, medians, the slowest hundredth, stages, ratios to the published way."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.deciding import Timing
from benchmarks.plan import KISSAT, PUBLISHED, Cell

Measured = dict[str, list[Timing]]

HEADINGS = (
    "deck", "seats", "kind", "tasks", "method", "deals", "undecided", "mean ms", "median ms", "p99 ms",
    "best: solving", "best: all", "kissat: solving", "kissat: all", "decided by",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ratio:
    """Mean seconds of the published way and of a method; a lower bound where the former met its limit."""

    theirs: float
    ours: float
    at_least: bool = False

    @property
    def value(self) -> float:
        """How many times longer the published way takes."""
        return self.theirs / max(self.ours, 1e-9)

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else ''}{three_digits(self.value)}"


def three_digits(value: float) -> str:
    """A number with about three digits that mean something.

    >>> [three_digits(value) for value in (0.1234, 12.34, 12345.6)]
    ['0.123', '12.3', '12,346']
    """
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"


@dataclass(frozen=True, slots=True)
class Row:
    """A method in a cell."""

    cell: Cell
    method: str
    timings: Sequence[Timing]
    ratios: tuple[Ratio | None, ...]

    @property
    def mean(self) -> float:
        """Mean seconds for a deal."""
        return statistics.fmean(timing.whole for timing in self.timings)

    @property
    def median(self) -> float:
        """Median seconds for a deal."""
        return statistics.median(timing.whole for timing in self.timings)

    @property
    def p99(self) -> float:
        """The time that 99 of 100 deals do not exceed."""
        ordered = sorted(timing.whole for timing in self.timings)
        return ordered[math.ceil(0.99 * len(ordered)) - 1]

    @property
    def undecided(self) -> int:
        """Deals without an answer within the limit."""
        return sum(not timing.decided for timing in self.timings)

    @property
    def stages(self) -> str:
        """The share of the deals decided by each stage, largest first."""
        counts = Counter(timing.stage for timing in self.timings if timing.decided)
        return ", ".join(f"{stage} {count / len(self.timings):.0%}" for stage, count in counts.most_common())

    def texts(self) -> tuple[str, ...]:
        """The cells of the printed row."""
        cell = self.cell
        times = (three_digits(1000 * seconds) for seconds in (self.mean, self.median, self.p99))
        return (
            cell.deck, str(cell.seats), cell.kind, str(cell.tasks), self.method, str(len(self.timings)),
            str(self.undecided), *times, *("" if r is None else str(r) for r in self.ratios), self.stages,
        )  # fmt: skip


def read_timings(stored: dict[str, list[dict[str, Any]]]) -> Measured:
    """Timings as they come from the store."""
    return {method: [Timing(**timing) for timing in found] for method, found in stored.items()}


def rows_of(cell: Cell, measured: Measured, *, best: str) -> list[Row]:
    """One row for each method; ratios for those that are not the yardstick."""
    yardsticks = [measured.get(f"{PUBLISHED} {solver}", []) for solver in (best, KISSAT)]
    rows = []
    for method, timings in measured.items():
        if not timings:
            continue
        own = method.startswith(PUBLISHED)
        ratios = [None] * 4 if own else [
            ratio(yardstick, timings, whole=whole) for yardstick in yardsticks for whole in (False, True)
        ]  # fmt: skip
        rows.append(Row(cell, method, timings, tuple(ratios)))
    return rows


def ratio(yardstick: Sequence[Timing], timings: Sequence[Timing], *, whole: bool) -> Ratio | None:
    """The published way's mean over a method's, on the deals that both were given.

    All of the method is held against the yardstick's solving alone, or against all of it where `whole`.
    """
    shared = min(len(yardstick), len(timings))
    if shared == 0:
        return None
    theirs = sum(timing.whole if whole else timing.solving for timing in yardstick[:shared]) / shared
    ours = sum(timing.whole for timing in timings[:shared]) / shared
    return Ratio(theirs, ours, any(not timing.decided for timing in yardstick[:shared]))


def average(rows: Iterable[Row], method: str, tasks: range, *, kind: str, column: int) -> Ratio | None:
    """The ratio of the means over several numbers of tasks, each number of equal weight."""
    found = [
        ratio
        for row in rows
        if row.method == method and row.cell.kind == kind and row.cell.tasks in tasks
        if (ratio := row.ratios[column]) is not None
    ]
    if not found:
        return None
    theirs, ours = sum(r.theirs for r in found), sum(r.ours for r in found)
    return Ratio(theirs / len(found), ours / len(found), any(r.at_least for r in found))


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, its columns aligned so that it also reads well as it stands."""
    lines = [tuple(headings), *map(tuple, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    printed = [
        "| " + " | ".join(text.ljust(w) for text, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    ]
    return "\n".join([printed[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *printed[1:]])
