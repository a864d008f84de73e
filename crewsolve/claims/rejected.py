"""De Jong 2021, sections 5.2.2 to 5.2.5: the rejected methods, Figures 5 to 8, Lemma 2, Examples 1 and 2.

Cards are 0 = hearts, 1 = clubs, 2 = spades; hands are North, East, West, as Figure 6 lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import comb, prod

from crewsolve.claims.claim import DE_JONG, Cases, Claim, Effort, as_many_wrong, constant, expect
from crewsolve.proofs import biased
from crewsolve.proofs.determinizations import (
    Hidden,
    cards_of,
    count_determinizations,
    enumerate_determinizations,
    probability,
)
from crewsolve.randomness import Stream

HEARTS, CLUBS, SPADES = range(3)
NORTH = 0
FIGURE_6 = ((4, 2, 1), (4, 1, 2), (2, 4, 1), (2, 1, 4), (1, 4, 2), (1, 2, 4))
"""The six assignments as printed: masks of North, East, West with spades before clubs before hearts."""
FIGURE_5 = Hidden((1, 1, 1), (0b011, 0b101, 0b110))
"""The only restrictions that leave exactly assignments 4 and 5: each player misses one suit."""


def _numbers(hidden: Hidden) -> tuple[int, ...]:
    """The numbers in Figure 6 of the possible assignments."""
    possible = set(enumerate_determinizations(hidden))
    return tuple(number for number, hands in enumerate(FIGURE_6, 1) if hands in possible)


def _figure_6(effort: Effort) -> tuple[Fraction, ...]:
    drawn = biased.backtracking(FIGURE_5)
    return tuple(drawn.get(hands, Fraction(0)) for hands in FIGURE_6)


def _check_figure_6(effort: Effort) -> str:
    listed = [tuple(1 << card for card in order) for order in permutations((SPADES, CLUBS, HEARTS))]
    expect(tuple(listed), FIGURE_6, "the order of Figure 6")
    good = [all(mask & may for mask, may in zip(h, FIGURE_5.may, strict=True)) for h in listed]
    ends = []
    for start in range(6):
        place = start
        while not good[place]:
            place = (place + 1) % 6
        ends.append(place + 1)
    expect(ends, [4, 4, 4, 4, 5, 4], "where backtracking ends from each start")
    return "all six starts walked by hand through itertools.permutations"


def _valid_in_figure_7(effort: Effort) -> tuple[int, ...]:
    return _numbers(biased.figure_7())


def _check_figure_7(effort: Effort) -> str:
    valid = tuple(
        number
        for number, (north, _, west) in enumerate(permutations((SPADES, CLUBS, HEARTS)), 1)
        if north != SPADES and west != HEARTS
    )
    expect(valid, _valid_in_figure_7(effort), "valid assignments")
    expect(len(valid), count_determinizations(biased.figure_7()), "their number")
    return "all permutations filtered by the picture; count by table"


def _north(effort: Effort) -> tuple[Fraction, ...]:
    """The shares of hearts, clubs and spades in North's hand."""
    return tuple(probability(biased.figure_7(), card, NORTH) for card in (HEARTS, CLUBS, SPADES))


def _check_north(effort: Effort) -> str:
    listed = [FIGURE_6[number - 1] for number in _valid_in_figure_7(effort)]
    shares = tuple(Fraction(sum(h[NORTH] >> card & 1 for h in listed), len(listed)) for card in range(3))
    expect(shares, _north(effort), "North's shares")
    first = biased.most_restricted_first(biased.figure_7())
    expect(biased.holding(first, HEARTS, NORTH), Fraction(1, 2), "hearts for North by Algorithm 2")
    return "the three valid assignments counted; exact distribution of Algorithm 2 (hearts 1/2)"


def _figure_8(effort: Effort) -> Fraction:
    return biased.holding(biased.uniform_selection(biased.figure_7()), HEARTS, NORTH)


def runs(hidden: Hidden, hands: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every run of uniform random selection from partial hands on: where it ends, and its probability."""
    left = hidden.cards & ~sum(hands)
    waiting = [p for p, mask in enumerate(hands) if mask.bit_count() < hidden.sizes[p]]
    if not waiting:
        yield hands, Fraction(1)
    for p in waiting:
        cards = cards_of(left & hidden.may[p])
        if not cards:
            yield hands, Fraction(1, len(waiting))
        for card in cards:
            after = tuple(mask | 1 << card if q == p else mask for q, mask in enumerate(hands))
            for end, chance in runs(hidden, after):
                yield end, chance / (len(waiting) * len(cards))


def figure_8_terms() -> tuple[Fraction, ...]:
    """The chance that North gets hearts, by the first card that is given; impossible starts left out."""
    hidden = biased.figure_7()
    terms = []
    for p in range(3):
        for card in reversed(cards_of(hidden.may[p])):
            start = tuple(1 << card if q == p else 0 for q in range(3))
            chance = sum((c for end, c in runs(hidden, start) if end[NORTH] == 1), Fraction(0))
            terms.append(chance / (3 * hidden.may[p].bit_count()))
    return tuple(sorted(term for term in terms if term))


def _check_figure_8(effort: Effort) -> str:
    printed = (Fraction(1, 6), Fraction(1, 12), Fraction(1, 9), Fraction(1, 8), Fraction(1, 12))
    expect(figure_8_terms(), tuple(sorted(printed)), "the five terms")
    expect(sum(figure_8_terms()), _figure_8(effort), "their sum")
    drawn = biased.uniform_selection(biased.figure_7())
    share = _figure_8(effort) / (1 - drawn[biased.DEAD_END])
    expect(share != Fraction(2, 3), True, "bias among finished runs")
    return f"all runs walked: the five printed terms; {share} even among the runs that do not get stuck"


def chains(number: int) -> Iterator[Hidden]:
    """Random chains of sets with hand sizes that fit."""
    stream = Stream(23)
    for _ in range(number):
        cards, hands = 2 + stream.below(5), 2 + stream.below(2)
        ends = sorted(1 + stream.below(cards) for _ in range(hands - 1))
        sizes: list[int] = []
        for end in ends:
            sizes.append(stream.below(end - sum(sizes) + 1))
        order = stream.shuffled(range(cards))
        may = [sum(1 << card for card in order[:end]) for end in (*ends, cards)]
        yield Hidden((*sizes, cards - sum(sizes)), tuple(may))


def _unfair_chains(effort: Effort) -> Cases:
    number = effort.choose(100, 2000)
    wrong = sum(not biased.is_uniform(biased.most_restricted_first(h), h) for h in chains(number))
    return Cases(wrong, number)


def _check_chains(effort: Effort) -> str:
    number = effort.choose(100, 2000)
    for hidden in chains(number):
        choices = prod(
            comb(may.bit_count() - sum(hidden.sizes[:hand]), hidden.sizes[hand])
            for hand, may in enumerate(hidden.may)
        )
        expect(count_determinizations(hidden), choices, f"runs and distributions of {hidden}")
    return f"as many equally likely runs as distributions, {number:,} random chains"


def _ring(effort: Effort) -> tuple[tuple[int, int], ...]:
    """For P = 2..6 the valid assignments, and the fewest cards that must be switched at once."""
    import networkx as nx

    found = []
    for players in range(2, 7):
        hidden = biased.ring(players)
        switch = next(
            cards
            for cards in range(1, players + 1)
            if nx.number_connected_components(biased.switch_graph(hidden, cards)) == 1
        )
        found.append((count_determinizations(hidden), switch))
    return tuple(found)


def _check_ring(effort: Effort) -> str:
    for players in range(2, 9):
        first, second = enumerate_determinizations(biased.ring(players))
        moved = sum((a & ~b).bit_count() for a, b in zip(first, second, strict=True))
        expect(moved, players, "cards that differ between the two assignments")
    return "the two assignments compared card by card, P = 2..8; components by networkx, P = 2..6"


def ring_as_printed(players: int) -> Hidden:
    """Example 1 read literally: players and suits 1..P, player p may hold p or (p + 1) mod P."""
    may = tuple(sum(1 << suit for suit in {p, (p + 1) % players} if suit) for p in range(1, players + 1))
    return Hidden((1,) * players, may)


def _printed_ring(effort: Effort) -> tuple[int, ...]:
    return tuple(count_determinizations(ring_as_printed(players)) for players in range(3, 8))


def _check_printed_ring(effort: Effort) -> str:
    for players in range(3, 8):
        listed = list(enumerate_determinizations(ring_as_printed(players)))
        expect(len(listed), 1, f"assignments for {players} players")
    return "all assignments listed, P = 3..7"


CLAIMS = (
    Claim(
        "dj-example-1",
        DE_JONG,
        "Example 1",
        "2 assignments, all P cards switched at once (P = 2..6)",
        lambda effort: tuple((2, players) for players in range(2, 7)),
        _ring,
        _check_ring,
    ),
    Claim(
        "dj-example-1-index",
        DE_JONG,
        "Example 1, index",
        "suit p or (p + 1) mod P: exactly 2 assignments",
        constant((2,) * 5),
        _printed_ring,
        _check_printed_ring,
        lambda effort: "(p + 1) mod P is 0 for p = P - 1, which is no suit of 1..P; meant is p mod P + 1",
    ),
    Claim(
        "dj-figure-6",
        DE_JONG,
        "Figures 5 and 6",
        "backtracking: 4 from five starts, 5 from one",
        constant((0, 0, 0, Fraction(5, 6), Fraction(1, 6), 0)),
        _figure_6,
        _check_figure_6,
    ),
    Claim(
        "dj-figure-7",
        DE_JONG,
        "Figure 7, Example 2",
        "only assignments 4, 5 and 6 are valid",
        constant((4, 5, 6)),
        _valid_in_figure_7,
        _check_figure_7,
    ),
    Claim(
        "dj-example-2",
        DE_JONG,
        "Example 2, text",
        "North has ♥ in 2 of 3 and ♠ in 1 of 3 (♥, ♣, ♠: 2/3, 0, 1/3)",
        constant((Fraction(2, 3), Fraction(0), Fraction(1, 3))),
        _north,
        _check_north,
        lambda effort: "Figure 7 says North has no ♠: the card in 1 of 3 is ♣ (the argument stands)",
    ),
    Claim(
        "dj-lemma-2",
        DE_JONG,
        "Lemma 2",
        "most restricted first is uniform on chains: 0 cases not",
        constant(0),
        _unfair_chains,
        _check_chains,
        agree=as_many_wrong,
    ),
    Claim(
        "dj-figure-8",
        DE_JONG,
        "Figure 8, section 5.2.5",
        "1/6 + 1/12 + 1/9 + 1/8 + 1/12 = 41/72 ≠ 2/3",
        constant(Fraction(41, 72)),
        _figure_8,
        _check_figure_8,
    ),
)
