"""Sweeps: the share of random deals that can be won, for each number of tasks.

A cell is a number of tasks. Deal number i of the cell with n tasks is the random deal of the key
(seed, n, i): cells share no deal, and a free sweep asks about the same cards as the fixed one of its seed.

In a *coupled* sweep deal i is that of the key (seed, i), and its tasks are drawn one after the other. Taking
away a fixed task never makes a deal harder, so one number, the *threshold*, says for how many of the first
tasks it can be won: one deal gives a whole curve. Each point is as good as that of a plain sweep, but the
points of one deal stand and fall together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crewsolve.deal import Deal, task_order
from crewsolve.errors import CrewError
from crewsolve.experiments.deals import RandomDeals
from crewsolve.experiments.deciding import Effort, decide
from crewsolve.experiments.description import Cell, Experiment, Json
from crewsolve.experiments.kinds import Chunk, Kind, Row
from crewsolve.experiments.store import Store
from crewsolve.proofs.symmetry import canonical
from crewsolve.result import Verdict
from crewsolve.solving.threshold import threshold

COUPLED_CELL: dict[str, Json] = {"tasks": "all"}
"""The one cell of a coupled sweep."""


@dataclass(frozen=True)
class Sweep(RandomDeals):
    """The deals of a sweep, and whether one deal gives a whole curve.

    >>> from crewsolve.cards import Deck
    >>> Sweep(Deck.parse("4x9+4"), seats=4).leader
    'holder'
    """

    coupled: bool = False

    def __post_init__(self) -> None:
        if self.free and self.coupled:
            raise CrewError(
                "a coupled sweep needs fixed tasks: with free tasks one more can make a deal easier"
            )
        super().__post_init__()

    def experiment(
        self, *, tasks: Iterable[int], deals: int, seed: int, effort: Effort, dedupe: bool = False
    ) -> Experiment:
        """The experiment that asks `deals` deals for each number of `tasks`."""
        settings = effort.settings() | ({"dedupe": True} if dedupe else {})
        most = self.deck.colour_cards
        for number in tasks:
            if not 0 <= number <= most:
                raise CrewError(f"{number} tasks: deck {self.deck} has {most} colour cards to put them on")
        keys = [COUPLED_CELL] if self.coupled else [{"tasks": number} for number in tasks]
        cells = tuple(Cell(key, deals) for key in keys)
        return Experiment("sweep", seed, self.parameters(), cells, settings)


def run(chunk: Chunk) -> list[Row]:
    """Decide the deals of a chunk; an undecided one is kept with its deal."""
    sweep, effort = Sweep.of(chunk.parameters), Effort.of(chunk.settings)
    if sweep.coupled:
        return [_threshold(sweep, effort, chunk.seed, number) for number in chunk.numbers]
    if effort.in_batches and not chunk.settings.get("dedupe"):
        tasks = chunk.cell["tasks"]
        keys = [(chunk.seed, tasks, number) for number in chunk.numbers]
        verdicts = decide(sweep.batch(keys, tasks=tasks), effort)
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
    deal = sweep.deal(seed, number, tasks=sweep.deck.colour_cards)
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
