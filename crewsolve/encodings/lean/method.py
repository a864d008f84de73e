"""A lean formula with a ladder for the winning card: the method `cnf:lean`."""

from __future__ import annotations

from dataclasses import dataclass

from crewsolve.encodings.lean import lean_formula
from crewsolve.encodings.lean.formula import LeanReading
from crewsolve.encodings.method import Answer, Limits, Method
from crewsolve.encodings.sat_method import decide
from crewsolve.encodings.solvers import SatSolver, get_solver
from crewsolve.position import Position

FIXED_SAT = "minisat22"
"""The quickest solver for fixed tasks, by measurement: light, and without preprocessing."""

FREE_SAT = "glucose4"
"""The quickest one for free tasks: its frequent restarts cut the heavy tail of winnable deals."""


@dataclass(frozen=True, slots=True)
class LeanMethod:
    """The lean formula and a SAT solver, chosen by the kind of tasks unless named."""

    name: str
    sat: str | None = None

    def solver(self, position: Position) -> SatSolver:
        """The SAT solver for a position."""
        return get_solver(self.sat or (FREE_SAT if position.deal.tasks.is_free else FIXED_SAT))

    def facts(self, position: Position, limits: Limits) -> LeanReading:
        """The formula of a position and how its models are read."""
        return LeanReading(lean_formula(position))

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        return decide(position, self.facts(position, limits), self.solver(position), limits)


def lean_method(name: str, *, sat: str | None = None) -> Method:
    """The method `cnf:lean`."""
    return LeanMethod(name, sat)
