"""`auto`, the default: static tests, then search and SAT in turn, each with a budget.

Budgets are counted in nodes and conflicts, never in seconds, so the verdict is the same on every machine.

Loading the kernels of the search takes longer than a SAT solver needs for one deal, and compiling them, once
after installation, much longer. So the first few positions that a process asks about are given to a short
run of SAT first. That changes who decides, never what: under budgets the plan is always the same.

The first step of every plan is what one call of the kernel does for each deal of a batch, node by node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from crewsolve.encodings.method import Answer, Limits
from crewsolve.encodings.static import static_loss
from crewsolve.errors import CrewError
from crewsolve.kernels.jit import kernels_loaded, kernels_ready
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


LAST = Step(SAT, None, "cadical195")

PLAN = (
    Step(SEARCH, DIVES),
    Step(SAT, 100_000, "minisat22"),
    Step(SEARCH, 1_000_000),
    LAST,
)
"""Nearly all deals end in the first two steps; a second solver stands behind the first."""

FREE = (
    Step(SEARCH, FREE_DIVES),
    Step(SAT, 10_000, "glucose4"),
    Step(SEARCH, 5_000_000),
    LAST,
)
"""Free tasks are won in many ways, so search hardly ever fails."""

TWO_SEATS = (
    Step(SAT, 30_000, "minisat22"),
    Step(SEARCH, 3_000_000),
    Step(SAT, 100_000, "glucose4"),
    Step(SEARCH, None),
)
"""After the dives. With two seats few positions are different, so search may end where SAT gets lost."""


LOADING, COMPILING = 20, 500
"""Positions after which loading the kernels pays, and compiling them."""

COMPILE_SECONDS = 60.0
"""The time that compiling the kernels may take."""

SHORT, LONG = 3_000, 30_000
"""Conflicts of SAT in place of loading the kernels (less than a tenth of a second), and of compiling them."""

ALL_DONE = "all tasks are done"
_OUT_OF_TIME = Answer(Verdict.UNKNOWN, "limit", reason="the time limit is reached")
_OUT_OF_BUDGET = Answer(Verdict.UNKNOWN, "limit", reason="the budgets are spent")


class Auto:
    """The quickest way we know to a certain answer."""

    limit: ClassVar[str] = "slices"
    """How its search keeps a time limit; its SAT solvers have their own ways."""

    def __init__(self, name: str, *, sat: str | None = None) -> None:
        self.name = name
        self.sat = sat

    @property
    def sat_solvers(self) -> tuple[str, ...]:
        """The SAT solvers that its plans name."""
        named = dict.fromkeys(step.solver for step in (*PLAN, *FREE, *TWO_SEATS) if step.stage == SAT)
        return (self.sat,) if self.sat is not None else tuple(named)

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        if limits.expired:
            return _OUT_OF_TIME
        reason = static_loss(position)
        if reason is not None:
            return Answer(Verdict.UNWINNABLE, "static", reason=reason)
        if position.outcome is Status.DONE:
            from crewsolve.encodings.lines import any_line

            return Answer(Verdict.WINNABLE, "static", any_line(position), ALL_DONE)
        return self.after_search(position, limits, nodes_used=0, first=_first_steps(position, limits))

    def after_search(
        self, position: Position, limits: Limits, *, nodes_used: int, first: tuple[Step, ...] = ()
    ) -> Answer:
        """The steps of `first` and the plan, where a search has used some nodes in vain already."""
        plan = list(_plan(position, limits))
        if nodes_used:
            plan[0] = replace(plan[0], budget=max(0, (plan[0].budget or 0) - nodes_used))
        plan[:0] = first
        nodes, conflicts = nodes_used, 0
        answer = _OUT_OF_BUDGET
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
        timed = limits.expired or (limits.nodes is None and limits.conflicts is None)
        return replace(_OUT_OF_TIME if timed else _OUT_OF_BUDGET, statistics=answer.statistics)

    def _ask(self, position: Position, step: Step, limits: Limits) -> Answer:
        if step.stage == SEARCH:
            from crewsolve.encodings.search import Search

            return Search("search").solve(position, replace(limits, conflicts=None))
        from crewsolve.encodings.lean.method import LeanMethod

        return LeanMethod("cnf:lean", self.sat or step.solver).solve(position, replace(limits, nodes=None))


_WAITED: Counter[str] = Counter()  # kernels -> positions that have come without them


def kernels_pay(name: str, limits: Limits, *, positions: int = 1) -> bool:
    """Whether to use the kernels called `name` for more positions: they are loaded, or enough have come.

    Under budgets always, so that these mean the same in every process.
    """
    if limits.nodes is not None or limits.conflicts is not None or kernels_loaded(name):
        return True
    _WAITED[name] += positions
    return _WAITED[name] > (LOADING if kernels_ready(name) else COMPILING)


def _first_steps(position: Position, limits: Limits) -> tuple[Step, ...]:
    """A short run of SAT, while too few positions have come to pay for the kernels."""
    if kernels_pay("search", limits):
        return ()
    conflicts = SHORT if kernels_ready("search") or position.deal.seats <= 2 else LONG
    return (Step(SAT, conflicts, "glucose4" if position.deal.tasks.is_free else "minisat22"),)


def _plan(position: Position, limits: Limits) -> Iterator[Step]:
    """The steps for a position; under budgets none without its own budget remains.

    Nothing stops a compiler, so where the clock leaves no time for it, SAT takes the place of search.
    """
    budgets = limits.nodes is not None or limits.conflicts is not None
    hurried = _too_soon_to_compile(limits)
    for step in _steps(position.deal.seats, position.deal.tasks.is_free):
        if hurried and step.stage == SEARCH:
            if step.budget is not None:
                continue
            step = LAST
        own = limits.nodes if step.stage == SEARCH else limits.conflicts
        if step.budget is not None or own is not None or not budgets:
            yield step


def _too_soon_to_compile(limits: Limits) -> bool:
    if limits.seconds_left is None or limits.seconds_left > COMPILE_SECONDS:
        return False
    return not (kernels_loaded("search") or kernels_ready("search"))


def _left(budget: int | None, limit: int | None, spent: int) -> int | None:
    """What a step may use of the user's limit."""
    if limit is None:
        return budget
    left = max(0, limit - spent)
    return left if budget is None else min(budget, left)


def _steps(seats: int, free: bool) -> tuple[Step, ...]:
    if seats <= 2:
        return Step(SEARCH, FREE_DIVES if free else DIVES), *TWO_SEATS
    return FREE if free else PLAN


def first_budget(seats: int, free: bool, limits: Limits) -> int:
    """The nodes that a batch spends on each of its deals: those of the first step."""
    budget = _steps(seats, free)[0].budget
    assert budget is not None
    return budget if limits.nodes is None else min(budget, limits.nodes)


def auto_method(name: str, *, sat: str | None = None) -> Auto:
    """The method `auto`; `sat` replaces the SAT solvers of its plan."""
    if sat is not None:
        from crewsolve.encodings.solvers import get_solver

        if not get_solver(sat).budget:
            raise CrewError(f"auto counts conflicts, which the SAT solver {sat!r} cannot do: choose another")
    return Auto(name, sat=sat)
