"""What a tournament's store says: shares with intervals, and line-ups compared game by game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from crewsolve.errors import CrewError
from crewsolve.experiments.description import Json
from crewsolve.experiments.statistics import INTERVALS, Interval, holm, mcnemar, wilson
from crewsolve.experiments.store import Store

NORMAL_95 = 1.959963984540054
"""The normal distribution has 95 % within so many deviations."""

SCORE_COLUMNS = (
    "players", "tasks", "games", "won", "won_share", "won_low", "won_high", "done", "done_share", "done_low",
    "done_high",
)  # fmt: skip
PAIR_COLUMNS = ("first", "second", "tasks", "games", "first_only", "second_only", "p", "adjusted")


@dataclass(frozen=True, slots=True)
class Score:
    """A line-up at one number of tasks: games won and tasks done, each share with its 95 % interval.

    `done_spread` is the standard deviation of the share of tasks done in one game.
    """

    players: str
    tasks: int
    games: int
    won: int
    done: int
    won_interval: Interval
    done_interval: Interval
    done_spread: float

    @property
    def won_share(self) -> float:
        """The share of games won."""
        return self.won / self.games

    @property
    def done_share(self) -> float:
        """The share of tasks completed."""
        return self.done / (self.games * self.tasks)

    def record(self) -> dict[str, Json]:
        """The score as a row of a report, shares rounded to six places."""
        shares = {
            "won_share": self.won_share, "won_low": self.won_interval[0], "won_high": self.won_interval[1],
            "done_share": self.done_share, "done_low": self.done_interval[0],
            "done_high": self.done_interval[1],
        }  # fmt: skip
        rounded = {name: round(value, 6) for name, value in shares.items()}
        return {name: rounded[name] if name in rounded else getattr(self, name) for name in SCORE_COLUMNS}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two line-ups on the games both have played: in how many just one of them won.

    `tasks` is None where all numbers of tasks are taken together; `p` is that of McNemar's exact test,
    `adjusted` is Holm's adjustment of it for all pairs of the same list.
    """

    first: str
    second: str
    tasks: int | None
    games: int
    first_only: int
    second_only: int
    p: float
    adjusted: float

    def record(self) -> dict[str, Json]:
        """The pair as a row of a report."""
        rounded = {"p": float(f"{self.p:.6g}"), "adjusted": float(f"{self.adjusted:.6g}")}
        return {name: rounded.get(name, getattr(self, name)) for name in PAIR_COLUMNS}


@dataclass(frozen=True)
class Standings:
    """All scores of a store, and the pairs: for each number of tasks, and over all of them."""

    parameters: dict[str, Json]
    seed: int
    scores: tuple[Score, ...]
    pairs: tuple[Pair, ...]
    overall: tuple[Pair, ...]
    unfinished: int
    reproducible: bool

    @property
    def line_ups(self) -> list[str]:
        """The line-ups in the order they entered."""
        return list(dict.fromkeys(score.players for score in self.scores))

    @property
    def title(self) -> str:
        """What was played, in a few words."""
        words = [self.parameters["deck"], f"{self.parameters['seats']} seats"]
        words.append("free tasks" if self.parameters["free"] else "fixed tasks")
        return ", ".join([*words, *([self.parameters["rules"]] if self.parameters["rules"] else [])])

    def of(self, players: str) -> list[Score]:
        """The scores of a line-up by number of tasks."""
        return [score for score in self.scores if score.players == players]

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        found = []
        if not self.reproducible:
            found.append("not reproducible: players thought by the clock")
        if self.unfinished:
            found.append(f"unfinished: {self.unfinished} games are still to be played")
        return found


def read_standings(store: Store, *, interval: str = "wilson") -> Standings:
    """The standings of a tournament's store."""
    identity = store.identity
    if identity["kind"] != "arena":
        raise CrewError(f"{store.name}: holds an experiment of kind {identity['kind']!r}, not a tournament")
    cells = store.cells()
    scores = [_score(cell, store.tally(cell), interval) for cell, _ in cells]
    played = sum(score.games for score in scores)
    won: Outcomes = {(cell["tasks"], cell["players"]): _won(store, cell) for cell, _ in cells}
    order = {players: place for place, players in enumerate(dict.fromkeys(s.players for s in scores))}
    return Standings(
        identity["parameters"],
        identity["seed"],
        tuple(sorted((s for s in scores if s.games), key=lambda s: (order[s.players], s.tasks))),
        tuple(paired(won, list(order))),
        tuple(paired(_pooled(won), list(order))),
        max(0, sum(items for _, items in cells) - played),
        store.reproducible,
    )


def _score(cell: dict[str, Json], tally: Counter[str], interval: str) -> Score:
    games = won = 0
    done: Counter[int] = Counter()
    for text, count in tally.items():
        value = json.loads(text)
        games += count
        won += count * value["won"]
        done[value["done"]] += count
    tasks = cell["tasks"]
    total = sum(number * count for number, count in done.items())
    return Score(
        cell["players"], tasks, games, won, total, INTERVALS[interval](won, games),
        mean_interval(done, tasks), spread(done, tasks),
    )  # fmt: skip


def mean_interval(done: Counter[int], tasks: int) -> Interval:
    """The normal 95 % interval for the share of tasks done, from the shares of the single games.

    Tasks of one game stand and fall together, so the game is what is counted. Where all games went alike
    there is no spread to measure, and Wilson's interval for so many games takes its place.

    >>> [round(end, 3) for end in mean_interval(Counter({0: 50, 2: 50}), 2)]
    [0.402, 0.598]
    """
    games = done.total()
    if len(done) < 2:
        return _around(next(iter(done), 0) / tasks, games)
    mean = sum(count * number for number, count in done.items()) / (games * tasks)
    half = NORMAL_95 * spread(done, tasks) / sqrt(games)
    return max(0.0, mean - half), min(1.0, mean + half)


def spread(done: Counter[int], tasks: int) -> float:
    """The standard deviation of the share of tasks done in one game.

    >>> round(spread(Counter({0: 50, 2: 50}), 2), 3)
    0.503
    """
    games = done.total()
    if games < 2:
        return 0.0
    mean = sum(count * number for number, count in done.items()) / games
    return sqrt(sum(count * (number - mean) ** 2 for number, count in done.items()) / (games - 1)) / tasks


def _around(share: float, games: int) -> Interval:
    """Wilson's interval for the nearest count of games, widened to hold the share itself."""
    low, high = wilson(round(share * games), games)  # 0 to 1 without a game
    return min(low, share), max(high, share)


Games = dict[tuple[int, int], bool]
"""Which games, by (tasks, number), were won."""

Outcomes = dict[tuple[int | None, str], Games]
"""The games by number of tasks (None: all) and line-up."""


def _won(store: Store, cell: dict[str, Json]) -> Games:
    return {(cell["tasks"], row.number): row.value["won"] for row in store.rows(cell)}


def _pooled(won: Outcomes) -> Outcomes:
    together: Outcomes = {}
    for (_, players), games in won.items():
        together.setdefault((None, players), {}).update(games)
    return together


def paired(won: Outcomes, order: Sequence[str]) -> list[Pair]:
    """Every two line-ups on their common games, adjusted for all comparisons made here."""
    found: list[tuple[str, str, int | None, int, int, int]] = []
    numbers = list(dict.fromkeys(tasks for tasks, _ in won))
    for one, other in combinations(order, 2):
        for tasks in numbers:
            left, right = won.get((tasks, one), {}), won.get((tasks, other), {})
            common = left.keys() & right.keys()
            if common:
                only = sum(left[game] and not right[game] for game in common)
                other_only = sum(right[game] and not left[game] for game in common)
                found.append((one, other, tasks, len(common), only, other_only))
    values = [mcnemar(row[4], row[5]) for row in found]
    return [Pair(*row, p, q) for row, p, q in zip(found, values, holm(values), strict=True)]
