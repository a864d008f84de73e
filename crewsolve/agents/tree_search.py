"""Witteveen's Monte Carlo agents (section 4.2): PMC and MCTS-UCT, in both phases of the game.

They see all hands, as published; with `hands=consistent` the same search runs on uniformly drawn hidden
hands instead, `trees` of them sharing the playouts, and the root's scores are added up.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from crewsolve.agents.hidden import consistent_tables, true_tables
from crewsolve.agents.player import Offer, Sight
from crewsolve.agents.vectors import generator, state_vector, suits_vector
from crewsolve.cards import Card, CardSet
from crewsolve.errors import UnknownName
from crewsolve.randomness import Stream

SELECTIONS = ("pure", "uct")
SCORINGS = ("standard", "smart")


@dataclass(frozen=True)
class TreeSearch:
    """`playouts` per move in all, or as many as fit in `seconds`; the move with the highest summed score."""

    selection: str
    hands: str = "true"
    playouts: int = 1000
    scoring: str = "smart"
    trees: int = 20
    seconds: float | None = None
    exploration: float = math.sqrt(2)

    def __post_init__(self) -> None:
        if self.selection not in SELECTIONS:
            raise UnknownName("selection", self.selection, SELECTIONS)
        if self.scoring not in SCORINGS:
            raise UnknownName("scoring", self.scoring, SCORINGS)

    @property
    def open_hands(self) -> bool:
        """As published they see all hands."""
        return self.hands == "true"

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """The legal card with the highest score."""
        return self._choose(sight, sight.view.legal, stream, {})

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """The untaken task with the highest score."""
        task_phase = {"untaken": offer.untaken.mask, "picker": offer.view.seat, "picks": offer.picks}
        return self._choose(offer, offer.untaken, stream, task_phase)

    def _choose(
        self, sight: Sight | Offer, moves: CardSet, stream: Stream, task_phase: dict[str, Any]
    ) -> Card:
        if len(moves) == 1:
            return next(iter(moves))
        value = self._search(sight, stream, task_phase)
        scores = {card: int(value[moves.deck.index(card)]) for card in moves}
        best = max(scores.values())
        equals = [card for card, score in scores.items() if score == best]
        return equals[stream.below(len(equals))]

    def _search(self, sight: Sight | Offer, stream: Stream, task_phase: dict[str, Any]) -> Any:
        import numpy as np

        value, visits = np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64)
        rng = generator(stream)
        if self.seconds is None:
            self._add(sight, self.playouts, stream, rng, task_phase, value, visits)
            return value
        deadline = time.monotonic() + self.seconds
        # A tree cannot be continued, so the clock is filled with trees of the size of one budget.
        while not visits.any() or time.monotonic() < deadline:
            self._add(sight, self.playouts, stream, rng, task_phase, value, visits)
        return value

    def _add(
        self, sight: Sight | Offer, playouts: int, stream: Stream, rng: Any, task_phase: dict[str, Any],
        value: Any, visits: Any,
    ) -> None:  # fmt: skip
        from crewsolve.kernels.policies import UNIFORM
        from crewsolve.kernels.tree import pure, uct

        view = sight.view
        anytime, suits = view.rules.trumps_anytime, suits_vector(view.deck)
        trees = 1 if self.open_hands else max(1, min(self.trees, playouts))
        tables = (true_tables if self.open_hands else consistent_tables)(sight, trees, stream)
        total = len(view.tasks) + int(task_phase.get("untaken", 0)).bit_count()
        scoring = SCORINGS.index(self.scoring)
        share, more = divmod(playouts, trees)
        for number, table in enumerate(tables):
            state = state_vector(table, **task_phase)
            count = share + (number < more)
            common = (state, view.seats, suits, anytime, UNIFORM, scoring, total, count)
            if self.selection == "uct":
                uct(*common, self.exploration, rng, value, visits)
            else:
                pure(*common, rng, value, visits)
