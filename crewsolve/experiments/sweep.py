"""Sweeps: the share of random deals that can be won, for each number of tasks.

A cell is a number of tasks. Deal number i of the cell with n tasks is the random deal of the key
(seed, n, i): cells share no deal, and a free sweep asks about the same cards as the fixed one of its seed.

In a *coupled* sweep deal i is that of the key (seed, i), and its tasks are drawn one after the other. Taking
away a fixed task never makes a deal harder, so one number, the *threshold*, says for how many of the first
tasks it can be won: one deal gives a whole curve. Each point is as good as that of a plain sweep, but the
points of one deal stand and fall together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal, task_order
from crewsolve.errors import CrewError
from crewsolve.experiments.deciding import Effort, decide
from crewsolve.experiments.description import Cell, Experiment, Json
from crewsolve.experiments.kinds import Chunk, Kind, Row
from crewsolve.experiments.store import Store
from crewsolve.proofs.symmetry import canonical
from crewsolve.result import Verdict
from crewsolve.rules import OFFICIAL, Rules
from crewsolve.solving.threshold import threshold

if TYPE_CHECKING:
    from crewsolve.encodings.batch import Batch

COUPLED_CELL: dict[str, Json] = {"tasks": "all"}
"""The one cell of a coupled sweep."""


@dataclass(frozen=True)
class Sweep:
    """What the deals of a sweep look like; this is what a store holds for ever, together with the seed.

    >>> Sweep(Deck.parse("4x9+4"), seats=4).leader
    'holder'
    """

    deck: Deck
    seats: int
    free: bool = False
    leader: str = ""
    rules: Rules = OFFICIAL
    coupled: bool = False

    def __post_init__(self) -> None:
        if not self.leader:
            object.__setattr__(self, "leader", "holder" if self.deck.rockets else "drawn")
        if self.free and self.coupled:
            raise CrewError(
                "a coupled sweep needs fixed tasks: with free tasks one more can make a deal easier"
            )
        self.deal(0, 0, tasks=self.most_tasks)

    @classmethod
    def of(cls, parameters: Mapping[str, Json]) -> Sweep:
        """The sweep of an experiment's parameters."""
        deck, rules = Deck.parse(parameters["deck"]), Rules.parse(parameters["rules"])
        rest = {name: parameters[name] for name in ("seats", "free", "leader", "coupled")}
        return cls(deck=deck, rules=rules, **rest)

    def parameters(self) -> dict[str, Json]:
        """As parameters of an experiment."""
        return {
            "deck": str(self.deck),
            "seats": self.seats,
            "free": self.free,
            "leader": self.leader,
            "rules": str(self.rules),
            "coupled": self.coupled,
        }

    @property
    def most_tasks(self) -> int:
        """The number of colour cards: a task on each of them."""
        return self.deck.colours * self.deck.ranks

    def deal(self, *key: int, tasks: int) -> Deal:
        """The random deal of a key."""
        return random_deal(
            self.deck, seats=self.seats, tasks=tasks, free=self.free, leader=self.leader, rules=self.rules,
            key=key,
        )  # fmt: skip

    def batch(self, seed: int, tasks: int, numbers: Sequence[int]) -> Batch:
        """The deals of the keys (seed, tasks, number) as arrays."""
        from crewsolve.encodings.batch import random_batch

        keys = [(seed, tasks, number) for number in numbers]
        return random_batch(
            self.deck, seats=self.seats, tasks=tasks, free=self.free, leader=self.leader, rules=self.rules,
            keys=keys,
        )  # fmt: skip

    def experiment(
        self, *, tasks: Iterable[int], deals: int, seed: int, effort: Effort, dedupe: bool = False
    ) -> Experiment:
        """The experiment that asks `deals` deals for each number of `tasks`."""
        settings = effort.settings() | ({"dedupe": True} if dedupe else {})
        for number in tasks:
            if not 0 <= number <= self.most_tasks:
                raise CrewError(
                    f"{number} tasks: deck {self.deck} has {self.most_tasks} colour cards to put them on"
                )
        keys = [COUPLED_CELL] if self.coupled else [{"tasks": number} for number in tasks]
        cells = tuple(Cell(key, deals) for key in keys)
        return Experiment("sweep", seed, self.parameters(), cells, settings)


def run(chunk: Chunk) -> list[Row]:
    """Decide the deals of a chunk; an undecided one is kept with its deal."""
    sweep, effort = Sweep.of(chunk.parameters), Effort.of(chunk.settings)
    if sweep.coupled:
        return [_threshold(sweep, effort, chunk.seed, number) for number in chunk.numbers]
    if effort.in_batches and not chunk.settings.get("dedupe"):
        verdicts = decide(sweep.batch(chunk.seed, chunk.cell["tasks"], chunk.numbers), effort)
    else:
        verdicts = decide(_deals(sweep, chunk), effort)
    return [
        Row(number, str(verdict))
        if verdict is not Verdict.UNKNOWN
        else Row(number, str(verdict), False, str(*_deals(sweep, chunk.with_numbers([number]))))
        for number, verdict in zip(chunk.numbers, verdicts, strict=True)
    ]


def _deals(sweep: Sweep, chunk: Chunk) -> list[Deal]:
    """The deals of a chunk, canonical ones where deals equal up to suits count as one."""
    tasks = chunk.cell["tasks"]
    deals = [sweep.deal(chunk.seed, tasks, number, tasks=tasks) for number in chunk.numbers]
    return [canonical(deal) for deal in deals] if chunk.settings.get("dedupe") else deals


def _threshold(sweep: Sweep, effort: Effort, seed: int, number: int) -> Row:
    """How many of its first tasks a deal can be won with: at least `low`, at most `high`."""
    deal = sweep.deal(seed, number, tasks=sweep.most_tasks)
    order = task_order(sweep.deck, seats=sweep.seats, leader=sweep.leader, key=(seed, number))
    found = threshold(
        deal, order, method=effort.method, nodes=effort.nodes, conflicts=effort.conflicts,
        time_limit=effort.time_limit,
    )  # fmt: skip
    value = {"low": found.winnable, "high": found.unwinnable - 1}
    if found.exact:
        return Row(number, value)
    return Row(number, value, False, str(sweep.deal(seed, number, tasks=found.winnable + 1)))


def twins(chunk: Chunk) -> list[str]:
    """Deals equal up to suits have the same name, where the settings ask for it."""
    sweep = Sweep.of(chunk.parameters)
    if sweep.coupled or not chunk.settings.get("dedupe"):
        return [""] * len(chunk.numbers)
    return [str(deal) for deal in _deals(sweep, chunk)]


def table(store: Store) -> list[dict[str, Json]]:
    """The points of the curve."""
    from crewsolve.experiments.curves import points

    return [point.record() for point in points(store)]


SWEEP = Kind("deals", run, table, twins)
