"""Views: what one seat knows at any moment, and nothing more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crewsolve.cards import ROCKETS, Card, CardSet, Deck
from crewsolve.deal import Deal
from crewsolve.position import Position, Trick
from crewsolve.rules import Rules, legal_mask, proves_void
from crewsolve.tasks import Tasks


@dataclass(frozen=True)
class View:
    """One seat's knowledge: its own hand, the public history, and what follows from it.

    Everybody knows which cards were dealt (`in_play`) and how many each seat holds. `voids[s]` are the
    suits that seat s has shown not to hold. `highest_rocket` is who held the highest rocket at the start,
    where the rule that this seat leads made it public, else None. `communicated` is kept for shown cards.
    """

    seat: int
    deck: Deck
    hand: CardSet
    in_play: CardSet
    sizes: tuple[int, ...]
    total_tricks: int
    tricks: tuple[Trick, ...]
    current: Trick
    tasks: Tasks
    rules: Rules
    voids: tuple[frozenset[int], ...]
    highest_rocket: int | None
    communicated: tuple[tuple[int, Card], ...] = ()

    @classmethod
    def of(cls, position: Position, seat: int) -> View:
        """What `seat` knows in a position."""
        deal = position.deal
        return cls(
            seat=seat,
            deck=deal.deck,
            hand=position.hand(seat),
            in_play=deal.in_play,
            sizes=tuple(mask.bit_count() for mask in position.hand_masks),
            total_tricks=deal.tricks,
            tricks=position.tricks,
            current=position.current,
            tasks=deal.tasks,
            rules=deal.rules,
            voids=proven_voids(position),
            highest_rocket=deal.leader if deal.rocket_leader else None,
        )

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.sizes)

    @property
    def to_play(self) -> int:
        """The seat to play."""
        return (self.current.leader + len(self.current.cards)) % self.seats

    @property
    def led_suit(self) -> int | None:
        """The suit of the running trick, None when a seat is to lead."""
        return self.current.cards[0].suit if self.current.cards else None

    @property
    def legal(self) -> CardSet:
        """The cards of the own hand that this seat may play when it is its turn."""
        if len(self.tricks) == self.total_tricks or self.to_play != self.seat:
            return self.deck.from_mask(0)
        return self.deck.from_mask(
            legal_mask(self.hand.mask, self.led_suit, self.deck.suit_masks, self.rules)
        )

    @property
    def played(self) -> tuple[Card, ...]:
        """All cards played, in order."""
        return tuple(card for trick in (*self.tricks, self.current) for card in trick.cards)

    @property
    def won_masks(self) -> tuple[int, ...]:
        """The cards each seat has won, as masks."""
        won = [0] * self.seats
        for trick in self.tricks:
            assert trick.winner is not None
            won[trick.winner] |= self.deck.set(trick.cards).mask
        return tuple(won)

    @property
    def hidden(self) -> CardSet:
        """The cards in the other hands, taken together."""
        return self.in_play - self.hand - self.deck.set(self.played)

    def may_hold(self, seat: int) -> CardSet:
        """The cards that `seat` may hold for all this seat knows."""
        if seat == self.seat:
            return self.hand
        mask = self.hidden.mask
        for suit in self.voids[seat]:
            mask &= ~self.deck.suit_mask(suit)
        rocket = self.in_play.highest(ROCKETS)
        if self.highest_rocket is not None and seat != self.highest_rocket and rocket is not None:
            mask &= ~self.deck.bit(rocket)
        return self.deck.from_mask(mask)


def proven_voids(position: Position) -> tuple[frozenset[int], ...]:
    """For every seat the suits it has shown not to hold by not following."""
    deal = position.deal
    return voids_of((*position.tricks, position.current), deal.seats, deal.rules)


def voids_of(tricks: Iterable[Trick], seats: int, rules: Rules) -> tuple[frozenset[int], ...]:
    """`proven_voids` from the tricks alone: they are public."""
    voids: list[set[int]] = [set() for _ in range(seats)]
    for trick in tricks:
        for offset, card in enumerate(trick.cards[1:], 1):
            if proves_void(card, trick.cards[0].suit, rules):
                voids[(trick.leader + offset) % seats].add(trick.cards[0].suit)
    return tuple(frozenset(void) for void in voids)


def view(deal: Deal, seat: int) -> View:
    """What `seat` knows of a deal after the cards played so far."""
    return View.of(Position.of(deal), seat)
