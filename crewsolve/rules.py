"""The rules of play as small pure functions.

Every method must state these rules again in its own terms (clauses, constraints, bit masks); none of them
is its own judge. The simulator uses only what is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from crewsolve.cards import ROCKETS, Card, CardSet
from crewsolve.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of a deal; each field is one named rule, off by default.

    `trumps_anytime`: a rocket may be played although one could follow (then it proves no void).

    >>> str(Rules.parse("trumps_anytime"))
    'trumps_anytime'
    """

    trumps_anytime: bool = False

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all house rules."""
        return tuple(field.name for field in fields(cls))

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read names separated by white space."""
        words = text.split()
        for word in words:
            if word not in cls.names():
                raise UnknownName("rule", word, cls.names())
        return cls(**dict.fromkeys(words, True))

    def __str__(self) -> str:
        return " ".join(name for name in self.names() if getattr(self, name))

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"


OFFICIAL = Rules()
"""The game as published: no house rule."""


def legal_plays(hand: CardSet, led_suit: int | None, *, rules: Rules = OFFICIAL) -> CardSet:
    """The cards a seat may play: anything when leading (`led_suit` None), else it follows suit if it can.

    >>> from crewsolve.cards import Deck
    >>> hand = CardSet.parse("B1 B3 G2 R1", Deck.parse("2x3+2"))
    >>> str(legal_plays(hand, 1)), str(legal_plays(hand, 1, rules=Rules(trumps_anytime=True)))
    ('B1 B3', 'B1 B3 R1')
    """
    return hand.deck.from_mask(legal_mask(hand.mask, led_suit, hand.deck.suit_masks, rules))


def legal_mask(hand_mask: int, led_suit: int | None, suit_masks: Sequence[int], rules: Rules) -> int:
    """`legal_plays` on raw masks; `suit_masks` as in `Deck.suit_masks`."""
    if led_suit is None:
        return hand_mask
    following = hand_mask & suit_masks[led_suit]
    if not following:
        return hand_mask
    if rules.trumps_anytime:
        return following | (hand_mask & suit_masks[ROCKETS])
    return following


def trick_winner(cards: Sequence[Card], leader: int) -> int:
    """The seat that wins a full trick of `cards` in playing order, led by `leader`.

    >>> trick_winner([Card.parse(c) for c in ("B3", "G9", "B5", "R1")], leader=2)
    1
    """
    led_suit = cards[0].suit
    strength = [(card.is_rocket, card.suit == led_suit, card.rank) for card in cards]
    return (leader + strength.index(max(strength))) % len(cards)


def proves_void(card: Card, led_suit: int, rules: Rules) -> bool:
    """Whether playing `card` on a trick of `led_suit` shows that the seat has no card of that suit."""
    if card.suit == led_suit:
        return False
    return not (rules.trumps_anytime and card.is_rocket)
