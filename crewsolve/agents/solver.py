"""The solver as a player with hidden hands, as GIB did for bridge (Ginsberg 2001).

It draws hands that agree with all it knows and asks the exact search for the legal cards in how many of them
the game can still be won. That alone says little while nearly every card keeps nearly every deal winnable: a
win needs partners who find the line without seeing the hands. So the same drawn hands are also played out by
four seats that know only their own cards and play as a team, and both counts decide together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from crewsolve.agents.hidden import consistent_tables
from crewsolve.agents.player import Offer, Sight
from crewsolve.agents.rule_based import tactical_score
from crewsolve.agents.vectors import generator, suits_vector
from crewsolve.cards import Card, CardSet, Deck
from crewsolve.encodings.boards import pattern_of
from crewsolve.kernels.keeping import count_lost
from crewsolve.kernels.policies import TEAMWORK
from crewsolve.kernels.rollouts import score_moves
from crewsolve.kernels.table import COLUMNS
from crewsolve.randomness import Stream
from crewsolve.rules import Rules
from crewsolve.view import View

NODES = 250
"""Cards the search may try for one drawn deal; what stays undecided counts as given away."""

LOST_PLACES = 1 << 14
"""Places of the table of lost positions."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A card in the eyes of the solver player.

    `winnable` is the share of drawn deals that can still be won after it, `won` that of the team playouts
    that were won, `undone` the tasks these left on average; the least `cost` is played.
    """

    card: Card
    winnable: float
    won: float
    undone: float
    cost: float


@dataclass(frozen=True)
class HiddenSolver:
    """Solves `worlds` drawn deals and plays `playouts` team games for the legal cards.

    A card costs the tasks its team games leave undone on average, plus `weight` times the share of drawn
    deals in which it gives the win away; the cheapest card is played. With `strict` the tasks done in the
    trick that loses a team game count as undone.
    """

    worlds: int = 20
    playouts: int = 200
    weight: float = 1.0
    strict: bool = False
    open_hands = False

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """The cheapest card."""
        legal = sight.view.legal
        if len(legal) == 1:
            return next(iter(legal))
        tables = consistent_tables(sight, max(self.worlds, self.playouts), stream)
        undone = [(card, score[1] / self.playouts) for card, score in self._rated(sight, tables, stream)]
        return cheapest(sight, undone, tables[: self.worlds], self.weight)

    def opinions(self, sight: Sight, stream: Stream) -> list[Opinion]:
        """What it thinks of every legal card, the card it would choose first."""
        view = sight.view
        tables = consistent_tables(sight, max(self.worlds, self.playouts), stream)
        drawn, workspace = tables[: self.worlds], Workspace.of(view)
        found = []
        for card, (won, undone, _) in self._rated(sight, tables, stream):
            losses = workspace.losses(drawn, view.deck.bit(card), enough=self.worlds)
            cost = undone / self.playouts + self.weight / self.worlds * losses
            winnable, team = (self.worlds - losses) / self.worlds, won / self.playouts
            found.append(Opinion(card, winnable, team, undone / self.playouts, cost))
        return sorted(found, key=lambda opinion: opinion.cost)

    def _rated(self, sight: Sight, tables: Any, stream: Stream) -> list[tuple[Card, list[int]]]:
        """The legal cards with the sums of their team playouts, those that leave least undone first."""
        legal = sight.view.legal
        scores = team_scores(sight, legal, tables[: self.playouts], stream, strict=self.strict)
        return sorted(zip(legal, scores, strict=True), key=lambda pair: (pair[1][1], -pair[1][2]))


def cheapest(sight: Sight, undone: Sequence[tuple[Card, float]], tables: Any, weight: float) -> Card:
    """The card with the least cost; `undone` comes in rising order.

    A card is given up as soon as its losses make it dearer than the best so far, and the cards after one that
    is dearer without any loss need not be looked at: the answer is that of counting everything.
    """
    workspace = Workspace.of(sight.view)
    price = weight / len(tables)
    best, least = undone[0][0], float("inf")
    for card, base in undone:
        if base >= least:
            break
        enough = len(tables) if least == float("inf") else int((least - base) / price)
        cost = base + price * workspace.losses(tables, sight.view.deck.bit(card), enough=enough)
        if cost < least:
            best, least = card, cost
    return best


class Workspace:
    """Arrays of the search, kept between moves; stamps tell the lost positions of different tables apart."""

    def __init__(self, deck: Deck, seats: int, rules: Rules) -> None:
        self.pattern = pattern_of(deck, seats, rules)
        self.lost = np.zeros((LOST_PLACES, COLUMNS), np.int64)
        self.stamp = 1

    @classmethod
    def of(cls, view: View) -> Workspace:
        """The workspace of a game, made once in a process."""
        return _workspace(view.deck, view.seats, view.rules)

    def losses(self, tables: Any, card_mask: int, *, enough: int) -> int:
        """In how many tables the card gives the win away; any number above `enough` where it is more."""
        count = count_lost(tables, card_mask, self.pattern, self.lost, self.stamp, NODES, enough)
        self.stamp += len(tables)
        return int(count)

    def lost_tables(self, tables: Any, *, enough: int) -> int:
        """How many tables cannot be won or stay undecided; any number above `enough` where it is more."""
        return self.losses(tables, 0, enough=enough)


@lru_cache(maxsize=8)
def _workspace(deck: Deck, seats: int, rules: Rules) -> Workspace:
    return Workspace(deck, seats, rules)


def team_scores(
    sight: Sight, legal: CardSet, tables: Any, stream: Stream, *, strict: bool
) -> list[list[int]]:
    """For every legal card: games won, tasks left and tricks played, summed over team playouts."""
    view = sight.view
    scores = np.zeros((len(legal), 3), dtype=np.int64)
    suits, anytime = suits_vector(view.deck), view.rules.trumps_anytime
    rng = generator(stream)
    score_moves(tables, legal.mask, view.seats, suits, anytime, TEAMWORK, 1, strict, rng, scores)
    result: list[list[int]] = scores.tolist()
    return result


@dataclass(frozen=True)
class HiddenSolverTasks:
    """Takes the task that leaves most drawn deals winnable when the other tasks fall at random."""

    worlds: int = 30
    open_hands = False

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """The task with the fewest lost deals; the tactical score breaks ties."""
        if len(offer.untaken) == 1:
            return next(iter(offer.untaken))
        tables = consistent_tables(offer, self.worlds, stream)
        workspace = Workspace.of(offer.view)
        cards = by_tactics(offer)
        best, least = cards[0], len(tables) + 1
        for card in cards:
            divided = divide_at_random(offer, card, tables, stream)
            losses = workspace.lost_tables(divided, enough=least - 1)
            if losses < least:
                best, least = card, losses
        return best

    def opinions(self, offer: Offer, stream: Stream) -> list[tuple[Card, float]]:
        """Every task with the share of drawn deals that stay winnable, the best first."""
        tables = consistent_tables(offer, self.worlds, stream)
        workspace = Workspace.of(offer.view)
        found = []
        for card in by_tactics(offer):
            losses = workspace.lost_tables(divide_at_random(offer, card, tables, stream), enough=self.worlds)
            found.append((card, (self.worlds - losses) / self.worlds))
        return sorted(found, key=lambda pair: -pair[1])


def by_tactics(offer: Offer) -> list[Card]:
    """The untaken tasks, those that fit the hand best first."""
    return sorted(offer.untaken, key=lambda card: -tactical_score(card, offer.view.hand))


def divide_at_random(offer: Offer, card: Card, tables: Any, stream: Stream) -> Any:
    """The tables with `card` given to this seat and the other untaken tasks to seats drawn for each table."""
    view = offer.view
    deck, seats = view.deck, view.seats
    picks = [seat for seat, count in enumerate(offer.picks) for _ in range(count)]
    picks.remove(view.seat)
    others = [deck.bit(other) for other in offer.untaken if other != card]
    divided = tables.copy()
    for table in divided:
        table[seats + view.seat] |= deck.bit(card)
        for mask, owner in zip(others, stream.shuffled(picks), strict=True):
            table[seats + owner] |= mask
    return divided
