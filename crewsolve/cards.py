"""Cards, sets of cards and decks; the only place that maps cards to bits.

Colour suit s (1, 2, …) of a deck with V ranks takes the bits (s-1)·V … s·V-1 in rising rank, the rockets
take the bits above all colours. So a suit is one run of bits, and among the cards of a trick that are
rockets or of the led suit the highest bit wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from crewsolve.errors import BadCard, BadDeck

ROCKETS = 0
"""The number of the trump suit."""

SUIT_LETTERS = "RBGPYACDEFHIJKLMNOQSTUVWXZ"
"""Letter of suit s at place s: rockets, then the colours in order."""

MAX_BITS = 63
"""Masks are signed 64-bit integers in the kernels."""

_CARD = re.compile(r"([A-Z])([1-9][0-9]{0,3})")
_DECK = re.compile(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})(?:\+([0-9]{1,5}))?")


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """One card: suit 0 is the rockets (always trump), suits 1, 2, … the colours; ranks from 1.

    >>> Card.parse("B7")
    Card.parse('B7')
    """

    suit: int
    rank: int

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card such as `B7` or `R4`."""
        match = _CARD.fullmatch(text)
        if match is None:
            hint = f"; did you mean {text.upper()}?" if _CARD.fullmatch(text.upper()) else ""
            raise BadCard(
                f"{text[:40]!r} is no card: write a suit letter and a rank, like B7, or R4 for a rocket"
                + hint,
                card=text,
            )
        return cls(SUIT_LETTERS.index(match[1]), int(match[2]))

    @property
    def is_rocket(self) -> bool:
        """Whether the card is a trump."""
        return self.suit == ROCKETS

    def __str__(self) -> str:
        return f"{SUIT_LETTERS[self.suit]}{self.rank}"

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


@dataclass(frozen=True)
class Deck:
    """`colours` suits with ranks 1..`ranks` and `rockets` trumps, written `4x9+4`, `4x9`, `2x3+2`.

    >>> deck = Deck.parse("4x9+4")
    >>> deck.size, str(deck)
    (40, '4x9+4')
    """

    colours: int
    ranks: int
    rockets: int = 0

    def __post_init__(self) -> None:
        if self.colours < 1 or self.ranks < 1 or self.rockets < 0:
            raise BadDeck(f"a deck needs at least one suit and one rank and no negative rockets, not {self}")

    @classmethod
    def parse(cls, text: str) -> Deck:
        """Read a deck such as `4x9+4`: suits x ranks + rockets."""
        match = _DECK.fullmatch(text.strip())
        if match is None:
            raise BadDeck(
                f"{text[:40]!r} is no deck: write SUITSxRANKS+ROCKETS, like 4x9+4, or 4x9 without rockets"
            )
        return cls(int(match[1]), int(match[2]), int(match[3] or 0))

    def __str__(self) -> str:
        return f"{self.colours}x{self.ranks}" + (f"+{self.rockets}" if self.rockets else "")

    def __repr__(self) -> str:
        return f"Deck.parse({str(self)!r})"

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.colour_cards + self.rockets

    @property
    def colour_cards(self) -> int:
        """The number of cards that are no rockets; a random task may lie on any of them."""
        return self.colours * self.ranks

    @property
    def suits(self) -> range:
        """All suits that have a card; 0, the rockets, only where there are any."""
        return range(0 if self.rockets else 1, self.colours + 1)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card, in the order of its bits."""
        self._check_masks()
        colours = [Card(s, r) for s in range(1, self.colours + 1) for r in range(1, self.ranks + 1)]
        return (*colours, *(Card(ROCKETS, r) for r in range(1, self.rockets + 1)))

    @cached_property
    def _index(self) -> dict[Card, int]:
        return {card: index for index, card in enumerate(self.cards)}

    def _check_masks(self) -> None:
        if self.size > MAX_BITS:
            raise BadDeck(f"deck {self} has {self.size} cards; at most {MAX_BITS} can be dealt")
        if self.colours >= len(SUIT_LETTERS):
            raise BadDeck(
                f"deck {self} has {self.colours} colours; there are letters for {len(SUIT_LETTERS) - 1}"
            )

    def __contains__(self, card: object) -> bool:
        return card in self._index

    def index(self, card: Card) -> int:
        """The bit number of a card."""
        try:
            return self._index[card]
        except KeyError:
            raise BadCard(f"card {card} is not in deck {self}: {self._contents()}", card=card) from None

    def _contents(self) -> str:
        letters = SUIT_LETTERS[1 : self.colours + 1]
        colours = f"{letters[0]}1 to {letters[0]}{self.ranks}"
        if len(letters) > 1:
            colours = f"{', '.join(letters[:-1])} and {letters[-1]} with ranks 1 to {self.ranks}"
        return f"it holds {colours}" + (f" and the rockets R1 to R{self.rockets}" if self.rockets else "")

    def bit(self, card: Card) -> int:
        """The mask with only this card."""
        return 1 << self.index(card)

    def card(self, index: int) -> Card:
        """The card of a bit number."""
        return self.cards[index]

    def parse_card(self, text: str) -> Card:
        """Read a card that must be in this deck."""
        card = Card.parse(text)
        self.index(card)
        return card

    def suit_mask(self, suit: int) -> int:
        """The mask of all cards of a suit."""
        if suit == ROCKETS:
            return ((1 << self.rockets) - 1) << self.colour_cards
        return ((1 << self.ranks) - 1) << ((suit - 1) * self.ranks)

    @cached_property
    def suit_masks(self) -> tuple[int, ...]:
        """The mask of suit s at place s, the rockets at place 0."""
        return tuple(self.suit_mask(suit) for suit in range(self.colours + 1))

    @property
    def all_mask(self) -> int:
        """The mask of the whole deck."""
        return (1 << self.size) - 1

    @property
    def everything(self) -> CardSet:
        """The whole deck as a set."""
        return self.from_mask(self.all_mask)

    def suit(self, suit: int) -> CardSet:
        """All cards of a suit."""
        return self.from_mask(self.suit_mask(suit))

    def from_mask(self, mask: int) -> CardSet:
        """The set of the cards whose bits are set."""
        return CardSet(self, mask)

    def set(self, cards: Iterable[Card]) -> CardSet:
        """The set of the given cards."""
        mask = 0
        for card in cards:
            mask |= self.bit(card)
        return CardSet(self, mask)


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards of one deck: one integer, wrapped; prints and iterates in the order of the bits.

    >>> hand = CardSet.parse("R2 B3 B1", Deck.parse("2x3+2"))
    >>> str(hand), len(hand), Card.parse("B3") in hand
    ('B1 B3 R2', 3, True)
    >>> hand
    CardSet.parse('B1 B3 R2', Deck.parse('2x3+2'))
    """

    deck: Deck
    mask: int

    def __post_init__(self) -> None:
        self.deck._check_masks()
        if self.mask & ~self.deck.all_mask:
            raise BadCard(f"mask {self.mask:#x} has bits beyond deck {self.deck}")

    @classmethod
    def parse(cls, text: str, deck: Deck) -> CardSet:
        """Read cards separated by white space; none may come twice."""
        mask = 0
        for word in text.split():
            bit = deck.bit(deck.parse_card(word))
            if mask & bit:
                raise BadCard(f"card {word} is listed twice", card=word)
            mask |= bit
        return cls(deck, mask)

    def __iter__(self) -> Iterator[Card]:
        rest = self.mask
        cards = self.deck.cards
        while rest:
            low = rest & -rest
            yield cards[low.bit_length() - 1]
            rest ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, card: object) -> bool:
        return card in self.deck and isinstance(card, Card) and bool(self.mask & self.deck.bit(card))

    def _other(self, other: CardSet) -> int:
        if other.deck != self.deck:
            raise BadDeck(f"sets of cards of different decks: {self.deck} and {other.deck}")
        return other.mask

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask | self._other(other))

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask & self._other(other))

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask & ~self._other(other))

    def __xor__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask ^ self._other(other))

    def __le__(self, other: CardSet) -> bool:
        return not self.mask & ~self._other(other)

    def isdisjoint(self, other: CardSet) -> bool:
        """Whether no card is in both sets."""
        return not self.mask & self._other(other)

    def of_suit(self, suit: int) -> CardSet:
        """The cards of one suit."""
        return CardSet(self.deck, self.mask & self.deck.suit_mask(suit))

    @overload
    def highest(self) -> Card: ...
    @overload
    def highest(self, suit: int) -> Card | None: ...
    def highest(self, suit: int | None = None) -> Card | None:
        """The card of the highest bit, of one suit if given; None where that suit has no card."""
        mask = self.mask if suit is None else self.mask & self.deck.suit_mask(suit)
        if not mask:
            if suit is None:
                raise ValueError("the highest card of an empty set")
            return None
        return self.deck.card(mask.bit_length() - 1)

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r}, {self.deck!r})"

    def _repr_html_(self) -> str:
        from crewsolve.html import cards_html

        return cards_html(self)
