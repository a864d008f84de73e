"""Why not? Sets of fewest tasks that cannot be met together, and the most tasks that can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.errors import CrewError, Disagreement
from crewsolve.playout import Playout
from crewsolve.result import Verdict
from crewsolve.simulator import replay
from crewsolve.solving.cores import Cards, Oracle, Undecided, largest_winnable, minimal_unwinnable
from crewsolve.solving.deciding import decide, default_method
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks

CHECK_CONFLICTS, CHECK_NODES = 500_000, 100_000_000
"""How far a second method may go where no time limit is given: some deals defeat every SAT solver."""

SECOND_METHODS = ("search", "cnf:seqcounter", "cpsat")
"""The methods used to check another, the best first."""


@dataclass(frozen=True)
class Core:
    """Tasks that cannot be met together, though all but any one of them can.

    `checked_by` names the second method that agrees, None where all that were asked reached a limit.
    """

    tasks: Tasks
    checked_by: str | None = None

    def __str__(self) -> str:
        return f"no line {_wish(self.tasks)}"

    def to_json(self) -> dict[str, Any]:
        """Its place in what `explain --json` prints."""
        return {"tasks": _tasks_json(self.tasks), "words": str(self), "checked_by": self.checked_by}


@dataclass(frozen=True)
class Explanation:
    """Why a deal cannot be won, and how near one can come.

    The first of `cores` has the fewest tasks of all where `fewest` is true; where `every` is true there is
    no other core. `most` are the most tasks that any line can meet, as `line` does, where `most_proved`; else
    the most that were met so far. All of them are true unless a limit was reached.
    """

    deal: Deal
    verdict: Verdict
    cores: tuple[Core, ...] = ()
    fewest: bool = False
    every: bool = False
    most: Tasks | None = None
    line: Playout | None = None
    most_proved: bool = False

    def to_json(self) -> dict[str, Any]:
        """The object that `explain --json` prints."""
        line = None if self.line is None else [list(map(str, trick)) for trick in self.line.tricks]
        return {
            "name": self.deal.name,
            "deal": str(self.deal),
            "verdict": str(self.verdict),
            "cores": [core.to_json() for core in self.cores],
            "fewest": self.fewest,
            "every": self.every,
            "most": None if self.most is None else _tasks_json(self.most),
            "most_proved": self.most_proved,
            "plays": line,
        }


def explain(
    deal: Deal,
    *,
    every: bool = False,
    method: str | None = None,
    sat: str | None = None,
    check: str | None = None,
    time_limit: float | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> Explanation:
    """Find a set of fewest tasks that cannot be met together, or `every` minimal one, and the most that can.

    Each set is checked again by a second method, `check`, of another kind unless named. For free tasks the
    counts of the seats stay as upper bounds. `time_limit` is for the whole; what it leaves open is marked.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    >>> print(explain(deal).cores[0])
    no line lets seat 0 win G1
    """
    name = default_method() if method is None else method
    checks = second_methods(name) if check is None else (check,)
    if name in checks:
        raise CrewError(f"the second method must not be the first, {name!r}: choose another to check with")
    asked = (deal.freed() if free else deal).after(*played)
    if check is not None:
        get_method(check)  # a wrong name is refused at once; otherwise seconds are loaded when needed
    limits = Limits.within(time_limit)
    return _Explainer(asked, get_method(name, sat=sat), checks, limits, progress).explain(every)


def second_methods(first: str) -> tuple[str, ...]:
    """Methods unlike `first`: search checks clauses, clauses check search."""
    kind = first.partition(":")[0]
    alike = {"auto", "search"} if kind in ("auto", "search") else {"auto", kind}
    return tuple(name for name in SECOND_METHODS if name.partition(":")[0] not in alike)


class _Explainer:
    """One deal's explanation in the making."""

    def __init__(
        self,
        deal: Deal,
        first: Method,
        seconds: Sequence[str],
        limits: Limits,
        progress: Callable[[str], None],
    ) -> None:
        self.deal, self.first, self.seconds, self.limits = deal, first, seconds, limits
        self.progress = progress
        self.oracle = Oracle(deal.tasks.cards, self._line_for)

    def explain(self, every: bool) -> Explanation:
        whole = frozenset(self.deal.tasks.cards)
        try:
            if (met := self.oracle.met_with(whole)) is not None:
                return Explanation(
                    self.deal, Verdict.WINNABLE, fewest=True, every=True, most=self.deal.tasks,
                    line=self.oracle.winnable[met], most_proved=True,
                )  # fmt: skip
        except Undecided:
            return Explanation(self.deal, Verdict.UNKNOWN)
        return self._with_most(self._with_cores(Explanation(self.deal, Verdict.UNWINNABLE), whole, every))

    def _with_cores(self, so_far: Explanation, whole: Cards, every: bool) -> Explanation:
        found: list[Core] = []
        some: Cards | None = None
        try:
            some = self.oracle.shrunk(whole)  # an answer to fall back on, and much for the oracle to remember
            for tasks in minimal_unwinnable(self.oracle):
                found.append(self._checked(tasks))
                self.progress(f"{len(found)} minimal sets found")
                if not every:
                    break
            else:
                so_far = replace(so_far, every=True)
        except Undecided:
            if not found and some is not None:
                return replace(so_far, cores=(self._checked(some),))
        order = self.deal.deck.index
        found.sort(key=lambda core: (len(core.tasks), [order(card) for card in core.tasks.cards]))
        return replace(so_far, cores=tuple(found), fewest=bool(found))

    def _with_most(self, so_far: Explanation) -> Explanation:
        proved = True
        try:
            most: Cards | None = largest_winnable(self.oracle)
        except Undecided:
            most, proved = self.oracle.best, False
        if most is None:
            return so_far
        return replace(
            so_far, most=part_of(self.deal.tasks, most), line=self.oracle.winnable[most], most_proved=proved
        )

    def _line_for(self, tasks: Cards) -> tuple[Cards, Playout] | None:
        self.progress(f"{self.oracle.asked} sets of tasks tried")
        result = decide(self.deal.with_tasks(part_of(self.deal.tasks, tasks)), self.first, limits=self.limits)
        if result.verdict is Verdict.UNKNOWN:
            raise Undecided
        if result.playout is None:
            return None
        return met_by(self.deal, result.playout, tasks), result.playout

    def _checked(self, tasks: Cards) -> Core:
        """The core, once a second method finds it unwinnable and winnable with any task less."""
        expected = {tasks: Verdict.UNWINNABLE} | {tasks - {card}: Verdict.WINNABLE for card in tasks}
        core = Core(part_of(self.deal.tasks, tasks))
        for second in map(get_method, self.seconds):
            self.progress(f"checking a set of {len(tasks)} tasks with {second.name}")
            if all(self._agrees(second, part, verdict) for part, verdict in expected.items()):
                return replace(core, checked_by=second.name)
        return core

    def _agrees(self, second: Method, tasks: Cards, expected: Verdict) -> bool:
        deal = self.deal.with_tasks(part_of(self.deal.tasks, tasks))
        limits = self.limits
        if limits.deadline is None:
            limits = Limits(nodes=CHECK_NODES, conflicts=CHECK_CONFLICTS)
        found = decide(deal, second, limits=limits).verdict
        if found not in (expected, Verdict.UNKNOWN):
            raise Disagreement(f"{self.first.name} says {expected}, {second.name} says {found}: {deal}")
        return found is expected


def part_of(tasks: Tasks, cards: Cards) -> Tasks:
    """The tasks on some of the cards; counts of free tasks become upper bounds."""
    if isinstance(tasks, FixedTasks):
        return FixedTasks.of({card: seat for card, seat in tasks.owners if card in cards}, tasks.deck)
    return FreeTasks(tasks.cards.deck.set(cards), tasks.counts, tasks.at_most or len(cards) < len(tasks))


def met_by(deal: Deal, line: Playout, tasks: Cards) -> Cards:
    """All tasks that a line meets, `tasks` among them; of free tasks no more for a seat than its count."""
    achieved = replay(deal, line).achieved()
    if isinstance(deal.tasks, FixedTasks):
        return frozenset(card for card, seat in deal.tasks.owners if achieved.get(card) == seat)
    room = list(deal.tasks.counts)
    met: set[Card] = set()
    for card in sorted(achieved, key=lambda card: card not in tasks):  # stable: the given tasks come first
        if room[achieved[card]] > 0:
            room[achieved[card]] -= 1
            met.add(card)
    return frozenset(met)


def _wish(tasks: Tasks) -> str:
    if isinstance(tasks, FixedTasks):
        owners = sorted(tasks.owners, key=lambda item: item[1])
        return f"lets {_listed([f'seat {seat} win {card}' for card, seat in owners])}"
    bounds = _listed([f"{count} by seat {seat}" for seat, count in enumerate(tasks.counts)])
    return f"wins {_listed([str(card) for card in tasks.cards])} with at most {bounds}"


def _listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _tasks_json(tasks: Tasks) -> dict[str, int] | list[str]:
    if isinstance(tasks, FixedTasks):
        return {str(card): seat for card, seat in tasks.owners}
    return [str(card) for card in tasks.cards]
