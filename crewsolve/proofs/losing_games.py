"""How many two-player deals with one task cannot be won: four closed sums for every deck.

The suit of the task is fixed (Witteveen, Lemma 3.13), player 1 holds n₁ = ⌈SV/2⌉ cards, k_i of suit i,
and r is the task's suit. By the theorem in `two_player` a deal loses with the task in the first hand if
player 2 holds no lower card of suit r, player 1 holds no whole suit, and

- S1: player 1 has no directly winning card, though player 2 holds more cards in some other suit. Then
  player 1 holds the k_i lowest cards of each suit and the task is one of the k_r lowest:
  S1 = Σ k_r over 0 ≤ k_i ≤ V-1, Σ k_i = n₁, some other k_i < V/2;
- S2: player 2 holds more cards in no other suit, whatever the cards are. Over the ranks of the task
  Σ_t C(V-t, k_r-t) = C(V, k_r-1), so S2 = Σ C(V, k_r-1) Π C(V, k_i) over V/2 ≤ k_i ≤ V-1;

and with the task in the second hand if player 1 holds no higher card of suit r, no whole other suit, and

- S3: no directly winning card, though more cards in some other suit:
  S3 = Σ (V-k_r) over 0 ≤ k_i ≤ V-1, Σ k_i = n₁, some other k_i > V/2;
- S4: more cards in no other suit: S4 = Σ C(V, k_r+1) Π C(V, k_i) over k_i ≤ V/2.

Bounded compositions have a closed form by inclusion and exclusion; the products are coefficients of
powers of one polynomial. Why S1 = S3 and S2 = S4 on even decks is in `docs/theory.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal
from crewsolve.errors import BadDeck
from crewsolve.tasks import FixedTasks


@dataclass(frozen=True, slots=True)
class LosingCount:
    """Losing deals of two players and one task of a fixed suit, by cause, and all deals."""

    s1: int
    s2: int
    s3: int
    s4: int
    total: int

    @property
    def first_hand(self) -> int:
        """Losing deals with the task in the first hand."""
        return self.s1 + self.s2

    @property
    def second_hand(self) -> int:
        """Losing deals with the task in the second hand."""
        return self.s3 + self.s4

    @property
    def losing(self) -> int:
        """All losing deals."""
        return self.first_hand + self.second_hand

    def to_json(self) -> dict[str, int]:
        """The object that `count losing --json` prints."""
        return {
            "s1": self.s1, "s2": self.s2, "s3": self.s3, "s4": self.s4,
            "first_hand": self.first_hand, "second_hand": self.second_hand,
            "losing": self.losing, "total": self.total,
        }  # fmt: skip


def count_losing(deck: Deck) -> LosingCount:
    """The numbers of losing deals of a deck without rockets.

    >>> count_losing(Deck.parse("4x9"))
    LosingCount(s1=2037, s2=112402080, s3=2037, s4=112402080, total=81676217700)
    """
    s, v, first = _shape(deck)
    least, most = (v + 1) // 2, v // 2
    full = _power([comb(v, k) if least <= k < v else 0 for k in range(v + 1)], s - 1)
    few = _power([comb(v, k) if k <= most else 0 for k in range(v + 1)], s - 1)
    s1 = sum(k * _some_below(v, s - 1, first - k, least) for k in range(1, v))
    s2 = sum(comb(v, k - 1) * _at(full, first - k) for k in range(1, v))
    s3 = sum((v - k) * _some_above(v, s - 1, first - k, most) for k in range(v))
    s4 = sum(comb(v, k + 1) * _at(few, first - k) for k in range(v))
    return LosingCount(s1, s2, s3, s4, v * comb(s * v, first))


def count_document_differs(deck: Deck) -> int:
    """The deals that Witteveen's own form calls winnable although they are not: none on even decks.

    On an odd deck its condition on discards always holds, so these are the deals of S2 that have a
    directly winning card: S2 without those where player 1 holds the lowest cards of every suit.
    """
    s, v, first = _shape(deck)
    if (s * v) % 2 == 0:
        return 0
    least = (v + 1) // 2
    lowest = sum(k * bounded(s - 1, first - k - least * (s - 1), v - 1 - least) for k in range(1, v))
    return count_losing(deck).s2 - lowest


def bounded(parts: int, total: int, most: int) -> int:
    """The ways to write `total` as an ordered sum of `parts` numbers from 0 to `most`.

    >>> bounded(2, 3, 2)
    2
    """
    if parts == 0:
        return int(total == 0)
    if total < 0 or most < 0:
        return 0
    return sum(
        (-1) ** j * comb(parts, j) * comb(total - j * (most + 1) + parts - 1, parts - 1)
        for j in range(min(parts, total // (most + 1)) + 1)
    )


def _some_below(v: int, suits: int, total: int, least: int) -> int:
    """Tuples of counts 0..V-1 in the other suits, at least one of them below `least`."""
    return bounded(suits, total, v - 1) - bounded(suits, total - suits * least, v - 1 - least)


def _some_above(v: int, suits: int, total: int, most: int) -> int:
    """Tuples of counts 0..V-1 in the other suits, at least one of them above `most`."""
    return bounded(suits, total, v - 1) - bounded(suits, total, min(most, v - 1))


def _power(coefficients: list[int], exponent: int) -> list[int]:
    """The coefficients of a polynomial with non-negative coefficients to a power.

    The polynomial is evaluated at a power of two so large that no coefficient of the result overflows its
    place (Kronecker substitution): one power of a Python integer then does all the work.
    """
    width = (sum(coefficients) ** exponent).bit_length() + 1
    packed = sum(c << (width * k) for k, c in enumerate(coefficients)) ** exponent
    degree = (len(coefficients) - 1) * exponent
    mask = (1 << width) - 1
    return [packed >> (width * k) & mask for k in range(degree + 1)]


def _at(coefficients: list[int], place: int) -> int:
    return coefficients[place] if 0 <= place < len(coefficients) else 0


def _shape(deck: Deck) -> tuple[int, int, int]:
    if deck.rockets or deck.size < 2:
        raise BadDeck(f"the count is for decks of two cards or more without rockets, like 4x9, not {deck}")
    return deck.colours, deck.ranks, (deck.size + 1) // 2


def enumerate_deals(deck: Deck) -> Iterator[Deal]:
    """Every deal that `count_losing` counts in its total: task of suit B, seat 0 leads and owns it."""
    _, v, first = _shape(deck)
    everything = range(deck.size)
    for chosen in combinations(everything, first):
        mask = sum(1 << card for card in chosen)
        hands = (deck.from_mask(mask), deck.from_mask(deck.all_mask ^ mask))
        for rank in range(1, v + 1):
            yield Deal(deck, hands, 0, FixedTasks.of({Card(1, rank): 0}, deck))
