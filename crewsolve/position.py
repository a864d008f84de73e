"""Positions: a deal in the middle of its play, one card at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crewsolve.cards import Card, CardSet
from crewsolve.deal import Deal
from crewsolve.errors import IllegalPlay
from crewsolve.rules import legal_mask, trick_winner
from crewsolve.tasks import Goal, Status


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, full or in progress: who led, the cards in playing order, who won (None while it runs)."""

    leader: int
    cards: tuple[Card, ...]
    winner: int | None = None

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))


@dataclass(frozen=True, slots=True)
class Position:
    """What is on the table after some cards: hands left, tricks so far, cards won.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    >>> position = Position.of(deal)
    >>> position.seat, str(position.legal)
    (3, 'G3 R2')
    >>> position.play(Card.parse("R2")).seat
    0
    """

    deal: Deal
    hand_masks: tuple[int, ...]
    tricks: tuple[Trick, ...]
    current: Trick
    won_masks: tuple[int, ...]

    @classmethod
    def start(cls, deal: Deal) -> Position:
        """The position before the first card, whatever the deal says has been played."""
        masks = tuple(hand.mask for hand in deal.hands)
        return cls(deal, masks, (), Trick(deal.leader, ()), (0,) * deal.seats)

    @classmethod
    def of(cls, deal: Deal) -> Position:
        """The position after the cards that the deal says have been played."""
        return cls.start(deal).after(deal.played)

    @property
    def seat(self) -> int:
        """The seat to play."""
        return (self.current.leader + len(self.current.cards)) % self.deal.seats

    @property
    def over(self) -> bool:
        """Whether no trick is left."""
        return len(self.tricks) == self.deal.tricks

    @property
    def tricks_left(self) -> int:
        """Tricks not yet complete, the running one included."""
        return self.deal.tricks - len(self.tricks)

    @property
    def played(self) -> tuple[Card, ...]:
        """All cards played, in order."""
        return tuple(card for trick in (*self.tricks, self.current) for card in trick.cards)

    @property
    def led_suit(self) -> int | None:
        """The suit of the running trick, None when a seat is to lead."""
        return self.current.cards[0].suit if self.current.cards else None

    def hand(self, seat: int) -> CardSet:
        """The cards a seat still holds."""
        return self.deal.deck.from_mask(self.hand_masks[seat])

    def won(self, seat: int) -> CardSet:
        """The cards a seat has won."""
        return self.deal.deck.from_mask(self.won_masks[seat])

    @property
    def legal_mask(self) -> int:
        """The cards that may be played now, as a mask; none once the play is over."""
        if self.over:
            return 0
        deck = self.deal.deck
        return legal_mask(self.hand_masks[self.seat], self.led_suit, deck.suit_masks, self.deal.rules)

    @property
    def legal(self) -> CardSet:
        """The cards that may be played now."""
        return self.deal.deck.from_mask(self.legal_mask)

    def status(self, goal: Goal) -> Status:
        """Where a goal stands."""
        return goal.status(self.won_masks, self.over)

    @property
    def outcome(self) -> Status:
        """FAILED as soon as one goal has failed, DONE once all are done."""
        statuses = [self.status(goal) for goal in self.deal.tasks.goals()]
        if Status.FAILED in statuses:
            return Status.FAILED
        return Status.OPEN if Status.OPEN in statuses else Status.DONE

    def play(self, card: Card) -> Position:
        """The position after one more card; an illegal one is refused with the reason."""
        self._check(card)
        return self._play(card)

    def after(self, cards: Iterable[Card]) -> Position:
        """The position after several more cards."""
        position = self
        for card in cards:
            position = position.play(card)
        return position

    def _play(self, card: Card) -> Position:
        seat, bit = self.seat, self.deal.deck.bit(card)
        hands = tuple(mask & ~bit if s == seat else mask for s, mask in enumerate(self.hand_masks))
        cards = (*self.current.cards, card)
        if len(cards) < self.deal.seats:
            return Position(self.deal, hands, self.tricks, Trick(self.current.leader, cards), self.won_masks)
        winner = trick_winner(cards, self.current.leader)
        taken = self.deal.deck.set(cards).mask
        won = tuple(mask | taken if s == winner else mask for s, mask in enumerate(self.won_masks))
        trick = Trick(self.current.leader, cards, winner)
        return Position(self.deal, hands, (*self.tricks, trick), Trick(winner, ()), won)

    def _check(self, card: Card) -> None:
        trick, seat = len(self.tricks), self.seat

        def refuse(reason: str) -> IllegalPlay:
            return IllegalPlay(f"trick {trick + 1}, seat {seat}: {reason}", card=card, seat=seat, trick=trick)

        if self.over:
            raise refuse(f"{card} comes after the last trick")
        hand = self.hand(seat)
        if card not in hand:
            if card in self.played:
                raise refuse(f"{card} has been played before")
            holder = self.deal.holder(card)
            raise refuse(
                f"{card} is {'held by nobody' if holder is None else f'in the hand of seat {holder}'}"
            )
        if card not in self.legal:
            raise refuse(f"{card} does not follow the led suit; seat {seat} must play one of {self.legal}")
