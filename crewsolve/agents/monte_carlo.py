"""De Jong's Monte Carlo players (2021, section 5): cheating, ignorant and smart.

Every legal card is tried in the same number of random playouts. A playout is scored by the tasks left to do
(fewer is better), then by the tricks played before the end (more is better); of equal cards the first wins.
The three players differ only in the hands they play out: the true ones, any that have the right sizes, or
uniformly drawn ones that agree with all that is known. A fourth, `smart-biased`, draws such hands by uniform
selection (section 5.2.5), which is not uniform: it shows what the bias of a sampler costs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from crewsolve.agents.hidden import blind_tables, consistent_tables, selected_tables, true_tables
from crewsolve.agents.player import Sight
from crewsolve.agents.vectors import generator, suits_vector
from crewsolve.cards import Card, CardSet
from crewsolve.randomness import Stream
from crewsolve.view import View

Tables = Callable[[Sight, int, Stream], Any]

HANDS: dict[str, Tables] = {
    "true": true_tables,
    "blind": blind_tables,
    "consistent": consistent_tables,
    "selected": selected_tables,
}
"""Where the hands of the playouts come from."""

SLICE = 16
"""Playouts per card between two looks at the clock."""


@dataclass(frozen=True)
class MonteCarlo:
    """`playouts` random playouts for every legal card, or as many as fit in `seconds` per legal card.

    With `strict` the tasks done in the trick that loses a playout count as left: a player that counts them is
    drawn to tricks that do several tasks and fail one. With `worlds` so many drawn hands share the playouts
    of a move; by default every playout has hands of its own.
    """

    hands: str
    playouts: int = 100
    seconds: float | None = None
    strict: bool = False
    worlds: int | None = None

    @property
    def open_hands(self) -> bool:
        """Only the cheating player looks at the other hands."""
        return self.hands == "true"

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """The card whose playouts leave the fewest tasks, then last longest, then comes first."""
        legal = sight.view.legal
        if len(legal) == 1:
            return next(iter(legal))
        scores = self.scores(sight, legal, stream)
        best = min(range(len(legal)), key=lambda row: (scores[row][1], -scores[row][2]))
        return list(legal)[best]

    def scores(self, sight: Sight, legal: CardSet, stream: Stream) -> list[list[int]]:
        """For every legal card: games won, tasks left, tricks played, summed over its playouts."""
        import numpy as np

        scores = np.zeros((len(legal), 3), dtype=np.int64)
        rng = generator(stream)
        if self.seconds is None:
            self._add(sight, legal, self.playouts, stream, rng, scores)
        else:
            deadline = time.monotonic() + self.seconds * len(legal)
            while not scores.any() or time.monotonic() < deadline:
                self._add(sight, legal, SLICE, stream, rng, scores)
        result: list[list[int]] = scores.tolist()
        return result

    def _add(self, sight: Sight, legal: CardSet, count: int, stream: Stream, rng: Any, scores: Any) -> None:
        from crewsolve.kernels.policies import UNIFORM
        from crewsolve.kernels.rollouts import score_moves

        view: View = sight.view
        drawn = count if self.worlds is None else min(self.worlds, count)
        tables = HANDS[self.hands](sight, drawn, stream)
        rounds = count // len(tables)
        suits = suits_vector(view.deck)
        score_moves(
            tables, legal.mask, view.seats, suits, view.rules.trumps_anytime, UNIFORM, rounds, self.strict,
            rng, scores,
        )  # fmt: skip
