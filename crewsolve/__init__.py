"""crewsolve: the double-dummy solver of cooperative card games.

The public names are here. Those that lead to solvers are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from crewsolve.cards import Card, CardSet, Deck
from crewsolve.deal import Deal, random_deal, random_deals
from crewsolve.result import Result, Verdict
from crewsolve.rules import Rules, legal_plays, trick_winner
from crewsolve.simulator import Playout, Position, View, replay, verify
from crewsolve.tasks import FixedTasks, FreeTasks

if TYPE_CHECKING:
    from crewsolve.solving import (
        analyse,
        count_lines,
        enumerate_lines,
        explain,
        perft,
        review,
        solve,
        solve_many,
    )

__version__ = "0.1.0"

__all__ = [
    "Card",
    "CardSet",
    "Deal",
    "Deck",
    "FixedTasks",
    "FreeTasks",
    "Playout",
    "Position",
    "Result",
    "Rules",
    "Verdict",
    "View",
    "analyse",
    "count_lines",
    "enumerate_lines",
    "explain",
    "legal_plays",
    "perft",
    "random_deal",
    "random_deals",
    "replay",
    "review",
    "solve",
    "solve_many",
    "trick_winner",
    "verify",
]

_LAZY = dict.fromkeys(
    ("analyse", "count_lines", "enumerate_lines", "explain", "perft", "review", "solve", "solve_many"),
    "crewsolve.solving",
)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
