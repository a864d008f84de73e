"""What a position is worth to each strategy, in plain words (Dietrich 2019, chapter 3).

All values are whole numbers, the higher the better: capacities are weighted by whole numbers, penalties are
rounded to a common grid. So equal positions compare equal, and ties are ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, lcm, log2, prod
from typing import NamedTuple, Protocol

from crewsolve.thegame.model import Parameters, State

FINEST = 32
"""Penalties are rounded to multiples of 2 to the power of minus this, or coarser where they are huge."""


class Value(Protocol):
    """A value function of states."""

    def __call__(self, state: State) -> int:
        """The worth of a state: the higher, the better."""
        ...


@dataclass(frozen=True)
class Capacity:
    """The weighted sum of the piles' capacities, perceived or real (sections 3.1 to 3.3)."""

    parameters: Parameters
    weights: tuple[Fraction, ...]
    is_real: bool

    @property
    def whole_weights(self) -> tuple[int, ...]:
        """The weights times their common denominator: only their ratio matters."""
        scale = lcm(*(weight.denominator for weight in self.weights))
        return tuple(int(weight * scale) for weight in self.weights)

    def __call__(self, state: State) -> int:
        """Count what every pile could still take."""
        count = self.real if self.is_real else self.perceived
        return sum(weight * count(state, pile) for pile, weight in enumerate(self.whole_weights))

    @staticmethod
    def perceived(state: State, pile: int) -> int:
        """The distance from the top to the last card that the pile could show."""
        rules = state.parameters
        return rules.high - state.tops[pile] if rules.ascends(pile) else state.tops[pile] - rules.low

    @staticmethod
    def real(state: State, pile: int) -> int:
        """The number of unplayed cards that the pile would take."""
        return sum(state.parameters.allows(pile, state.tops[pile], card) for card in state.unplayed)


class Reading(NamedTuple):
    """What counts as a bridge, where the description of section 3.5.3 can be read in more than one way."""

    direct: bool = False
    """The card of the direct backwards trick, whose other end is the pile itself."""

    held: bool = True
    """A pair that is complete in hand, as the text says; the sets s_b and d_b leave it out."""

    slip: bool = False
    """The pairs of descending piles are (k, k + b) for (k, k - b), as with one sign written wrongly."""


AS_MEANT = Reading()
"""The description as its text means it."""


@dataclass(frozen=True)
class Penalty:
    """Minus the penalties of all unplayed cards, each a product over the piles (sections 3.4 and 3.5).

    A card costs `open_` on a pile that takes it and `closed(distance)` on one that does not. Without `bridge`
    that is all. With it, a card less than a trick away costs `bridge(deck, single, double)`, where the
    arguments are the size of the deck, the number of bridges that lack one card and of those that lack two;
    it costs nothing extra when a bridge is complete in hand. The reading says which pairs are bridges.
    """

    parameters: Parameters
    open_: float
    closed: Sequence[float]
    bridge: Sequence[Sequence[Sequence[float]]] | None = None
    reading: Reading = AS_MEANT

    @property
    def grid(self) -> int:
        """Penalties are rounded to multiples of 2 ** -grid; their sum must stay exact in a float."""
        highest = max(abs(self.open_), *map(abs, self.closed))
        total = max(1.0, self.parameters.size * highest**self.parameters.piles)
        return min(FINEST, 50 - int(log2(total)) - 1)

    def __call__(self, state: State) -> int:
        """Add up the rounded penalties."""
        rows = [self.row(state, pile) for pile in range(self.parameters.piles)]
        up, down = rows[: self.parameters.up], rows[self.parameters.up :]
        scale = 2.0**self.grid
        total = 0
        for card in state.unplayed:
            product = prod((row[card] for row in up), start=1.0) * prod(
                (row[card] for row in down), start=1.0
            )
            total += round(product * scale)
        return -total

    def row(self, state: State, pile: int) -> dict[int, float]:
        """The penalty of every unplayed card on one pile."""
        rules, top = self.parameters, state.tops[pile]
        row = {
            card: self.open_ if rules.allows(pile, top, card) else self.closed[abs(card - top)]
            for card in state.unplayed
        }
        if self.bridge is not None:
            table = self.bridge[len(state.deck)]
            for card in self._near(state, pile):
                single, double, is_held = self.count_bridges(state, pile, card)
                row[card] = 1.0 if is_held else table[single][double]
        return row

    def _near(self, state: State, pile: int) -> list[int]:
        """The unplayed cards that one backwards trick on this pile might recover."""
        if state.tops[pile] not in self.parameters.cards:
            return []
        behind = 1 if self.parameters.ascends(pile) else -1
        return [
            card for card in state.unplayed if 0 < behind * (state.tops[pile] - card) < self.parameters.trick
        ]

    def count_bridges(self, state: State, pile: int, card: int) -> tuple[int, int, bool]:
        """Bridges that recover a card: lacking one card, lacking two, and whether one is complete in hand."""
        rules, top = self.parameters, state.tops[pile]
        toward = 1 if rules.ascends(pile) else -1
        single = double = 0
        is_held = False
        for near in range(top - toward * rules.trick, card + toward, toward):
            far = near + (1 if self.reading.slip else toward) * rules.trick
            ends = [near] if far == top else [near, far]
            if (far == top and not self.reading.direct) or not all(end in state.unplayed for end in ends):
                continue
            lacking = sum(end not in state.hand for end in ends)
            single += lacking == 1
            double += lacking == 2
            is_held = is_held or (lacking == 0 and (self.reading.held or far == top))
        return single, double, is_held


def recovery(deck: int, single: int, double: int, *, draws: int = 2) -> Fraction:
    """The chance that `draws` cards complete a bridge: any of the single cards, or both of a pair.

    Counts the hands that complete none: no single card, and at most one of each pair. The printed tree
    (Figure 3.12) takes a card of a pair with chance d/|D| although a pair has two cards.

    >>> recovery(10, 1, 1)
    Fraction(2, 9)
    """
    draws = min(draws, deck)
    rest = deck - single - 2 * double
    none = sum(comb(double, k) * 2**k * comb(rest, draws - k) for k in range(min(double, draws) + 1))
    return 1 - Fraction(none, comb(deck, draws))


def printed_recovery(deck: int, single: int, double: int) -> Fraction:
    """The chance as printed in section 3.5.3, for two draws."""
    if deck < 2:
        return Fraction(single, deck) if deck else Fraction(0)
    first = Fraction(single, deck) + Fraction(double, deck) * Fraction(single + 1, deck - 1)
    return first + Fraction(deck - single - double, deck) * Fraction(single, deck - 1)


def soft_distance(alpha: float, beta: float, gamma: float, size: int) -> list[float]:
    """Penalties by distance: the full one less a bonus that fades with the distance (equation 3.2).

    Printed without the minus sign in the exponent; the text says that recovery becomes exponentially less
    likely with the distance, and the conclusion calls the function a negative exponential one.
    """
    return [alpha, *(alpha - beta * exp(-gamma * (distance - 1)) for distance in range(1, size + 2))]


def bridge_table(parameters: Parameters, alpha: float, power: float) -> list[list[list[float]]]:
    """Penalties by deck size and numbers of bridges: 1 + (alpha - 1) (1 - rho ** power).

    Printed as (1 - rho) ** power, which for a power below 1 would weaken the chance instead of amplifying it.
    """
    ends = parameters.trick + 1

    def cost(deck: int, single: int, double: int) -> float:
        if single + 2 * double > deck:
            return 1.0  # cannot occur
        chance = float(recovery(deck, single, double, draws=parameters.turn))
        return 1.0 + (alpha - 1.0) * (1.0 - chance**power)

    return [
        [[cost(deck, single, double) for double in range(ends)] for single in range(ends)]
        for deck in range(parameters.size + 1)
    ]
