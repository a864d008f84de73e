"""Published results of players: de Jong (2021, Figures 9 and 10), shares of tasks completed in 50 games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt

from crewsolve.agents import line_up
from crewsolve.agents.monte_carlo import MonteCarlo
from crewsolve.agents.standings import Standings
from crewsolve.experiments.description import Json

GAMES = 50
"""Games behind each published point."""

_SETTING = {"deck": "4x9+4", "seats": 4, "free": False, "leader": "holder", "rules": ""}
_NAMES = {"true": "cheating", "blind": "ignorant", "consistent": "smart"}


@dataclass(frozen=True)
class Published:
    """The share of tasks completed by number of tasks, and where it stands."""

    source: str
    shares: Mapping[int, float]


NOTHING = Published("", {})


@dataclass(frozen=True)
class Deviation:
    """How far the published points of a line-up lie from ours, on average over `points` numbers of tasks.

    `difference` is published minus ours, `z` that difference in standard errors: those of our games and of
    the published ones, taken to spread as ours do; None where no game differs from another.
    """

    players: str
    source: str
    points: int
    difference: float
    z: float | None


def published_shares(parameters: Mapping[str, Json], players: str) -> Published:
    """What is published of a line-up, `NOTHING` where nothing is.

    Figure 10 had half a second for each card. The playouts that were done in that time are not told; 1,000
    stand for it beside the half second itself, since a store that a clock decides cannot be made again.

    >>> setting = {"deck": "4x9+4", "seats": 4, "free": False, "leader": "holder", "rules": ""}
    >>> published_shares(setting, "smart:playouts=100").shares[2]
    0.55
    """
    if dict(parameters) != _SETTING:
        return NOTHING
    agents = {player.cards for player in line_up(players, 4)}
    agent = agents.pop()
    if agents or not isinstance(agent, MonteCarlo) or agent.hands not in _NAMES:
        return NOTHING
    for number, options in ((9, {"playouts": 100}), (10, {"playouts": 1000}), (10, {"seconds": 0.5})):
        if agent == MonteCarlo(agent.hands, **options):
            shares = {tasks: share / 100 for tasks, share in figure(f"fig{number}")[_NAMES[agent.hands]]}
            return Published(f"de Jong 2021, Figure {number}", shares)
    return NOTHING


def deviations(standings: Standings) -> list[Deviation]:
    """Every line-up of which something is published against it."""
    found = []
    for players in standings.line_ups:
        known = published_shares(standings.parameters, players)
        scores = [score for score in standings.of(players) if score.tasks in known.shares]
        if scores:
            total = sum(known.shares[score.tasks] - score.done_share for score in scores)
            error = sqrt(sum(score.done_spread**2 * (1 / score.games + 1 / GAMES) for score in scores))
            z = total / error if error else None
            found.append(Deviation(players, known.source, len(scores), total / len(scores), z))
    return found


@cache
def figure(name: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of `fig9` (100 playouts per card) or `fig10` (half a second per card), in per cent."""
    text = (files("crewsolve") / "data" / "de_jong_figures.json").read_text(encoding="utf-8")
    found = json.loads(text)[name]
    assert isinstance(found, dict)
    return found
