"""Many games on the common engine: one item is a block of random decks, one cell a player.

All players of a store meet the same decks: block k of a seed holds its decks k * block, k * block + 1, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, sqrt

from crewsolve.experiments import Cell, Chunk, Experiment, Kind, Row, Store
from crewsolve.experiments.description import Json
from crewsolve.experiments.statistics import Interval, wilson
from crewsolve.thegame.model import DEFAULT, Parameters
from crewsolve.thegame.notation import parse_parameters
from crewsolve.thegame.playing import Player
from crewsolve.thegame.strategies import Strategy, get_strategy

BLOCK = 1000
"""Games in an item, where their number allows."""


@dataclass(frozen=True)
class Sample:
    """What became of many games of one player."""

    strategy: str
    depth: int
    remaining: dict[int, int]  # cards remaining -> games
    tricks: int  # backwards tricks over all games
    winners_tricks: int
    course: tuple[tuple[tuple[int, int], ...], ...]  # [turn][pile, sorted by progress] sum and sum of squares

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.remaining.values())

    @property
    def wins(self) -> int:
        """The number of games with no card remaining."""
        return self.remaining.get(0, 0)

    @property
    def win_rate(self) -> float:
        """The share of won games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's interval for the share of won games."""
        return wilson(self.wins, self.games)

    @property
    def mean_remaining(self) -> float:
        """The mean number of cards remaining."""
        return sum(cards * games for cards, games in self.remaining.items()) / max(self.games, 1)

    @property
    def error_remaining(self) -> float:
        """The standard error of that mean."""
        if self.games < 2:
            return 0.0
        mean = self.mean_remaining
        squares = sum(games * (cards - mean) ** 2 for cards, games in self.remaining.items())
        return sqrt(squares / (self.games - 1) / self.games)

    def record(self) -> dict[str, Json]:
        """The row of a report."""
        low, high = self.interval
        return {
            "strategy": self.strategy,
            "depth": self.depth,
            "games": self.games,
            "wins": self.wins,
            "win_rate": round(self.win_rate, 6),
            "low": round(low, 6),
            "high": round(high, 6),
            "remaining": round(self.mean_remaining, 4),
            "remaining_error": round(self.error_remaining, 4),
            "below_10": sum(games for cards, games in self.remaining.items() if cards < 10),
            "tricks": round(self.tricks / max(self.games, 1), 3),
            "tricks_of_winners": round(self.winners_tricks / self.wins, 3) if self.wins else None,
        }


def simulation(
    players: Sequence[tuple[Strategy, int]],
    *,
    games: int,
    seed: int,
    parameters: Parameters = DEFAULT,
    ties: str = "first",
) -> Experiment:
    """The experiment that plays `games` random decks with each strategy at its depth."""
    for strategy, depth in players:
        Player(strategy, parameters, depth, ties)  # refuses what cannot be played before anything runs
    block = gcd(games, BLOCK)
    identity = {"game": str(parameters), "ties": ties, "block": block}
    cells = tuple(
        Cell({"strategy": str(strategy), "depth": depth}, games // block) for strategy, depth in players
    )
    return Experiment("thegame", seed, identity, cells)


def run(chunk: Chunk) -> list[Row]:
    """Play the blocks of a chunk."""
    player = Player(
        get_strategy(chunk.cell["strategy"]),
        parse_parameters(chunk.parameters["game"]),
        chunk.cell["depth"],
        chunk.parameters["ties"],
    )
    block = chunk.parameters["block"]
    return [Row(number, play_block(player, chunk.seed, number * block, block)) for number in chunk.numbers]


def play_block(player: Player, seed: int, first: int, count: int) -> dict[str, Json]:
    """Play a block and sum it up."""
    import numpy as np

    laid, tricks, codes = player.play_random(seed, first, count)
    size = player.parameters.size
    remaining = np.bincount(size - laid, minlength=1)
    won = laid == size
    return {
        "remaining": {str(cards): int(games) for cards, games in enumerate(remaining) if games},
        "tricks": int(tricks.sum()),
        "winners_tricks": int(tricks[won].sum()),
        "course": _course(player.parameters, codes[won]),
    }


def _course(parameters: Parameters, codes: Json) -> list[list[list[int]]]:
    """Sums and sums of squares of the tops before each turn of won games, the advanced pile first."""
    import numpy as np

    if not len(codes):
        return []
    cards, piles = codes // parameters.piles + parameters.low, codes % parameters.piles
    tops = np.tile(np.array(parameters.empty_tops, np.int64), (len(codes), 1))
    course = []
    for move in range(parameters.size + 1):
        if move % parameters.turn == 0:
            up = -np.sort(-tops[:, : parameters.up], axis=1)
            down = np.sort(tops[:, parameters.up :], axis=1)
            both = np.concatenate([up, down], axis=1)
            sums, squares = both.sum(axis=0).tolist(), (both * both).sum(axis=0).tolist()
            course.append([list(pair) for pair in zip(sums, squares, strict=True)])
        if move < parameters.size:
            tops[np.arange(len(codes)), piles[:, move]] = cards[:, move]
    return course


def samples(store: Store) -> list[Sample]:
    """What a store holds, one sample for each player."""
    return [_sample(cell, [row.value for row in store.rows(cell)]) for cell, _ in store.cells()]


def _sample(cell: dict[str, Json], blocks: list[Json]) -> Sample:
    remaining: dict[int, int] = {}
    course: list[list[list[int]]] = []
    for block in blocks:
        for cards, games in block["remaining"].items():
            remaining[int(cards)] = remaining.get(int(cards), 0) + games
        course = _added(course, block["course"]) if course and block["course"] else course or block["course"]
    return Sample(
        cell["strategy"],
        cell["depth"],
        dict(sorted(remaining.items())),
        sum(block["tricks"] for block in blocks),
        sum(block["winners_tricks"] for block in blocks),
        tuple(tuple((pair[0], pair[1]) for pair in turn) for turn in course),
    )


def _added(left: list[list[list[int]]], right: list[list[list[int]]]) -> list[list[list[int]]]:
    return [
        [[a + b for a, b in zip(one, two, strict=True)] for one, two in zip(first, second, strict=True)]
        for first, second in zip(left, right, strict=True)
    ]


def table(store: Store) -> list[dict[str, Json]]:
    """The rows of a report."""
    return [sample.record() for sample in samples(store)]


THEGAME = Kind("blocks", run, table)
