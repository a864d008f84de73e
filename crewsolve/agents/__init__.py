"""Players for hidden and open hands: one interface, one table of names.

A player is written `CARDS` or `TASKS/CARDS`, each an agent's name with options: `smart`, `tactical/uct`,
`random/smart:playouts=500`, `uct:scoring=standard:playouts=2000`. Help, tests and tournaments read the two
tables below.
"""

from __future__ import annotations

import dataclasses
import importlib
import types
import typing
from dataclasses import dataclass
from typing import Any

from crewsolve.agents.player import CardAgent, Offer, Player, Sight, TaskAgent
from crewsolve.errors import CrewError, UnknownName

__all__ = ["CARD_AGENTS", "TASK_AGENTS", "Entry", "Offer", "Player", "Sight", "get_player", "line_up"]


@dataclass(frozen=True)
class Entry:
    """A row of the tables: "module:class", what is preset, and one line for the help."""

    target: str
    about: str
    preset: tuple[tuple[str, Any], ...] = ()

    def factory(self) -> Any:
        """The agent's class, imported on first use."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    @property
    def open_hands(self) -> bool:
        """Whether the agent must see all hands."""
        return bool(self.factory()(**dict(self.preset)).open_hands)

    def options(self) -> dict[str, Any]:
        """What may be set, with the defaults."""
        preset = dict(self.preset)
        return {f.name: f.default for f in dataclasses.fields(self.factory()) if f.name not in preset}


_RULES = "crewsolve.agents.rule_based"
_MONTE_CARLO = "crewsolve.agents.monte_carlo:MonteCarlo"
_TREE = "crewsolve.agents.tree_search:TreeSearch"
_SOLVER = "crewsolve.agents.solver"

CARD_AGENTS: dict[str, Entry] = {
    "random": Entry(f"{_RULES}:RandomCards", "any legal card"),
    "random-smart": Entry(
        f"{_RULES}:RandomSmart", "random, but high for own tasks in the trick, low for others'"
    ),
    "ignorant": Entry(_MONTE_CARLO, "playouts on hands dealt at random", (("hands", "blind"),)),
    "smart": Entry(_MONTE_CARLO, "playouts on hands that agree with all shown", (("hands", "consistent"),)),
    "smart-biased": Entry(_MONTE_CARLO, "smart on hands drawn with a bias", (("hands", "selected"),)),
    "cheating": Entry(_MONTE_CARLO, "playouts on the true hands (open)", (("hands", "true"),)),
    "pmc": Entry(
        _TREE, "pure Monte Carlo on the true hands (open)", (("selection", "pure"), ("hands", "true"))
    ),
    "uct": Entry(
        _TREE, "tree search with UCT on the true hands (open)", (("selection", "uct"), ("hands", "true"))
    ),
    "pmc-hidden": Entry(
        _TREE, "pure Monte Carlo on drawn hands", (("selection", "pure"), ("hands", "consistent"))
    ),
    "uct-hidden": Entry(
        _TREE, "tree search with UCT on drawn hands", (("selection", "uct"), ("hands", "consistent"))
    ),
    "solver": Entry(f"{_SOLVER}:HiddenSolver", "keeps drawn deals winnable, and plays as a team"),
    "solver-open": Entry(f"{_SOLVER}_open:OpenSolver", "follows the exact solver's line (open)"),
}

TASK_AGENTS: dict[str, Entry] = {
    "random": Entry(f"{_RULES}:RandomTasks", "any task"),
    "tactical": Entry(f"{_RULES}:Tactical", "the task that fits the own hand best"),
    "pmc": CARD_AGENTS["pmc"],
    "uct": CARD_AGENTS["uct"],
    "pmc-hidden": CARD_AGENTS["pmc-hidden"],
    "uct-hidden": CARD_AGENTS["uct-hidden"],
    "solver": Entry(f"{_SOLVER}:HiddenSolverTasks", "the task that keeps most drawn deals winnable"),
    "solver-open": Entry(f"{_SOLVER}_open:OpenSolverTasks", "a task of a winnable division (open)"),
}

DEFAULT_TASKS = "random"
"""Who takes free tasks where a player names no task agent."""


def get_player(text: str) -> Player:
    """The player that `text` describes.

    >>> get_player("tactical/smart:playouts=50").cards
    MonteCarlo(hands='consistent', playouts=50, seconds=None, strict=False, worlds=None)
    """
    tasks, slash, cards = text.strip().rpartition("/")
    task_agent: TaskAgent = _build("task agent", tasks if slash else DEFAULT_TASKS, TASK_AGENTS)
    card_agent: CardAgent = _build("player", cards, CARD_AGENTS)
    return Player(text.strip(), task_agent, card_agent)


def line_up(text: str, seats: int) -> tuple[Player, ...]:
    """The players of a whole table: one for all seats, or one for each, separated by commas."""
    names = text.split(",")
    if len(names) not in (1, seats):
        raise CrewError(
            f"{len(names)} players in {text!r} for {seats} seats: give one for all, or one for each"
        )
    players = [get_player(name) for name in names]
    return tuple(players * seats if len(players) == 1 else players)


def _build(kind: str, text: str, table: dict[str, Entry]) -> Any:
    name, *options = text.split(":")
    if name not in table:
        raise UnknownName(kind, name, table)
    entry = table[name]
    factory = entry.factory()
    preset = dict(entry.preset)
    hints = typing.get_type_hints(factory)
    known = {f.name: hints[f.name] for f in dataclasses.fields(factory) if f.name not in preset}
    for option in options:
        key, equals, value = option.partition("=")
        if key not in known:
            raise UnknownName(f"option of {name}", key, known)
        preset[key] = _value(f"{name}:{option}", known[key], value, bool(equals))
    return factory(**preset)


def _value(place: str, hint: Any, text: str, given: bool) -> Any:
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    kind = next(k for k in kinds if k is not type(None))
    if kind is bool and not given:
        return True
    try:
        value = kind(text)
    except ValueError:
        raise CrewError(f"{place}: {text!r} is no {kind.__name__}") from None
    if kind in (int, float) and value <= 0:
        raise CrewError(f"{place}: give a number above 0")
    return value
