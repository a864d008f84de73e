"""Minimal unwinnable and largest winnable sets of tasks, found with a solver as oracle.

Winning is monotone: whoever can meet a set of tasks can meet every subset. So each minimal unwinnable set
hits the complement of each maximal winnable set, and the other way round (Reiter 1987). Both searches
below go back and forth between the two: a smallest set that hits all complements known so far is either
winnable, and then grows to a new maximal winnable set, or it is a minimal unwinnable set, and no
smaller one is left (implicit hitting sets: Ignatiev et al. 2015, "Smallest MUS extraction with minimal
hitting set dualization").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from crewsolve.cards import Card
from crewsolve.errors import Disagreement
from crewsolve.playout import Playout

Cards = frozenset[Card]


class Undecided(Exception):
    """The oracle could not decide a set within its limits."""


class Oracle:
    """Answers whether a set of tasks can be met, and remembers what follows from earlier answers.

    `ask` gives a line for a set of tasks with all tasks that line meets, or None where there is no line;
    it raises `Undecided` at its limits.
    """

    def __init__(self, tasks: Iterable[Card], ask: Callable[[Cards], tuple[Cards, Playout] | None]) -> None:
        self.tasks = tuple(tasks)
        self._ask = ask
        self.winnable: dict[Cards, Playout] = {}
        self.unwinnable: list[Cards] = []
        self.asked = 0

    def met_with(self, tasks: Cards) -> Cards | None:
        """A winnable set that holds all of `tasks`, None where there is none."""
        for known in self.winnable:
            if tasks <= known:
                return known
        if any(known <= tasks for known in self.unwinnable):
            return None
        self.asked += 1
        found = self._ask(tasks)
        if found is None:
            self.unwinnable.append(tasks)
            return None
        met, line = found
        for lost in self.unwinnable:
            if lost <= met:
                names = " ".join(map(str, _ordered(self, lost)))
                raise Disagreement(f"the tasks {names} were called unwinnable, but {line} meets them")
        self.winnable[met] = line
        return met

    def grown(self, tasks: Cards) -> Cards:
        """A maximal winnable set that holds the winnable set `tasks`."""
        for card in self.tasks:
            if card not in tasks:
                tasks = self.met_with(tasks | {card}) or tasks
        return tasks

    def shrunk(self, tasks: Cards) -> Cards:
        """A minimal unwinnable subset of the unwinnable set `tasks`."""
        for card in self.tasks:
            if card in tasks and self.met_with(tasks - {card}) is None:
                tasks = tasks - {card}
        return tasks

    @property
    def best(self) -> Cards | None:
        """The largest set known to be winnable."""
        return max(self.winnable, key=len, default=None)


def minimal_unwinnable(oracle: Oracle) -> Iterator[Cards]:
    """Every minimal unwinnable set of tasks, those of fewest tasks first."""
    from pysat.examples.hitman import Hitman

    with Hitman(solver="g3", htype="sorted") as hitman:
        while (candidate := hitman.get()) is not None:
            tasks = frozenset(candidate)
            met = oracle.met_with(tasks)
            if met is None:
                yield tasks
                hitman.block(_ordered(oracle, tasks))
                continue
            missed = [card for card in oracle.tasks if card not in oracle.grown(met)]
            if not missed:
                return
            hitman.hit(missed)


def largest_winnable(oracle: Oracle) -> Cards:
    """A winnable set of as many tasks as can be met together."""
    from pysat.examples.hitman import Hitman

    with Hitman(solver="g3", htype="sorted") as hitman:
        while True:
            dropped = frozenset(hitman.get())
            kept = frozenset(oracle.tasks) - dropped
            best = oracle.best
            if best is not None and len(best) >= len(kept):
                return best
            met = oracle.met_with(kept)
            if met is not None:
                return met
            hitman.hit(_ordered(oracle, oracle.shrunk(kept)))


def _ordered(oracle: Oracle, tasks: Cards) -> list[Card]:
    """In the deck's order: sets have none, and runs must repeat."""
    return [card for card in oracle.tasks if card in tasks]
