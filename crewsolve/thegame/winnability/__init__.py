"""Can a known deck be won at all? One player who sees the order of the deck, rules of Dietrich 2.3.

Three unlike methods: an exhaustive search (exact, small games), a CP-SAT model (exact, where it ends in time)
and a beam search that finds wins quickly but proves nothing. Every win is a game that the judge has replayed.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from crewsolve.errors import CrewError, UnknownName, WrongPlayout
from crewsolve.result import Verdict
from crewsolve.thegame.simulator import Deck, Game

METHODS: dict[str, str] = {  # name -> "module:function", imported on first use; the first is the default
    "auto": "crewsolve.thegame.winnability:_auto",
    "finder": "crewsolve.thegame.winnability.finder:solve",
    "cpsat": "crewsolve.thegame.winnability.cpsat:solve",
    "exhaustive": "crewsolve.thegame.winnability.exhaustive:solve",
}


@dataclass(frozen=True)
class Limits:
    """How hard to look: states of the search, width of the beam, conflicts and seconds of the model."""

    states: int | None = 2_000_000
    width: int = 3000
    conflicts: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("states", "width", "conflicts", "seconds"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise CrewError(f"the limit on {name} must be positive, not {value}")


@dataclass(frozen=True)
class Answer:
    """The verdict on a deck; a win comes with a replayed game."""

    deck: Deck
    verdict: Verdict
    method: str
    game: Game | None = None
    reason: str = ""
    seconds: float = 0.0


def solve(deck: Deck, *, method: str = "auto", limits: Limits | None = None) -> Answer:
    """Decide whether the deck can be won; a win is replayed by the judge before it leaves."""
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    module, _, attribute = METHODS[method].partition(":")
    function: Callable[[Deck, Limits], Answer] = getattr(importlib.import_module(module), attribute)
    started = time.perf_counter()
    answer = function(deck, Limits() if limits is None else limits)
    if answer.verdict is Verdict.WINNABLE and (answer.game is None or not answer.game.is_won):
        raise WrongPlayout(f"{answer.method} calls a deck winnable without a winning game: {deck}")
    return replace(answer, seconds=time.perf_counter() - started)


def _auto(deck: Deck, limits: Limits) -> Answer:
    """The finder first; what it cannot win goes to the exhaustive search when small, else to the model."""
    from crewsolve.thegame.winnability import cpsat, exhaustive, finder

    answer = finder.solve(deck, limits)
    if answer.verdict is Verdict.UNKNOWN and deck.parameters.size <= 24:
        answer = exhaustive.solve(deck, limits)
    if answer.verdict is Verdict.UNKNOWN:
        seconds = 60.0 if limits.seconds is None and limits.conflicts is None else limits.seconds
        answer = cpsat.solve(deck, replace(limits, seconds=seconds))
    return answer
