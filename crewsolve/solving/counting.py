"""Counting winning playouts by dynamic programming over positions, on raw masks."""

from __future__ import annotations

from collections.abc import Iterator

from crewsolve.deal import Deal
from crewsolve.encodings.method import NO_LIMITS, Limits
from crewsolve.position import Position
from crewsolve.rules import legal_mask
from crewsolve.tasks import Goal, Status, WinCard, WinShare


class TooManyNodes(Exception):
    """The dynamic programming has reached its bound."""


class LineCounter:
    """Counts on raw masks; remembers the count at the start of every trick.

    The key holds all that the rest of the play depends on: hands, leader, and what the goals remember.
    """

    def __init__(self, deal: Deal, *, nodes: int | None = None, limits: Limits = NO_LIMITS) -> None:
        """`nodes` bounds the cards tried; beyond it `TooManyNodes` is raised."""
        self.deck = deal.deck
        self.goals = deal.tasks.goals()
        self.seats = deal.seats
        self.suit_masks = self.deck.suit_masks
        self.suit_of = [card.suit for card in self.deck.cards]
        self.rules = deal.rules
        self.nodes = nodes
        self.tried = 0
        self.limits = limits
        self.known: dict[tuple[object, ...], int] = {}

    def count(self, position: Position) -> int:
        """The number of full-length winning playouts from a position of the same deal."""
        if position.outcome is Status.FAILED:
            return 0
        trick = tuple(self.deck.index(card) for card in position.current.cards)
        return self._count(
            position.hand_masks, position.won_masks, position.current.leader, trick, position.tricks_left
        )

    def lines(self, position: Position) -> Iterator[Position]:
        """The ends of all winning playouts from a position, without a look at lost ones."""
        if not self.count(position):
            return
        if position.over:
            yield position
        for card in position.legal:
            yield from self.lines(position.play(card))

    def _count(
        self, hands: tuple[int, ...], won: tuple[int, ...], leader: int, trick: tuple[int, ...], left: int
    ) -> int:
        if left == 0:
            return 1
        if trick:
            return self._next_card(hands, won, leader, trick, left)
        key = (hands, leader, *(_memory(goal, won) for goal in self.goals))
        if key not in self.known:
            if self.limits.expired or (self.nodes is not None and self.tried >= self.nodes):
                raise TooManyNodes
            self.known[key] = self._next_card(hands, won, leader, trick, left)
        return self.known[key]

    def _next_card(
        self, hands: tuple[int, ...], won: tuple[int, ...], leader: int, trick: tuple[int, ...], left: int
    ) -> int:
        seat = (leader + len(trick)) % self.seats
        led_suit = self.suit_of[trick[0]] if trick else None
        legal = legal_mask(hands[seat], led_suit, self.suit_masks, self.rules)
        self.tried += legal.bit_count()
        total = 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            after = (*hands[:seat], hands[seat] ^ bit, *hands[seat + 1 :])
            cards = (*trick, bit.bit_length() - 1)
            if len(cards) < self.seats:
                total += self._next_card(after, won, leader, cards, left)
            else:
                total += self._next_trick(after, won, leader, cards, left - 1)
        return total

    def _next_trick(
        self, hands: tuple[int, ...], won: tuple[int, ...], leader: int, trick: tuple[int, ...], left: int
    ) -> int:
        winner = self._winner(trick, leader)
        taken = sum(1 << card for card in trick)
        won = (*won[:winner], won[winner] | taken, *won[winner + 1 :])
        if any(goal.status(won, left == 0) is Status.FAILED for goal in self.goals):
            return 0
        return self._count(hands, won, winner, (), left)

    def _winner(self, trick: tuple[int, ...], leader: int) -> int:
        # The bit order makes the highest bit among rockets and led suit the winner.
        strong = self.suit_masks[0] | self.suit_masks[self.suit_of[trick[0]]]
        best = max(card for card in trick if strong >> card & 1)
        return (leader + trick.index(best)) % self.seats


def _memory(goal: Goal, won: tuple[int, ...]) -> object:
    """What of the cards won so far a goal that has not failed still depends on."""
    if isinstance(goal, WinCard):
        return won[goal.seat] & goal.card_mask
    if isinstance(goal, WinShare):
        return tuple((mask & goal.cards.mask).bit_count() for mask in won)
    return won
