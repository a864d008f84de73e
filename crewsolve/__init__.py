"""crewsolve: the double-dummy solver of cooperative card games.

The public names are here.
"""

from __future__ import annotations

from crewsolve.cards import Card, CardSet, Deck
from crewsolve.deal import Deal, random_deal, random_deals
from crewsolve.result import Result, Verdict
from crewsolve.rules import Rules, legal_plays, trick_winner
from crewsolve.simulator import Playout, Position, View, perft, replay, verify
from crewsolve.tasks import FixedTasks, FreeTasks

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
    "legal_plays",
    "perft",
    "random_deal",
    "random_deals",
    "replay",
    "trick_winner",
    "verify",
]
