"""`auto`, the default: static tests, then search and SAT in turn, each with a budget.

Budgets are counted in nodes and conflicts, never in seconds, so the verdict is the same on every machine.
Compiling the kernels must not stand between a user and the first answer: while they are not cached, a single
position without budgets is given to SAT first. That changes who decides, never what.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from crewsolve.encodings.method import Answer, Limits
from crewsolve.encodings.static import static_loss
from crewsolve.errors import CrewError
from crewsolve.kernels.jit import kernels_ready
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.tasks import Status

DIVES, FREE_DIVES = 3_000, 200_000
"""Nodes of short dives, before a search of everything is worth its while."""

SEARCH, SAT = "search", "sat"


@dataclass(frozen=True, slots=True)
class Step:
    """One stage: search with a budget of nodes, or a SAT solver with one of conflicts; None is no budget."""

    stage: str
    budget: int | None
    solver: str = ""


PLAN = (
    Step(SEARCH, DIVES),
    Step(SAT, 30_000, "minisat22"),
    Step(SEARCH, 1_000_000),
    Step(SAT, 100_000, "glucose4"),
    Step(SAT, None, "cadical195"),
)
"""Most deals end in the first two steps; a second solver stands behind the first."""

FREE = (
    Step(SEARCH, FREE_DIVES),
    Step(SAT, 30_000, "glucose4"),
    Step(SEARCH, 5_000_000),
    Step(SAT, None, "cadical195"),
)
"""Free tasks are won in many ways, so search hardly ever fails."""

TWO_SEATS = (
    Step(SEARCH, 3_000_000),
    Step(SAT, 100_000, "glucose4"),
    Step(SEARCH, None),
)
"""With two seats few positions are different, so search is quick where SAT solvers get lost."""


_OUT_OF_TIME = Answer(Verdict.UNKNOWN, "limit", reason="the time limit is reached")


class Auto:
    """The quickest way we know to a certain answer."""

    def __init__(self, name: str, *, sat: str | None = None) -> None:
        self.name = name
        self.sat = sat

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        if limits.expired:
            return _OUT_OF_TIME
        reason = static_loss(position)
        if reason is not None:
            return Answer(Verdict.UNWINNABLE, "static", reason=reason)
        if position.outcome is Status.DONE:
            from crewsolve.encodings.lines import any_line

            return Answer(Verdict.WINNABLE, "static", any_line(position), "all tasks are done")
        return self.after_search(position, limits, nodes_used=0, skip_search=not _search_first(limits))

    def after_search(
        self, position: Position, limits: Limits, *, nodes_used: int, skip_search: bool = False
    ) -> Answer:
        """The plan, where a search has used some nodes in vain already; or with its first search put last."""
        plan = list(_plan(position, limits))
        if skip_search:
            plan = [*plan[1:], plan[0]]
        elif nodes_used:
            plan[0] = replace(plan[0], budget=max(0, (plan[0].budget or 0) - nodes_used))
        nodes, conflicts = nodes_used, 0
        answer = Answer(Verdict.UNKNOWN, "limit", reason="the budgets are spent")
        for step in plan:
            if limits.expired:
                return _OUT_OF_TIME
            spent = nodes if step.stage == SEARCH else conflicts
            budget = _left(step.budget, limits.nodes if step.stage == SEARCH else limits.conflicts, spent)
            if budget == 0:
                continue
            answer = self._ask(position, step, replace(limits, nodes=budget, conflicts=budget))
            if answer.verdict is not Verdict.UNKNOWN:
                return answer
            nodes += answer.statistics.get("nodes", 0)
            conflicts += (budget or 0) if step.stage == SAT else 0
        return Answer(Verdict.UNKNOWN, "limit", reason=answer.reason, statistics=answer.statistics)

    def _ask(self, position: Position, step: Step, limits: Limits) -> Answer:
        if step.stage == SEARCH:
            from crewsolve.encodings.search import Search

            return Search("search").solve(position, replace(limits, conflicts=None))
        from crewsolve.encodings.lean.method import LeanMethod

        return LeanMethod("cnf:lean", self.sat or step.solver).solve(position, replace(limits, nodes=None))


def _search_first(limits: Limits) -> bool:
    """Whether search is compiled already, or its budget makes it part of the question."""
    budgets = limits.nodes is not None or limits.conflicts is not None
    return budgets or "crewsolve.kernels.search" in sys.modules or kernels_ready("search")


def _plan(position: Position, limits: Limits) -> Iterator[Step]:
    """The steps for a position; under budgets none without its own budget remains."""
    budgets = limits.nodes is not None or limits.conflicts is not None
    for step in _steps(position.deal.seats, position.deal.tasks.is_free):
        own = limits.nodes if step.stage == SEARCH else limits.conflicts
        if step.budget is not None or own is not None or not budgets:
            yield step


def _left(budget: int | None, limit: int | None, spent: int) -> int | None:
    """What a step may use of the user's limit."""
    if limit is None:
        return budget
    left = max(0, limit - spent)
    return left if budget is None else min(budget, left)


def _steps(seats: int, free: bool) -> tuple[Step, ...]:
    if seats <= 2:
        return TWO_SEATS
    return FREE if free else PLAN


def first_budget(seats: int, free: bool, limits: Limits) -> int:
    """The nodes that a batch spends on dives for each of its deals, as the first step does."""
    budget = min(_steps(seats, free)[0].budget or 0, FREE_DIVES if free else DIVES)
    return budget if limits.nodes is None else min(budget, limits.nodes)


def auto_method(name: str, *, sat: str | None = None) -> Auto:
    """The method `auto`; `sat` replaces the SAT solvers of its plan."""
    if sat is not None:
        from crewsolve.encodings.solvers import get_solver

        if not get_solver(sat).budget:
            raise CrewError(f"auto counts conflicts, which the SAT solver {sat!r} cannot do: choose another")
    return Auto(name, sat=sat)
