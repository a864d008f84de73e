"""Published results of players: de Jong (2021, Figures 9 and 10), shares of tasks completed in 50 games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from crewsolve.agents import line_up
from crewsolve.agents.monte_carlo import MonteCarlo
from crewsolve.experiments.description import Json

SOURCE = "de Jong 2021, Figure 9"

GAMES = 50
"""Games behind each published point."""

_SETTING = {"deck": "4x9+4", "seats": 4, "free": False, "leader": "holder", "rules": ""}
_PLAYOUTS = 100
_NAMES = {"true": "cheating", "blind": "ignorant", "consistent": "smart"}


def published_shares(parameters: Mapping[str, Json], players: str) -> dict[int, float]:
    """The published share of tasks completed by number of tasks, empty where nothing is published.

    >>> setting = {"deck": "4x9+4", "seats": 4, "free": False, "leader": "holder", "rules": ""}
    >>> published_shares(setting, "smart:playouts=100")[2]
    0.55
    """
    if dict(parameters) != _SETTING:
        return {}
    agents = {player.cards for player in line_up(players, 4)}
    agent = agents.pop()
    if agents or not isinstance(agent, MonteCarlo) or agent != MonteCarlo(agent.hands, _PLAYOUTS):
        return {}
    return {tasks: share / 100 for tasks, share in figure("fig9")[_NAMES[agent.hands]]}


@cache
def figure(name: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of `fig9` (100 playouts per card) or `fig10` (half a second per card), in per cent."""
    text = (files("crewsolve") / "data" / "de_jong_figures.json").read_text(encoding="utf-8")
    found = json.loads(text)[name]
    assert isinstance(found, dict)
    return found
