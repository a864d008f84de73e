"""The Game as one player sees it: parameters, piles, states, moves and turns (Dietrich 2019, chapter 2).

Cards are plain integers. Piles are numbered from 0: first the ascending ones, then the descending ones.
An ascending pile takes any higher card, or the card exactly `trick` lower (the backwards trick);
a descending pile mirrors that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from crewsolve.thegame.errors import BadOrder, BadParameters


@dataclass(frozen=True)
class Parameters:
    """The quantities of Dietrich's Table 2.1; the defaults are the rules of the box.

    >>> Parameters().size
    98
    >>> str(Parameters(low=1, high=12, hand=4))
    '1..12 up=2 down=2 turn=2 hand=4 trick=10'
    """

    low: int = 2
    high: int = 99
    up: int = 2
    down: int = 2
    turn: int = 2
    hand: int = 8
    trick: int = 10

    def __post_init__(self) -> None:
        for name in ("low", "high", "up", "down", "turn", "hand", "trick"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise BadParameters(f"{name} must be a whole number, not {value!r}")
        if self.low >= self.high:
            raise BadParameters(f"the lowest card {self.low} must be below the highest card {self.high}")
        if self.up < 0 or self.down < 0:
            raise BadParameters(f"a number of piles cannot be negative: up={self.up} down={self.down}")
        if self.up + self.down == 0:
            raise BadParameters("no piles: give at least one ascending or descending pile")
        if not 1 <= self.hand <= self.size:
            raise BadParameters(
                f"the hand must hold 1 to {self.size} cards (the whole deck), not {self.hand}"
            )
        if self.turn < 1:
            raise BadParameters(f"a turn plays at least one card, not {self.turn}")
        if self.turn > self.hand:
            raise BadParameters(
                f"the minimum turn of {self.turn} cards is above the hand size {self.hand}: no turn exists"
            )
        if not 0 <= self.trick < self.size:
            raise BadParameters(
                f"the backwards trick distance must be 0 (no trick) to {self.size - 1}, not {self.trick}"
            )

    def __str__(self) -> str:
        return (
            f"{self.low}..{self.high} up={self.up} down={self.down} "
            f"turn={self.turn} hand={self.hand} trick={self.trick}"
        )

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.high - self.low + 1

    @property
    def piles(self) -> int:
        """The number of piles of both directions."""
        return self.up + self.down

    @property
    def cards(self) -> range:
        """All cards, ascending."""
        return range(self.low, self.high + 1)

    def ascends(self, pile: int) -> bool:
        """Tell whether a pile is an ascending one."""
        return pile < self.up

    def allows(self, pile: int, top: int, card: int) -> bool:
        """Tell whether a card may be laid on a pile that shows `top`."""
        if self.ascends(pile):
            return card > top or self.is_trick(pile, top, card)
        return card < top or self.is_trick(pile, top, card)

    def is_trick(self, pile: int, top: int, card: int) -> bool:
        """Tell whether laying this card would be a backwards trick; no trick leads back to an empty pile."""
        if self.trick == 0:
            return False
        return card == (top - self.trick if self.ascends(pile) else top + self.trick)

    @cached_property
    def empty_tops(self) -> tuple[int, ...]:
        """What the piles show before the first card: one below the lowest, one above the highest."""
        return (self.low - 1,) * self.up + (self.high + 1,) * self.down

    def pile_name(self, pile: int) -> str:
        """Write a pile as `u1`, `u2`, …, `d1`, `d2`, …"""
        return f"u{pile + 1}" if self.ascends(pile) else f"d{pile - self.up + 1}"

    def check_order(self, order: Sequence[int]) -> None:
        """Refuse a deck that is not a permutation of the cards, naming the first wrong card."""
        seen: set[int] = set()
        for position, card in enumerate(order, start=1):
            if card not in self.cards:
                raise BadOrder(
                    f"card {card} at place {position} is not in {self.low}..{self.high}", card=card
                )
            if card in seen:
                raise BadOrder(f"card {card} occurs twice, again at place {position}", card=card)
            seen.add(card)
        missing = [card for card in self.cards if card not in seen]
        if missing:
            shown = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
            raise BadOrder(
                f"{len(missing)} of {self.size} cards are missing: {shown}; a deck lists all of "
                f"{self.low}..{self.high} in drawing order",
                card=missing[0],
            )


DEFAULT = Parameters()
"""The rules of the box."""


class Move(NamedTuple):
    """A card laid on a pile."""

    card: int
    pile: int


@dataclass(frozen=True)
class State:
    """What lies on the table and in the hand; the deck is what is missing (Dietrich 2.3.2)."""

    parameters: Parameters
    laid: frozenset[int]
    hand: frozenset[int]
    tops: tuple[int, ...]

    @cached_property
    def unplayed(self) -> tuple[int, ...]:
        """Hand and deck together, ascending."""
        return tuple(card for card in self.parameters.cards if card not in self.laid)

    @cached_property
    def deck(self) -> frozenset[int]:
        """The cards still to be drawn, in no order: the player does not know it."""
        return frozenset(self.unplayed) - self.hand

    def moves(self) -> Iterator[Move]:
        """List the legal moves, by card and then by pile."""
        for card in sorted(self.hand):
            for pile, top in enumerate(self.tops):
                if self.parameters.allows(pile, top, card):
                    yield Move(card, pile)

    def after(self, move: Move) -> State:
        """Lay one card; legality is the caller's business."""
        tops = (*self.tops[: move.pile], move.card, *self.tops[move.pile + 1 :])
        return State(self.parameters, self.laid | {move.card}, self.hand - {move.card}, tops)

    def drawn(self, cards: Sequence[int]) -> State:
        """Take cards from the deck into the hand."""
        return State(self.parameters, self.laid, self.hand | set(cards), self.tops)

    def has_turn(self) -> bool:
        """Tell whether a full turn of the minimum length can be played."""
        return self.longest_run(limit=self.parameters.turn) == self.parameters.turn

    def longest_run(self, *, limit: int | None = None) -> int:
        """The most cards that can be laid one after the other without drawing, counted up to `limit`."""
        return len(longest_moves(self, limit=limit))


def start(parameters: Parameters, order: Sequence[int]) -> State:
    """The first state of a game: empty piles and the first cards of the deck in hand."""
    return State(parameters, frozenset(), frozenset(order[: parameters.hand]), parameters.empty_tops)


def longest_moves(state: State, *, limit: int | None = None) -> tuple[Move, ...]:
    """A longest sequence of moves without drawing, the first in move order; `limit` cuts the search short."""
    bound = len(state.hand) if limit is None else min(limit, len(state.hand))
    best: tuple[Move, ...] = ()
    for move in state.moves() if bound else ():
        tail = longest_moves(state.after(move), limit=bound - 1)
        if len(tail) + 1 > len(best):
            best = (move, *tail)
            if len(best) == bound:
                break
    return best
