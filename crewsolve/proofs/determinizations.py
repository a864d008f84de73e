"""Determinizations: the ways to complete what one seat sees to a full deal.

For every hand its size and the set of cards it may hold are known (de Jong 2021, section 5.2). Cards that
the same hands may hold are interchangeable, so the cards fall into at most 2ⁿ - 1 classes, and a
distribution is a split of each class plus a choice of which of its cards go where. The table below takes
the classes one by one and, inside a class, the hands one by one; a state is what the hands still need and
what is left of the class. That is polynomial in the number of cards for a fixed number of hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb

from crewsolve.errors import BadDeal
from crewsolve.view import View

State = tuple[tuple[int, ...], int]
"""The cards each hand still needs, and the cards left of the running class."""


@dataclass(frozen=True)
class Hidden:
    """For every hand how many cards it holds and, as a mask, which cards it may hold.

    Together the hands hold all cards that any of them may hold. From a view the hands are the seats in
    order, the viewer's own among them.

    >>> Hidden((1, 1), (0b11, 0b10)).classes
    ((1, (0,)), (2, (0, 1)))
    """

    sizes: tuple[int, ...]
    may: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.may):
            raise BadDeal(f"{len(self.sizes)} sizes for {len(self.may)} sets of cards: one for each hand")
        if not self.sizes or min(self.sizes) < 0:
            raise BadDeal("give the size of at least one hand, none of them negative")
        if sum(self.sizes) != self.cards.bit_count():
            raise BadDeal(
                f"the hands hold {sum(self.sizes)} cards together, but {self.cards.bit_count()} different "
                "cards may be held: every card must be in a hand and every hand full"
            )

    @classmethod
    def of_view(cls, view: View) -> Hidden:
        """What a seat knows: cards seen, proven voids, and the highest rocket where the rule shows it."""
        return cls(view.sizes, tuple(view.may_hold(seat).mask for seat in range(view.seats)))

    @cached_property
    def cards(self) -> int:
        """The mask of all cards."""
        everything = 0
        for mask in self.may:
            everything |= mask
        return everything

    @cached_property
    def classes(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The cards that the same hands may hold, as masks with those hands; the freest cards last.

        In this order the split of the last class is forced, and it is the one with the most ways.
        """
        groups: dict[tuple[int, ...], int] = {}
        for card in cards_of(self.cards):
            holders = tuple(hand for hand, mask in enumerate(self.may) if mask >> card & 1)
            groups[holders] = groups.get(holders, 0) | 1 << card
        order = sorted(groups.items(), key=lambda group: (len(group[0]), group[1].bit_count(), group[0]))
        return tuple((mask, holders) for holders, mask in order)

    def given(self, card: int, hand: int) -> Hidden:
        """The same when it is known that `hand` holds the card with this bit number."""
        bit = 1 << card
        may = tuple(mask if place == hand else mask & ~bit for place, mask in enumerate(self.may))
        return Hidden(self.sizes, may)


def cards_of(mask: int) -> list[int]:
    """The bit numbers of a mask, in rising order."""
    return [card for card in range(mask.bit_length()) if mask >> card & 1]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the table: a hand takes some cards of a class, or all that are left of it."""

    group: int
    hand: int
    takes_rest: bool
    later: tuple[int, ...]


class Table:
    """The number of completions from every reachable state, built once and then asked or sampled.

    `rows[i]` are the states before step i; `options[i][row]` lists what the hand may take and the row it
    leads to; `weights[i][row]` is the exact number of ways to complete.
    """

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden
        self.steps = _steps(hidden)
        self.rows: list[list[State]] = []
        self.options: list[list[list[tuple[int, int]]]] = []
        self._reach()
        self.weights = self._weigh()

    @property
    def count(self) -> int:
        """The number of distributions."""
        return self.weights[0][0]

    def _reach(self) -> None:
        groups = [mask.bit_count() for mask, _ in self.hidden.classes]
        states: dict[State, int] = {(self.hidden.sizes, groups[0] if groups else 0): 0}
        for number, step in enumerate(self.steps):
            self.rows.append(list(states))
            after: dict[State, int] = {}
            options = []
            following = groups[step.group + 1] if step.takes_rest and number + 1 < len(self.steps) else None
            for left, rest in self.rows[-1]:
                row = []
                for taken in _takes(step, left, rest):
                    hands = (*left[: step.hand], left[step.hand] - taken, *left[step.hand + 1 :])
                    state = (hands, rest - taken if following is None else following)
                    row.append((taken, after.setdefault(state, len(after))))
                options.append(row)
            self.options.append(options)
            states = after
        self.rows.append(list(states))

    def _weigh(self) -> list[list[int]]:
        weights = [[int(not any(left)) for left, _ in self.rows[-1]]]
        for states, options in zip(reversed(self.rows[:-1]), reversed(self.options), strict=True):
            after = weights[0]
            here = [
                sum(comb(rest, taken) * after[row] for taken, row in options[index])
                for index, (_, rest) in enumerate(states)
            ]
            weights.insert(0, here)
        return weights if weights[0] else [[0]]

    def splits(self) -> list[list[Fraction]]:
        """For every class and hand the expected number of its cards, over all distributions."""
        expected = [[0] * len(self.hidden.sizes) for _ in self.hidden.classes]
        arrivals = [1]
        for number, step in enumerate(self.steps):
            following = [0] * len(self.rows[number + 1])
            for index, (_, rest) in enumerate(self.rows[number]):
                for taken, row in self.options[number][index]:
                    ways = arrivals[index] * comb(rest, taken)
                    following[row] += ways
                    expected[step.group][step.hand] += taken * ways * self.weights[number + 1][row]
            arrivals = following
        return [[Fraction(number, self.count) for number in row] for row in expected]


def _steps(hidden: Hidden) -> list[Step]:
    return [
        Step(group, hand, place == len(holders) - 1, holders[place + 1 :])
        for group, (_, holders) in enumerate(hidden.classes)
        for place, hand in enumerate(holders)
    ]


def _takes(step: Step, left: tuple[int, ...], rest: int) -> range:
    """How many cards the hand may take so that later hands can take the rest of the class."""
    most = min(rest, left[step.hand])
    least = rest if step.takes_rest else max(0, rest - sum(left[hand] for hand in step.later))
    return range(least, most + 1)


def count_determinizations(hidden: Hidden) -> int:
    """The number of ways to give every hand its cards.

    >>> count_determinizations(Hidden((1, 1, 1), (0b110, 0b111, 0b011)))
    3
    """
    return Table(hidden).count


def probability(hidden: Hidden, card: int, hand: int) -> Fraction:
    """The probability that a hand holds a card, all distributions being equally likely (de Jong, eq. 21)."""
    total = count_determinizations(hidden)
    _refuse_impossible(total)
    if not hidden.may[hand] >> card & 1:
        return Fraction(0)
    return Fraction(count_determinizations(hidden.given(card, hand)), total)


def probabilities(hidden: Hidden) -> list[dict[int, Fraction]]:
    """For every hand the probability that it holds each card it may hold, all from one table.

    >>> probabilities(Hidden((1, 1, 1), (0b110, 0b111, 0b011)))[0]
    {1: Fraction(1, 3), 2: Fraction(2, 3)}
    """
    table = Table(hidden)
    _refuse_impossible(table.count)
    expected = table.splits()
    result: list[dict[int, Fraction]] = [{} for _ in hidden.sizes]
    for (mask, holders), row in zip(hidden.classes, expected, strict=True):
        for hand in holders:
            share = row[hand] / mask.bit_count()
            result[hand].update(dict.fromkeys(cards_of(mask), share))
    return [dict(sorted(cards.items())) for cards in result]


def _refuse_impossible(total: int) -> None:
    if total == 0:
        raise BadDeal("no distribution gives every hand its number of cards")


def enumerate_determinizations(hidden: Hidden) -> Iterator[tuple[int, ...]]:
    """Every distribution as one mask per hand, for small cases."""

    def fill(hand: int, left: int) -> Iterator[tuple[int, ...]]:
        if hand == len(hidden.sizes):
            if not left:
                yield ()
            return
        for chosen in combinations(cards_of(hidden.may[hand] & left), hidden.sizes[hand]):
            mask = sum(1 << card for card in chosen)
            for others in fill(hand + 1, left & ~mask):
                yield (mask, *others)

    return fill(0, hidden.cards)


def is_feasible(hidden: Hidden) -> bool:
    """Whether there is a distribution at all: a maximum flow from the classes to the hands fills them."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(["cards", "hands"])
    for number, (mask, holders) in enumerate(hidden.classes):
        graph.add_edge("cards", ("class", number), capacity=mask.bit_count())
        for hand in holders:
            graph.add_edge(("class", number), ("hand", hand))
    for hand, size in enumerate(hidden.sizes):
        graph.add_edge(("hand", hand), "hands", capacity=size)
    return bool(nx.maximum_flow_value(graph, "cards", "hands") == sum(hidden.sizes))
