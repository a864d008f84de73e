"""Ways to draw a determinization that are not uniform, with their exact distributions.

De Jong 2021, sections 5.2.1 to 5.2.5, proves Algorithm 1 uniform and rejects the others. Each function
here returns the probability of every distribution (one mask per hand) as fractions; `DEAD_END` is the
probability that the method gets stuck. All of that is exponential and meant for small examples; only
`draw_by_selection` draws hands of any size, for a player that shows what the bias costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from crewsolve.errors import BadDeal
from crewsolve.proofs.determinizations import (
    Hidden,
    cards_of,
    count_determinizations,
    enumerate_determinizations,
    probability,
)
from crewsolve.randomness import Stream

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

Hands = tuple[int, ...]
Distribution = dict[Hands, Fraction]

DEAD_END: Hands = ()
"""Stands for the runs of a method that end without a distribution."""


def card_by_card(hidden: Hidden) -> Distribution:
    """Algorithm 1: place card after card, each with its exact probability."""
    result: Distribution = {}

    def place(known: Hidden, cards: list[int], chance: Fraction) -> None:
        if not cards:
            result[known.may] = result.get(known.may, Fraction(0)) + chance
            return
        for hand in range(len(known.sizes)):
            share = probability(known, cards[0], hand)
            if share:
                place(known.given(cards[0], hand), cards[1:], chance * share)

    place(hidden, cards_of(hidden.cards), Fraction(1))
    return result


def backtracking(hidden: Hidden) -> Distribution:
    """Start anywhere in the lexicographic order of all deals, go on to the next that is possible.

    Hands in order, high cards first (de Jong, Figure 6); after the last deal comes the first.
    """
    order = list(all_deals(hidden))
    good = [_fits(hands, hidden) for hands in order]
    if not any(good):
        return {DEAD_END: Fraction(1)}
    result: Distribution = {}
    for start in range(len(order)):
        steps = next(step for step in range(len(order)) if good[(start + step) % len(order)])
        hands = order[(start + steps) % len(order)]
        result[hands] = result.get(hands, Fraction(0)) + Fraction(1, len(order))
    return result


def all_deals(hidden: Hidden) -> Iterator[Hands]:
    """All deals of the cards in hands of the right sizes, possible or not: high cards first."""

    def fill(hand: int, left: int) -> Iterator[Hands]:
        if hand == len(hidden.sizes):
            yield ()
            return
        for chosen in combinations(reversed(cards_of(left)), hidden.sizes[hand]):
            mask = sum(1 << card for card in chosen)
            for others in fill(hand + 1, left & ~mask):
                yield (mask, *others)

    return fill(0, hidden.cards)


def _fits(hands: Hands, hidden: Hidden) -> bool:
    return not any(mask & ~may for mask, may in zip(hands, hidden.may, strict=True))


def most_restricted_first(hidden: Hidden) -> Distribution:
    """Algorithm 2: the hand with the fewest possible cards draws its whole hand from them, and so on.

    Among equally restricted hands the first one draws.
    """
    result: Distribution = {}

    def draw(may: Hands, waiting: tuple[int, ...], chance: Fraction) -> None:
        if not waiting:
            result[may] = result.get(may, Fraction(0)) + chance
            return
        hand = min(waiting, key=lambda p: may[p].bit_count())
        cards, size = cards_of(may[hand]), hidden.sizes[hand]
        if len(cards) < size:
            result[DEAD_END] = result.get(DEAD_END, Fraction(0)) + chance
        for chosen in combinations(cards, size):
            mask = sum(1 << card for card in chosen)
            rest = tuple(mask if p == hand else m & ~mask if p in waiting else m for p, m in enumerate(may))
            draw(rest, tuple(p for p in waiting if p != hand), chance / comb(len(cards), size))

    draw(hidden.may, tuple(range(len(hidden.sizes))), Fraction(1))
    return result


def uniform_selection(hidden: Hidden) -> Distribution:
    """Pick a hand that is not full, give it one of its possible cards, both uniformly, and go on."""
    result: Distribution = {}
    current: dict[Hands, Fraction] = {(0,) * len(hidden.sizes): Fraction(1)}
    for _ in range(sum(hidden.sizes)):
        following: dict[Hands, Fraction] = {}
        for hands, chance in current.items():
            for after, share in _one_card(hidden, hands):
                target = result if after == DEAD_END else following
                target[after] = target.get(after, Fraction(0)) + chance * share
        current = following
    return result | current


def _one_card(hidden: Hidden, hands: Hands) -> Iterator[tuple[Hands, Fraction]]:
    left = hidden.cards & ~sum(hands)
    waiting = [p for p, mask in enumerate(hands) if mask.bit_count() < hidden.sizes[p]]
    for hand in waiting:
        cards = cards_of(left & hidden.may[hand])
        if not cards:
            yield DEAD_END, Fraction(1, len(waiting))
        for card in cards:
            after = tuple(mask | 1 << card if p == hand else mask for p, mask in enumerate(hands))
            yield after, Fraction(1, len(waiting) * len(cards))


def draw_by_selection(hidden: Hidden, n: int, stream: Stream) -> NDArray[np.int64]:
    """`n` draws of `uniform_selection` as rows of masks; one that gets stuck starts again."""
    import numpy as np

    if not count_determinizations(hidden):
        raise BadDeal("no distribution gives every hand its number of cards: there is nothing to draw")
    drawn = np.empty((0, len(hidden.sizes)), np.int64)
    while len(drawn) < n:
        drawn = np.concatenate([drawn, _tries_by_selection(hidden, n, stream)])
    return drawn[:n]


def _tries_by_selection(hidden: Hidden, n: int, stream: Stream) -> NDArray[np.int64]:
    """Those of `n` tries that come to an end."""
    import numpy as np

    cards = cards_of(hidden.cards)
    may = np.array([[bool(mask >> card & 1) for card in cards] for mask in hidden.may])
    bits, rows = np.array([1 << card for card in cards], np.int64), np.arange(n)
    left, room = np.ones((n, len(cards)), bool), np.tile(np.array(hidden.sizes), (n, 1))
    masks, alive = np.zeros((n, len(hidden.sizes)), np.int64), np.ones(n, bool)
    for _ in cards:
        hand = _any_of(room > 0, stream)
        possible = left & may[hand]
        alive &= possible.any(axis=1)
        card = _any_of(possible, stream)
        left[rows, card] = False
        room[rows, hand] -= 1
        masks[rows, hand] |= bits[card]
    return masks[alive]


def _any_of(allowed: NDArray[np.bool_], stream: Stream) -> NDArray[np.intp]:
    """In each row the place of one that is allowed, all of them equally likely."""
    import numpy as np

    keys = stream.raws(allowed.size).reshape(allowed.shape) | np.uint64(1)
    return np.where(allowed, keys, np.uint64(0)).argmax(axis=1)


def holding(distribution: Mapping[Hands, Fraction], card: int, hand: int) -> Fraction:
    """The probability that a hand gets a card."""
    return sum(
        (chance for hands, chance in distribution.items() if hands and hands[hand] >> card & 1), Fraction(0)
    )


def is_uniform(distribution: Mapping[Hands, Fraction], hidden: Hidden) -> bool:
    """Whether every determinization, and nothing else, comes out with the same probability."""
    possible = list(enumerate_determinizations(hidden))
    return distribution == dict.fromkeys(possible, Fraction(1, max(1, len(possible))))


def bias(distribution: Mapping[Hands, Fraction], hidden: Hidden) -> Fraction:
    """The total variation distance from the uniform distribution: 0 is uniform, 1 is never right."""
    possible = list(enumerate_determinizations(hidden))
    everything = {*possible, *distribution}
    fair = dict.fromkeys(possible, Fraction(1, len(possible)))
    none = Fraction(0)
    return sum((abs(distribution.get(d, none) - fair.get(d, none)) for d in everything), none) / 2


def switch_graph(hidden: Hidden, cards: int) -> nx.Graph:
    """The determinizations, joined where moving at most `cards` cards makes one of the other.

    A chain that switches so many cards at once reaches exactly the connected component it starts in.
    """
    import networkx as nx

    graph = nx.Graph()
    possible = list(enumerate_determinizations(hidden))
    graph.add_nodes_from(possible)
    for one, other in combinations(possible, 2):
        moved = sum((a & ~b).bit_count() for a, b in zip(one, other, strict=True))
        if moved <= cards:
            graph.add_edge(one, other, moved=moved)
    return graph


def switch_chain(hidden: Hidden, cards: int, start: Hands) -> Distribution:
    """What a chain that switches at most so many cards at once tends to from a start.

    A switch and its reverse are equally likely and the chain may stay where it is, so in the long run it is
    uniform on what it can reach, and no closer to uniform on the whole than that.
    """
    import networkx as nx

    reached = nx.node_connected_component(switch_graph(hidden, cards), start)
    return dict.fromkeys(reached, Fraction(1, len(reached)))


def ring(players: int) -> Hidden:
    """De Jong's Example 1: player p may hold card p or the next one around the table, one card each.

    >>> [len(switch_graph(ring(4), k)) for k in (3, 4)]
    [2, 2]
    """
    return Hidden((1,) * players, tuple(1 << p | 1 << (p + 1) % players for p in range(players)))


def figure_7() -> Hidden:
    """De Jong's Figure 7 with hearts, clubs, spades as cards 0, 1, 2: North no spade, West no heart.

    The hands are North, East, West, as in Figure 6.

    >>> len(list(enumerate_determinizations(figure_7())))
    3
    """
    return Hidden((1, 1, 1), (0b011, 0b111, 0b110))
