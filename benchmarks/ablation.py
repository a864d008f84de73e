"""What each group of consequences in the lean formula is worth: conflicts and time without it.

    python -m benchmarks.ablation [--deals 200] [--seats 4] [--tasks 12] [--free]

The published formula is the last row. Every row decides the same deals with the same solver.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import click

from benchmarks.deciding import deals_of
from benchmarks.plan import PLANS, PUBLISHED, Cell
from benchmarks.table import markdown, three_digits
from crewsolve.encodings import Limits, get_method
from crewsolve.encodings.lean import lean_formula
from crewsolve.encodings.lean.formula import LeanFormula
from crewsolve.encodings.lean.method import LIGHT_SAT
from crewsolve.encodings.lean.variables import Ints
from crewsolve.position import Position

GROUPS: dict[str, tuple[str, ...]] = {
    "nothing left out": (),
    "order of alike cards": ("lower_of_alike_cards_first",),
    "waits": ("nothing_happens_too_early",),
    "tricks each seat needs": ("tricks_add_up", "each_seat_wins_the_tricks_it_needs"),
    "leads (three seats and fewer)": (
        "leads_of_a_suit_are_counted",
        "each_lead_takes_a_card",
        "cards_are_thrown_away_when_a_suit_is_used_up",
    ),
    "hopeless cards": ("owner_plays_no_hopeless_card", "task_card_of_the_owner_wins_itself"),
}
GROUPS["all of these"] = tuple(group for groups in GROUPS.values() for group in groups)
"""What is left out -> the groups of clauses; none of them is needed for the formula to be right."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Clauses, conflicts and seconds of one decision."""

    winnable: bool
    clauses: int
    conflicts: int
    seconds: float


class _Thinned(LeanFormula):
    """A formula that leaves some groups out."""

    left_out: Collection[str] = ()

    def add(self, group: str, blocks: Iterable[Ints]) -> None:
        if group not in self.left_out:
            super().add(group, blocks)


def thinned(position: Position, left_out: Collection[str]) -> list[list[int]]:
    """The clauses of the lean formula without some groups."""
    kind = type("Thinned", (_Thinned,), {"left_out": left_out})
    return lean_formula(position, kind=kind).clauses


def effort(clauses: list[list[int]], solver: str) -> Effort:
    """Read and solve, in CPU time."""
    from pysat.solvers import Solver

    started = time.process_time()
    with Solver(name=solver, bootstrap_with=clauses) as running:
        winnable = bool(running.solve())
        seconds = time.process_time() - started
        return Effort(winnable, len(clauses), running.accum_stats()["conflicts"], seconds)


def row(name: str, efforts: Sequence[Effort]) -> tuple[str, ...]:
    """The means of all deals, and the conflicts of the lost ones."""
    lost = [e.conflicts for e in efforts if not e.winnable]
    means = (fmean(e.clauses for e in efforts), fmean(e.conflicts for e in efforts), fmean(lost or [0]))
    seconds = fmean(e.seconds for e in efforts)
    return name, *(f"{mean:,.0f}" for mean in means), three_digits(1000 * seconds)


@click.command()
@click.option("--deals", default=200, show_default=True)
@click.option("--seats", default=4, show_default=True)
@click.option("--tasks", default=12, show_default=True)
@click.option("--free", is_flag=True)
@click.option("--sat", default=LIGHT_SAT, show_default=True)
def main(deals: int, seats: int, tasks: int, free: bool, sat: str) -> None:
    """Print what each group of consequences is worth."""
    chosen = deals_of(Cell("4x9+4", seats, tasks, free), PLANS["full"], deals)
    positions = [Position.of(deal) for deal in chosen]
    rows = []
    for name, groups in GROUPS.items():
        rows.append(row(name, [effort(thinned(position, groups), sat) for position in positions]))
    published = get_method(PUBLISHED)
    formulas = (published.facts(p, Limits()).formula.clauses for p in positions)  # type: ignore[attr-defined]
    rows.append(row("the published formula", [effort(clauses, sat) for clauses in formulas]))
    click.echo(markdown(("left out", "clauses", "conflicts", "conflicts of lost deals", "ms"), rows))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.ablation")
