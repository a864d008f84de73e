"""The variables of the lean formula: matrices with a row for each card, suit or seat, a column per trick.

The formula starts with the trick that is running: hands are taken as they were when it began, and the cards
already in it are unit clauses. Cards are rows in the order of their bits, so the cards of a suit are
neighbours in rising rank, the rockets come last, and among the cards that can win a trick the highest row
wins. Rows stand for cards in play only, columns for tricks not yet complete.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crewsolve.cards import ROCKETS, Card
from crewsolve.position import Position

Ints = NDArray[np.int32]
Blocks = list[Ints]
"""Clauses as matrices of literals: one row a clause, all clauses of a block of one length."""

MANY_TRICKS = 11
"""Tricks from which counting the leads of each suit pays: up to a quarter of the time at 13, none at 10."""


def rows(*columns: Any) -> Ints:
    """The block whose clauses take their literals from these arrays, broadcast to one shape.

    >>> rows(np.array([[1, 2], [3, 4]]), -9).tolist()
    [[1, -9], [2, -9], [3, -9], [4, -9]]
    """
    shape = np.broadcast(*columns).shape if len(columns) > 1 else columns[0].shape
    block = np.empty((*shape, len(columns)), dtype=np.int32)
    for number, column in enumerate(columns):
        block[..., number] = column
    return block.reshape(-1, len(columns))


@dataclass(frozen=True)
class Table:
    """The cards in play from the running trick on, and the variables for what happens to them.

    Rows of cards: `plays` (x: played to trick t), `top` (the card that wins trick t has this row or a higher
    one), `best` (this card wins trick t); `before` (played before trick t) has no column for the first trick.
    Rows of suits: `led`. Rows of seats: `wins`. Rows of holdings, the cards of one suit in one hand:
    `follows` (the seat plays that suit to trick t). Rows of numbers: `gone` (of the holding of card c as many
    cards as c is from below have been played up to trick t), `leads` (suit s has been led k + 1 times or more
    up to trick t, with `most_leads` rows for each suit).
    """

    position: Position
    cards: Ints
    holder: Ints
    suit: Ints
    tricks: int
    seats: int

    @classmethod
    def of(cls, position: Position) -> Table:
        """The table of a position that is not over."""
        deck = position.deal.deck
        seats = position.deal.seats
        masks = list(position.hand_masks)
        for offset, card in enumerate(position.current.cards):
            masks[(position.current.leader + offset) % seats] |= deck.bit(card)
        held = sorted((bit, seat) for seat, mask in enumerate(masks) for bit in range(mask.bit_length())
                      if mask >> bit & 1)  # fmt: skip
        cards, holder = np.array(held, dtype=np.int32).reshape(-1, 2).T
        suit = np.array([deck.card(bit).suit for bit, _ in held], dtype=np.int32)
        return cls(position, cards, holder, suit, position.tricks_left, seats)

    @cached_property
    def suits(self) -> list[int]:
        """The suits of which a card is in play."""
        return sorted(set(self.suit.tolist()))

    @cached_property
    def suit_row(self) -> Ints:
        """The row in `led` of each card's suit."""
        found: Ints = np.searchsorted(self.suits, self.suit).astype(np.int32)
        return found

    @cached_property
    def holdings(self) -> list[tuple[int, int]]:
        """The (seat, row of the suit) of each holding."""
        return sorted(set(zip(self.holder.tolist(), self.suit_row.tolist(), strict=True)))

    @cached_property
    def holding(self) -> Ints:
        """The row in `follows` of each card's holding."""
        row = {holding: number for number, holding in enumerate(self.holdings)}
        pairs = zip(self.holder.tolist(), self.suit_row.tolist(), strict=True)
        return np.array([row[pair] for pair in pairs], dtype=np.int32)

    @cached_property
    def by_size(self) -> list[tuple[Ints, Ints]]:
        """The holdings of each size, and the rows of their cards, rising."""
        order = np.argsort(self.holding, kind="stable").astype(np.int32)
        sizes = np.bincount(self.holding)
        starts = np.cumsum(sizes) - sizes
        found = []
        for size in sorted(set(sizes.tolist())):
            chosen = np.flatnonzero(sizes == size).astype(np.int32)
            members: Ints = order[starts[chosen][:, None] + np.arange(size)]
            found.append((chosen, members))
        return found

    @cached_property
    def below(self) -> NDArray[np.intp]:
        """The row of the next lower card of each card's holding, -1 for none."""
        below = np.full(len(self.cards), -1)
        for _, members in self.by_size:
            below[members[:, 1:]] = members[:, :-1]
        return below

    @cached_property
    def rank(self) -> Ints:
        """How many cards of its holding are lower than each card."""
        rank = np.zeros(len(self.cards), dtype=np.int32)
        for _, members in self.by_size:
            rank[members] = np.arange(len(members.T))
        return rank

    @cached_property
    def highest(self) -> Ints:
        """The row of the highest card of each holding."""
        highest = np.empty(len(self.holdings), dtype=np.int32)
        for holding, members in self.by_size:
            highest[holding] = members[:, -1]
        return highest

    @cached_property
    def most_leads(self) -> int:
        """How far leads of a suit are counted: to one more than the longest holding, or not at all."""
        if self.tricks < MANY_TRICKS:
            return 0
        return min(self.tricks, 1 + max((len(members.T) for _, members in self.by_size), default=0))

    @cached_property
    def is_rocket(self) -> NDArray[np.bool_]:
        """Which cards are rockets."""
        return self.suit == ROCKETS

    @cached_property
    def hand_sizes(self) -> Ints:
        """The cards of each hand."""
        return np.bincount(self.holder, minlength=self.seats).astype(np.int32)

    @cached_property
    def row(self) -> dict[int, int]:
        """The row of each card in play, by its bit."""
        return {bit: number for number, bit in enumerate(self.cards.tolist())}

    @cached_property
    def running(self) -> list[int]:
        """The rows of the cards already in the running trick."""
        deck = self.position.deal.deck
        return [self.row[deck.index(card)] for card in self.position.current.cards]

    @cached_property
    def shapes(self) -> dict[str, tuple[int, int]]:
        """Name -> (rows, columns) of every array of variables, in the order of their numbers."""
        n, t = len(self.cards), self.tricks
        return {
            "plays": (n, t),
            "before": (n, max(0, t - 1)),
            "led": (len(self.suits), t),
            "wins": (self.seats, t),
            "follows": (len(self.holdings), t),
            "top": (n, t),
            "best": (n, t),
            "gone": (n, t),
            "leads": (len(self.suits) * self.most_leads, t),
        }

    @cached_property
    def _arrays(self) -> dict[str, Ints]:
        arrays, first = {}, 1
        for name, (height, width) in self.shapes.items():
            size = height * width
            arrays[name] = np.arange(first, first + size, dtype=np.int32).reshape(height, width)
            first += size
        return arrays

    @property
    def variables(self) -> int:
        """The number of variables for the play; helpers of goals come after them."""
        return sum(height * width for height, width in self.shapes.values())

    @property
    def plays(self) -> Ints:
        """Card c is played to trick t."""
        return self._arrays["plays"]

    @property
    def before(self) -> Ints:
        """Card c is played before trick t, for the second trick and later ones."""
        return self._arrays["before"]

    @property
    def led(self) -> Ints:
        """Suit s is led to trick t."""
        return self._arrays["led"]

    @property
    def wins(self) -> Ints:
        """Seat p wins trick t."""
        return self._arrays["wins"]

    @property
    def follows(self) -> Ints:
        """The seat of a holding plays its suit to trick t."""
        return self._arrays["follows"]

    @property
    def top(self) -> Ints:
        """The card that wins trick t is card c or one of a higher row."""
        return self._arrays["top"]

    @property
    def best(self) -> Ints:
        """Card c wins trick t."""
        return self._arrays["best"]

    @property
    def gone(self) -> Ints:
        """Up to trick t as many cards of the holding of card c are played as c is from below."""
        return self._arrays["gone"]

    @property
    def leads(self) -> Ints:
        """[s, k, t]: suit s is led k + 1 times or more up to trick t."""
        return self._arrays["leads"].reshape(len(self.suits), self.most_leads, self.tricks)

    def card(self, row: int) -> Card:
        """The card of a row."""
        return self.position.deal.deck.card(int(self.cards[row]))

    def name_of(self, variable: int) -> tuple[Any, ...] | None:
        """What a variable says, with tricks counted from the start of the deal; None for helpers."""
        first = 1
        for name, (height, width) in self.shapes.items():
            if first <= variable < first + height * width:
                row, column = divmod(variable - first, width)
                return self._name(name, row, column + len(self.position.tricks))
            first += height * width
        return None

    def _name(self, name: str, row: int, trick: int) -> tuple[Any, ...]:
        if name == "plays":
            return name, int(self.holder[row]), trick, self.card(row)
        if name == "before":
            return name, trick + 1, self.card(row)
        if name == "led":
            return name, trick, self.suits[row]
        if name == "wins":
            return name, trick, row
        if name == "follows":
            seat, suit = self.holdings[row]
            return name, seat, trick, self.suits[suit]
        if name == "leads":
            suit, more = divmod(row, self.most_leads)
            return name, trick, self.suits[suit], more + 1
        return name, trick, self.card(row)

    def line(self, model: Collection[int]) -> tuple[Card, ...]:
        """The cards from the position to the last trick that a model stands for."""
        true = np.fromiter((literal for literal in model if literal > 0), dtype=np.int64)
        played, winner = np.isin(self.plays, true), np.isin(self.wins, true)
        leader, order = self.position.current.leader, []
        for trick in range(self.tricks):
            by_seat = {int(self.holder[row]): int(row) for row in np.flatnonzero(played[:, trick])}
            order += [by_seat[(leader + offset) % self.seats] for offset in range(self.seats)]
            leader = int(np.argmax(winner[:, trick]))
        return tuple(self.card(row) for row in order[len(self.running) :])
