"""What we want to reach, and how far the run came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.plan import AUTO, BATCH
from benchmarks.table import Row, average

BEST, BEST_ALL, KISSAT = 0, 1, 2
"""Columns of ratios: against solving alone and all of it with PySAT's best solver, solving with kissat404."""

Line = tuple[str, str, str, str]
"""Target, wanted, measured, whether it is met."""


def judge(rows: Sequence[Row], speeds: dict[str, float]) -> list[Line]:
    """One line for each target of which the run has something to say."""
    return [line for part in (_fixed(rows), _free(rows), _speeds(speeds)) for line in part]


def _line(target: str, wanted: str, measured: str, met: bool) -> Line:
    return target, wanted, measured, "yes" if met else "no"


def _fixed(rows: Sequence[Row]) -> Iterator[Line]:
    bands = (("1 to 36 tasks", range(1, 37), 3.0, 10.0), ("10 to 15 tasks", range(10, 16), 1.5, 4.0))
    for name, tasks, best, kissat in bands:
        for column, solver, least in ((BEST, "PySAT's best", best), (KISSAT, "kissat404", kissat)):
            found = average(rows, AUTO, tasks, kind="fixed", column=column)
            if found is not None:
                target = f"fixed, {name}: times faster than solving alone with {solver}"
                yield _line(target, f"≥ {least}", str(found), found.value >= least)
    easy = [row for row in _of(rows, "fixed", method=BATCH) if row.cell.tasks <= 5 or row.cell.tasks >= 20]
    if easy:
        worst = 1000 * max(row.median for row in easy)
        yield _line(
            "fixed, up to 5 and from 20 tasks, batch: largest median",
            "< 0.2 ms",
            f"{worst:.3g} ms",
            worst < 0.2,
        )


def _free(rows: Sequence[Row]) -> Iterator[Line]:
    upto = [row for row in _of(rows, "free") if row.cell.tasks <= 33]
    for method in (AUTO, BATCH):
        yield from _free_ratios([row for row in _of(rows, "free", method=method) if row.cell.tasks <= 33])
    if upto:
        mean = 1000 * max(row.mean for row in upto)
        yield _line("free, up to 33 tasks: largest mean", "< 3 ms", f"{mean:.3g} ms", mean < 3)
    dense = [row for row in upto if row.cell.tasks in (24, 28, 32, 33)]
    if dense:
        missing = sum(row.undecided for row in dense)
        deals = sum(len(row.timings) for row in dense)
        yield _line("free, 24 to 33 tasks: undecided", "0", f"{missing} of {deals}", missing == 0)
    for row in _of(rows, "free"):
        if row.cell.tasks == 34:
            share = 1 - row.undecided / len(row.timings)
            yield "free, 34 tasks: decided within the limit", "as many as can be", f"{share:.1%}", ""


def _free_ratios(rows: Sequence[Row]) -> Iterator[Line]:
    for column, what in ((BEST, "solving alone"), (BEST_ALL, "all of the published way")):
        found = [ratio for row in rows if (ratio := row.ratios[column]) is not None and not ratio.at_least]
        if found:
            mean = sum(ratio.theirs for ratio in found) / sum(ratio.ours for ratio in found)
            least = min(ratio.value for ratio in found)
            target = f"free, {rows[0].method}, where the published way finishes: times faster than {what}"
            measured = f"{least:,.1f} at least, {mean:,.0f} on average"
            yield _line(f"{target} with PySAT's best", "≥ 30", measured, least >= 30)


def _of(rows: Sequence[Row], kind: str, *, method: str = AUTO) -> list[Row]:
    return [row for row in rows if row.method == method and row.cell.kind == kind]


def _speeds(speeds: dict[str, float]) -> Iterator[Line]:
    wanted: tuple[tuple[str, str, Callable[[float], bool]], ...] = (
        ("playouts per second", "≥ 1,000,000", lambda value: value >= 1e6),
        ("first crewsolve solve", "< 2 s", lambda value: value < 2),
        ("second crewsolve solve", "< 1 s", lambda value: value < 1),
    )
    for name, want, holds in wanted:
        if name in speeds:
            value = speeds[name]
            yield _line(name, want, f"{value:,.0f}" if value > 1000 else f"{value:.2f} s", holds(value))
