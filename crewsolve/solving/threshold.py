"""Thresholds: how many of a deal's tasks, taken in a given order, can be won together.

With fixed tasks, winning more tasks wins fewer of them too: along one order winnability only falls. So the
largest winnable prefix is found by bisection, and work is shared: a line that wins some tasks is asked how
many of the next ones it wins as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.errors import BadDeal
from crewsolve.playout import Playout
from crewsolve.result import Verdict
from crewsolve.simulator import replay
from crewsolve.solving.deciding import decide, default_method
from crewsolve.tasks import FixedTasks


@dataclass(frozen=True, slots=True)
class Threshold:
    """The first `winnable` tasks of `order` can be won, by `playout`; the first `unwinnable` ones cannot.

    `unwinnable` is one more than the tasks where all can be won. The threshold is exact unless a limit
    left prefixes between the two undecided. `asked` counts the prefixes that a method was asked about.
    """

    order: tuple[Card, ...]
    winnable: int
    unwinnable: int
    playout: Playout | None
    asked: int

    @property
    def exact(self) -> bool:
        """Whether no prefix is undecided."""
        return self.unwinnable == self.winnable + 1


def threshold(
    deal: Deal,
    order: Sequence[Card],
    *,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    nodes: int | None = None,
    conflicts: int | None = None,
) -> Threshold:
    """The largest winnable prefix of the tasks of a deal in an order that names each once.

    The limits are for all questions together (`time_limit`) or for each of them (`nodes`, `conflicts`).

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:3 G2:1")
    >>> found = threshold(deal, [Card.parse(card) for card in ("G1", "B2", "G2")])
    >>> found.winnable, found.exact
    (2, True)
    """
    tasks = deal.tasks
    if not isinstance(tasks, FixedTasks):
        raise BadDeal("a threshold needs fixed tasks: with free ones winnability may rise with their number")
    if sorted(order) != sorted(card for card, _ in tasks.owners):
        raise BadDeal("the order of a threshold names every task of the deal once")
    limits = Limits.within(time_limit, nodes=nodes, conflicts=conflicts)
    asker = get_method(default_method() if method is None else method, sat=sat)
    return _Bisection(deal, tuple(order), tasks, asker, limits).run()


class _Bisection:
    """The verdicts found so far along one order."""

    def __init__(
        self, deal: Deal, order: tuple[Card, ...], tasks: FixedTasks, method: Method, limits: Limits
    ) -> None:
        self.deal, self.order, self.method, self.limits = deal, order, method, limits
        self.owners = dict(tasks.owners)
        self.winnable, self.unwinnable = -1, len(order) + 1
        self.playout: Playout | None = None
        self.open: set[int] = set()
        self.asked = 0

    def run(self) -> Threshold:
        """Bisect; where limits leave prefixes open, close in on them from both sides."""
        self._ask(0)
        if self.winnable < 0 and not self.open:  # a position that is lost whatever the tasks
            return Threshold(self.order, 0, 0, None, self.asked)
        self._bisect(self._is_winnable)
        if self.open:
            self._bisect(lambda size: not self._is_unwinnable(size))
        return Threshold(self.order, max(0, self.winnable), self.unwinnable, self.playout, self.asked)

    def _bisect(self, holds: Callable[[int], bool]) -> None:
        low, high = max(0, self.winnable), self.unwinnable
        while high - low > 1:
            middle = (low + high) // 2
            if holds(middle):
                low = max(middle, self.winnable)
            else:
                high = middle

    def _is_winnable(self, size: int) -> bool:
        self._ask(size)
        return size <= self.winnable

    def _is_unwinnable(self, size: int) -> bool:
        self._ask(size)
        return size >= self.unwinnable

    def _ask(self, size: int) -> None:
        """Decide one prefix, unless it is known or a limit has already left it open."""
        if size <= self.winnable or size >= self.unwinnable or size in self.open:
            return
        self.asked += 1
        result = decide(self._prefix(size), self.method, limits=self.limits)
        if result.verdict is Verdict.UNWINNABLE:
            self.unwinnable = size
        elif result.playout is None:
            self.open.add(size)
        else:
            self.winnable, self.playout = self._won_by(result.playout, size), result.playout

    def _prefix(self, size: int) -> Deal:
        chosen = {card: self.owners[card] for card in self.order[:size]}
        return self.deal.with_tasks(FixedTasks.of(chosen, self.deal.deck))

    def _won_by(self, playout: Playout, size: int) -> int:
        """How many tasks of the order a line wins that is known to win the first `size`."""
        position = replay(self._prefix(0), playout).position
        while size < len(self.order):
            card = self.order[size]
            if card not in position.won(self.owners[card]):
                break
            size += 1
        return size
