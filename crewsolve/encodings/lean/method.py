"""A lean formula with a ladder for the winning card: the method `cnf:lean`."""

from __future__ import annotations

from dataclasses import dataclass

from crewsolve.encodings.lean import lean_formula
from crewsolve.encodings.lean.formula import LeanReading
from crewsolve.encodings.method import Answer, Limits, Method
from crewsolve.encodings.sat_method import decide
from crewsolve.encodings.solvers import SatSolver, get_solver
from crewsolve.position import Position

LIGHT_SAT = "minisat22"
"""The quickest solver on this formula, by measurement: modern ones prepare longer than the search takes."""


@dataclass(frozen=True, slots=True)
class LeanMethod:
    """The lean formula and a SAT solver."""

    name: str
    sat: str | None = None

    @property
    def solver(self) -> SatSolver:
        """The SAT solver."""
        return get_solver(self.sat or LIGHT_SAT)

    def facts(self, position: Position, limits: Limits) -> LeanReading:
        """The formula of a position and how its models are read."""
        return LeanReading(lean_formula(position))

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        return decide(position, self.facts(position, limits), self.solver, limits)


def lean_method(name: str, *, sat: str | None = None) -> Method:
    """The method `cnf:lean`."""
    return LeanMethod(name, sat)
