"""The facts of a play, each as one literal: the ground on which goals stand.

Whoever states the rules of play in clauses hands over two tables of literals (which card goes to which
trick, which seat wins which trick); everything else that can be said of a play follows from them and gets
its variable when a goal first asks for it. Every fact is a function of the cards played, so asking for one
never changes the number of models.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings.formula import Formula


class Facts:
    """Literals for what happens in a play of a deal; tricks and seats count from 0."""

    def __init__(
        self,
        deal: Deal,
        formula: Formula,
        *,
        plays: Mapping[tuple[int, Card], int],
        wins: Mapping[tuple[int, int], int],
    ) -> None:
        """`plays[trick, card]` and `wins[trick, seat]` are literals of `formula`."""
        self.deal = deal
        self.formula = formula
        self.tricks = range(deal.tricks)
        self.seats = range(deal.seats)
        self._plays = plays
        self._wins = wins
        self._holder = {card: seat for seat in self.seats for card in deal.hands[seat]}

    def plays(self, seat: int, trick: int, card: Card) -> int:
        """The seat plays the card to the trick."""
        return self._plays[trick, card] if self._holder[card] == seat else self.formula.false

    def played(self, trick: int, card: Card) -> int:
        """The card is played to the trick, by the seat that holds it."""
        return self._plays[trick, card]

    def wins(self, seat: int, trick: int) -> int:
        """The seat wins the trick."""
        return self._wins[trick, seat]

    def leads(self, seat: int, trick: int) -> int:
        """The seat leads the trick: it won the one before, or is the leader of the deal."""
        if trick > 0:
            return self.wins(seat, trick - 1)
        return self.formula.true if seat == self.deal.leader else self.formula.false

    def card_wins(self, card: Card, trick: int) -> int:
        """The card wins the trick."""
        return self._both(
            ("card_wins", card, trick), self.played(trick, card), self.wins(self._holder[card], trick)
        )

    def takes(self, seat: int, card: Card, trick: int) -> int:
        """The seat wins the trick and the card is in it."""
        return self._both(("takes", seat, card, trick), self.played(trick, card), self.wins(seat, trick))

    def done(self, seat: int, card: Card, trick: int) -> int:
        """By the end of the trick the seat has won the card: the task is done."""
        now = self.takes(seat, card, trick)
        if trick == 0:
            return now
        before = self.done(seat, card, trick - 1)
        return -self._both(("open", seat, card, trick), -before, -now)

    def line(self, model: Collection[int]) -> tuple[Card, ...]:
        """The cards in playing order that a model, given by its literals, stands for."""
        true = frozenset(model)
        leader, cards = self.deal.leader, []
        for trick in self.tricks:
            for offset in self.seats:
                hand = self.deal.hands[(leader + offset) % len(self.seats)]
                cards.append(next(card for card in hand if self.played(trick, card) in true))
            leader = next(seat for seat in self.seats if self.wins(seat, trick) in true)
        return tuple(cards)

    def _both(self, name: tuple[object, ...], a: int, b: int) -> int:
        """The variable of that name, defined as a ∧ b by three clauses when it is new."""
        known = self.formula.has(*name)
        both = self.formula.variable(*name)
        if not known:
            self.formula.extend(f"meaning_of_{name[0]}", [[-both, a], [-both, b], [both, -a, -b]])
        return both
