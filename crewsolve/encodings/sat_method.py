"""Methods that build clauses and hand them to a SAT solver."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from crewsolve.cards import Card
from crewsolve.encodings.at_most import AT_MOST, Clause
from crewsolve.encodings.facts import Facts
from crewsolve.encodings.formula import Formula, OutOfTime
from crewsolve.encodings.method import Answer, Limits
from crewsolve.encodings.sat import Problem, run_sat
from crewsolve.encodings.solvers import DEFAULT_NATIVE, DEFAULT_SAT, SatSolver, able_solver, get_solver
from crewsolve.position import Position
from crewsolve.result import Verdict

Build = Callable[[Position, Formula], Facts]
"""Adds the whole formula of a position and gives the facts in which its models are read."""


@dataclass(frozen=True, slots=True)
class SatMethod:
    """A formula, an encoding of "at most" and a SAT solver."""

    name: str
    build: Build
    encoding: str
    sat: str | None = None

    @property
    def solver(self) -> SatSolver:
        """The SAT solver; refused where the formula needs native counts and the solver has none."""
        if AT_MOST[self.encoding].is_native:
            return able_solver(self.sat or DEFAULT_NATIVE, "native", f"the native counts of {self.name}")
        return get_solver(self.sat or DEFAULT_SAT)

    def facts(self, position: Position, limits: Limits) -> Facts:
        """The formula of a position, with the facts to read it by; `OutOfTime` at the deadline."""
        return self.build(position, Formula(encoding=self.encoding, limits=limits))

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        solver = self.solver
        try:
            facts = self.facts(position, limits)
        except OutOfTime:
            return Answer(
                Verdict.UNKNOWN, "limit", reason="the time was up while the formula was being built"
            )
        return decide(position, facts, solver, limits)


class Clauses(Protocol):
    """What is read off a finished formula: its clauses, its native counts and the names of its variables."""

    clauses: list[Clause]
    counts: list[tuple[list[int], int]]
    groups: dict[str, int]

    @property
    def variables(self) -> int:
        """The highest variable."""
        ...

    def name_of(self, variable: int) -> tuple[Any, ...] | None:
        """The name of a variable, None for helpers."""
        ...


class Reading(Protocol):
    """A formula and how its models are read."""

    @property
    def formula(self) -> Clauses:
        """The formula."""
        ...

    def line(self, model: Collection[int]) -> tuple[Card, ...]:
        """The cards in playing order, from the first trick on, that a model stands for."""
        ...


@runtime_checkable
class ClauseMethod(Protocol):
    """A method that builds clauses, whatever solver it hands them to."""

    def facts(self, position: Position, limits: Limits) -> Reading:
        """The formula of a position and how its models are read; `OutOfTime` at the deadline."""
        ...


def decide(position: Position, reading: Reading, solver: SatSolver, limits: Limits) -> Answer:
    """Solve a formula of the position and read the answer."""
    formula = reading.formula
    outcome = run_sat(Problem(formula.clauses, formula.counts), solver, limits=limits)
    statistics = {
        "variables": formula.variables,
        "clauses": len(formula.clauses),
        "counts": len(formula.counts),
        "solver": solver.name,
        **outcome.statistics,
    }
    if outcome.model is not None:
        plays = reading.line(outcome.model)[len(position.played) :]
        return Answer(outcome.verdict, "sat", plays, statistics=statistics)
    if outcome.verdict is Verdict.UNWINNABLE:
        return Answer(outcome.verdict, "sat", reason="the formula is unsatisfiable", statistics=statistics)
    return Answer(outcome.verdict, "limit", reason="the SAT solver reached a limit", statistics=statistics)
