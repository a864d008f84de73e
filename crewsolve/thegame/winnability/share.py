"""Which share of random decks can be won at all? An experiment on the common engine."""

from __future__ import annotations

from dataclasses import dataclass

from crewsolve.experiments import Cell, Chunk, Experiment, Kind, Row, Store
from crewsolve.experiments.description import Json
from crewsolve.experiments.statistics import Interval, clopper_pearson
from crewsolve.result import Verdict
from crewsolve.thegame.model import DEFAULT, Parameters
from crewsolve.thegame.notation import parse_parameters, write_deck
from crewsolve.thegame.playing import random_deck
from crewsolve.thegame.winnability import Limits, solve


@dataclass(frozen=True)
class Share:
    """Verdicts on random decks; what stays undecided widens the interval at its upper end."""

    winnable: int
    unwinnable: int
    unknown: int

    @property
    def decks(self) -> int:
        """All decks."""
        return self.winnable + self.unwinnable + self.unknown

    @property
    def interval(self) -> Interval:
        """Exact 95 % bounds: the undecided count as lost below and as won above."""
        low, _ = clopper_pearson(self.winnable, self.decks)
        _, high = clopper_pearson(self.winnable + self.unknown, self.decks)
        return low, high

    def record(self) -> dict[str, Json]:
        """The row of a report."""
        low, high = self.interval
        return {
            "decks": self.decks,
            "winnable": self.winnable,
            "unwinnable": self.unwinnable,
            "unknown": self.unknown,
            "low": round(low, 6),
            "high": round(high, 6),
        }


def experiment(
    *,
    decks: int,
    seed: int,
    parameters: Parameters = DEFAULT,
    method: str = "finder",
    width: int = 3000,
    conflicts: int | None = None,
) -> Experiment:
    """The experiment that decides the first decks of a seed."""
    settings = {"method": method, "width": width, "conflicts": conflicts}
    return Experiment("thegame-winnable", seed, {"game": str(parameters)}, (Cell({}, decks),), settings)


def run(chunk: Chunk) -> list[Row]:
    """Decide the decks of a chunk; an undecided one is kept with its cards."""
    parameters, method = parse_parameters(chunk.parameters["game"]), chunk.settings["method"]
    limits = Limits(width=chunk.settings["width"], conflicts=chunk.settings["conflicts"])
    rows = []
    for number in chunk.numbers:
        deck = random_deck(parameters, chunk.seed, number)
        verdict = solve(deck, method=method, limits=limits).verdict
        is_settled = verdict is not Verdict.UNKNOWN
        rows.append(Row(number, str(verdict), is_settled, "" if is_settled else write_deck(deck)))
    return rows


def share(store: Store) -> Share:
    """What a store holds."""
    tally = store.tally({})
    return Share(*(tally.get(f'"{verdict}"', 0) for verdict in Verdict))


def table(store: Store) -> list[dict[str, Json]]:
    """The row of a report."""
    return [share(store).record()]


WINNABLE = Kind("decks", run, table)
