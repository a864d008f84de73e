"""Agents that follow a rule, in playing and in task taking (Witteveen, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from crewsolve.agents.player import Offer, Sight
from crewsolve.cards import Card, CardSet
from crewsolve.randomness import Stream
from crewsolve.tasks import FixedTasks
from crewsolve.view import View


def draw(cards: CardSet, stream: Stream) -> Card:
    """One card, uniformly."""
    return list(cards)[stream.below(len(cards))]


@dataclass(frozen=True)
class RandomCards:
    """Any legal card (Algorithm 3)."""

    open_hands = False

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """A uniformly random legal card."""
        return draw(sight.view.legal, stream)


@dataclass(frozen=True)
class RandomSmart:
    """Random, but high on a trick with an own task and low on a trick with somebody else's (Algorithm 4)."""

    open_hands = False

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """The highest or lowest card that follows where a task lies in the trick, else a random one."""
        view = sight.view
        following = view.legal.of_suit(view.led_suit) if view.led_suit is not None else None
        owners = open_owners(view)
        wanted = {owners[card] for card in view.current.cards if card in owners}
        if not following or not wanted:
            return draw(view.legal, stream)
        cards = list(following)
        return cards[-1] if view.seat in wanted else cards[0]


def open_owners(view: View) -> dict[Card, int]:
    """The tasks that are not decided yet, with their owners."""
    assert isinstance(view.tasks, FixedTasks)
    taken = 0
    for mask in view.won_masks:
        taken |= mask
    return {card: seat for card, seat in view.tasks.owners if not taken & view.deck.bit(card)}


@dataclass(frozen=True)
class RandomTasks:
    """Any untaken task (Algorithm 1)."""

    open_hands = False

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """A uniformly random task."""
        return draw(offer.untaken, stream)


@dataclass(frozen=True)
class Tactical:
    """The task with the best score for the own hand (Algorithm 2), a random one among equals."""

    open_hands = False

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """A best-scored task."""
        scores = {card: tactical_score(card, offer.view.hand) for card in offer.untaken}
        best = max(scores.values())
        equals = [card for card, score in scores.items() if score == best]
        return equals[stream.below(len(equals))]


def tactical_score(task: Card, hand: CardSet) -> int:
    """Formula 8: how well a hand can win a card.

    The formula centres ranks at 5, the middle of nine; other decks use the middle of their own ranks,
    doubled to stay whole. Its third case prints |P_{>x_v}| where only |P_{>x}|, the higher cards of the
    suit, can be meant.

    >>> from crewsolve.cards import Deck
    >>> hand = CardSet.parse("B9 B7 G2", Deck.parse("4x9+4"))
    >>> [tactical_score(Card.parse(card), hand) for card in ("B9", "G2", "B8", "G5", "P1")]
    [10, -5, 1, -1, 0]
    """
    suit = hand.of_suit(task.suit)
    if task in hand:
        return 2 * task.rank - (hand.deck.ranks + 1) + len(suit)
    higher = sum(card.rank > task.rank for card in suit)
    return higher or -len(suit)
