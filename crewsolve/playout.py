"""Playouts: the cards of a game in playing order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crewsolve.cards import Card
from crewsolve.errors import BadCard, BadDeal


@dataclass(frozen=True, slots=True)
class Playout:
    """Cards in playing order at a table of `seats`; the last trick may be incomplete.

    >>> Playout.parse("R2 B1 G1 R1 | G3 B2 G2 B3", seats=4)
    Playout.parse('R2 B1 G1 R1 | G3 B2 G2 B3', seats=4)
    """

    cards: tuple[Card, ...]
    seats: int

    def __post_init__(self) -> None:
        if self.seats < 1:
            raise BadDeal(f"a playout needs at least one seat, not {self.seats}")

    @classmethod
    def of(cls, cards: Iterable[Card], *, seats: int) -> Playout:
        """A playout from any cards in order."""
        return cls(tuple(cards), seats)

    @classmethod
    def parse(cls, text: str, *, seats: int) -> Playout:
        """Read cards in playing order; bars, where there are any, must separate the tricks."""
        tricks = [[Card.parse(word) for word in part.split()] for part in text.split("|")]
        if len(tricks) > 1:
            for number, trick in enumerate(tricks[:-1], 1):
                if len(trick) != seats:
                    raise BadCard(
                        f"trick {number} of the playout has {len(trick)} cards for {seats} seats: one each"
                    )
            if len(tricks[-1]) > seats:
                raise BadCard(f"the last trick of the playout has {len(tricks[-1])} cards for {seats} seats")
        return cls(tuple(card for trick in tricks for card in trick), seats)

    @property
    def tricks(self) -> tuple[tuple[Card, ...], ...]:
        """The cards trick by trick."""
        return tuple(self.cards[i : i + self.seats] for i in range(0, len(self.cards), self.seats))

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        return " | ".join(" ".join(map(str, trick)) for trick in self.tricks)

    def __repr__(self) -> str:
        return f"Playout.parse({str(self)!r}, seats={self.seats})"

    def _repr_html_(self) -> str:
        from crewsolve.html import playout_html

        return playout_html(self)
