"""Running a SAT solver on a formula within limits, with nothing left running afterwards.

A solver that can be interrupted, or works in slices of conflicts, runs in a thread that is stopped at the
deadline and on Ctrl-C, and is over before the call returns. A solver that can do neither, and any formula
so large that a single step of the solver may take too long, runs in a child process, which is ended.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from crewsolve.encodings.at_most import Clause
from crewsolve.encodings.method import NO_LIMITS, Limits
from crewsolve.encodings.solvers import SatSolver
from crewsolve.encodings.stoppable import run_stoppable
from crewsolve.errors import CrewError
from crewsolve.result import Verdict

SLICE = 1000
"""Conflicts between two looks at the clock: some hundredths of a second on our formulas."""

LARGE = 200_000
"""Clauses from which one step of a solver (reading, simplifying) may outlast a deadline by a second."""

_CHUNK = 5000


@dataclass(frozen=True, slots=True)
class Problem:
    """What a solver is asked: clauses, native counts, and whether a proof is wanted."""

    clauses: list[Clause]
    counts: list[tuple[list[int], int]] = field(default_factory=list)
    proof: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a solver found: WINNABLE stands for satisfiable.

    `model` is the list of literals where satisfiable, `proof` the lines of a DRAT proof where unsatisfiable
    and asked for.
    """

    verdict: Verdict
    model: list[int] | None = None
    proof: list[str] | None = None
    statistics: dict[str, int] = field(default_factory=dict)


UNKNOWN = Outcome(Verdict.UNKNOWN)


def run_sat(problem: Problem, solver: SatSolver, *, limits: Limits = NO_LIMITS) -> Outcome:
    """Solve within the limits; UNKNOWN when one is reached."""
    if limits.conflicts is not None and not solver.budget:
        raise CrewError(
            f"SAT solver {solver.name!r} cannot count conflicts: choose another or give no budget"
        )
    if limits.expired:
        return UNKNOWN
    large = limits.deadline is not None and len(problem.clauses) > LARGE
    if large or solver.limit == "process":
        from crewsolve.encodings.sat_process import run_in_process

        return run_in_process(problem, solver, limits)
    return _Run(problem, solver, limits).wait()


class _Run:
    """One run of a solver within this process."""

    def __init__(self, problem: Problem, solver: SatSolver, limits: Limits) -> None:
        self._problem = problem
        self._solver = solver
        self._limits = limits
        self._halt = threading.Event()
        self._guard = threading.Lock()
        self._running: Any = None

    def wait(self) -> Outcome:
        """Run until there is an outcome or the deadline."""
        return run_stoppable(self._solve, self._stop, seconds=self._limits.seconds_left)

    def _stop(self) -> None:
        self._halt.set()
        with self._guard:
            if self._running is not None and self._solver.interrupt:
                self._running.interrupt()

    def _solve(self) -> Outcome:
        running = new_solver(self._solver, proof=self._problem.proof)
        try:
            for step in load_steps(running, self._problem):
                if self._halt.is_set():
                    return UNKNOWN
                step()
            with self._guard:
                self._running = running
            return outcome_of(running, self._search(running), self._problem.proof)
        finally:
            with self._guard:
                self._running = None
            running.delete()

    def _search(self, running: Any) -> bool | None:
        left = self._limits.conflicts
        while not self._halt.is_set():
            budget = SLICE if self._solver.limit == "slices" else None
            if left is not None:
                budget = left if budget is None else min(budget, left)
            if budget is not None:
                running.conf_budget(budget)
            answer: bool | None = running.solve_limited(expect_interrupt=self._solver.interrupt)
            if answer is not None:
                return answer
            if left is not None and budget is not None:
                left -= budget
                if left <= 0:
                    return None
        return None


def new_solver(solver: SatSolver, *, proof: bool) -> Any:
    """A fresh PySAT solver without clauses."""
    from pysat.solvers import Solver

    return Solver(name=solver.alias, with_proof=True) if proof else Solver(name=solver.alias)


def load_steps(running: Any, problem: Problem) -> Iterator[Any]:
    """Loading the problem, as short steps to call one after the other."""
    for start in range(0, len(problem.clauses), _CHUNK):
        yield lambda start=start: running.append_formula(problem.clauses[start : start + _CHUNK])
    for literals, bound in problem.counts:
        yield lambda literals=literals, bound=bound: running.add_atmost(literals, bound)


def outcome_of(running: Any, answer: bool | None, proof: bool) -> Outcome:
    """What the solver has to say for its answer."""
    if answer is None:
        return UNKNOWN
    statistics = _statistics(running)
    if answer:
        return Outcome(Verdict.WINNABLE, model=list(running.get_model() or []), statistics=statistics)
    lines = list(running.get_proof() or []) if proof else None
    return Outcome(Verdict.UNWINNABLE, proof=lines, statistics=statistics)


def _statistics(running: Any) -> dict[str, int]:
    try:
        found = running.accum_stats() or {}
    except NotImplementedError:
        return {}
    return {name: int(number) for name, number in found.items()}
