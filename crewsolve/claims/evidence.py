"""Evidence from the solver: exhaustive counts on small decks, samples on the real one.

The predicate of the two-player theorem is compared with the solver here and never used by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement, islice
from math import factorial, prod
from typing import TYPE_CHECKING

from crewsolve.cards import MAX_BITS, Card, Deck
from crewsolve.claims.claim import Effort, expect
from crewsolve.deal import Deal, random_deals
from crewsolve.encodings import Limits, get_method
from crewsolve.proofs.losing_games import count_losing
from crewsolve.proofs.losing_side import CAUSES, edge_deal, losing_deal
from crewsolve.proofs.two_player import is_winnable, judge
from crewsolve.randomness import Stream
from crewsolve.result import Verdict
from crewsolve.rules import OFFICIAL
from crewsolve.simulator import verify
from crewsolve.solving import decide

if TYPE_CHECKING:
    from crewsolve.encodings.batch import Batch

REAL = Deck.parse("4x9")
BUDGET = Limits(nodes=50_000_000)
"""Far more than any deal here has needed; one that needs more must not hang the rest."""
EASY = 10_000
"""Nodes for a deal of a batch, whose table is small."""
CHUNK = 2000
"""Hands given to the solver at once: short enough to be interrupted."""


def decks_up_to(cards: int) -> list[Deck]:
    """Every deck without rockets of 2 to so many cards."""
    return [Deck(s, v) for s in range(1, cards + 1) for v in range(1, cards // s + 1) if s * v >= 2]


def small_decks(effort: Effort) -> list[Deck]:
    """The decks on which every deal is given to the solver."""
    if not effort.deep:
        return decks_up_to(12)
    twenty = [deck for deck in decks_up_to(20) if deck.size == 20]
    return [*decks_up_to(16), Deck(3, 6), Deck(2, 9), *twenty]


def is_lost(deal: Deal, *, method: str = "search") -> bool:
    """Whether the solver finds no way to win."""
    result = decide(deal, get_method(method), limits=BUDGET)
    expect(result.verdict is Verdict.UNKNOWN, False, f"undecided: {deal}")
    return result.verdict is Verdict.UNWINNABLE


def hands_up_to_suits(deck: Deck) -> Iterator[tuple[int, int]]:
    """The first hands of two-player deals with a task of suit B, up to permutations of the other suits.

    Each comes as a mask with the number of hands it stands for.
    """
    v, others = deck.ranks, deck.colours - 1
    size = (deck.size + 1) // 2
    subsets = range(1 << v)
    for rest in combinations_with_replacement(subsets, others):
        left = size - sum(mask.bit_count() for mask in rest)
        if not 0 <= left <= v:
            continue
        number = factorial(others) // prod(factorial(n) for n in Counter(rest).values())
        above = sum(mask << v * place for place, mask in enumerate(rest, 1))
        for own in subsets:
            if own.bit_count() == left:
                yield above | own, number


@cache
def losing_by_solver(deck: Deck) -> tuple[int, int]:
    """Losing deals with the task in the first hand and in the second, each deal decided by the solver."""
    found = [0, 0]
    hands = hands_up_to_suits(deck)
    while chunk := list(islice(hands, CHUNK)):
        for rank in range(1, deck.ranks + 1):
            task = deck.bit(Card(1, rank))
            for (mask, number), lost in zip(chunk, _lost(deck, task, [m for m, _ in chunk]), strict=True):
                if lost:
                    found[not mask & task] += number
    return found[0], found[1]


def _lost(deck: Deck, task: int, masks: list[int]) -> list[bool]:
    """For each first hand whether the solver finds that seat 0, who leads, cannot win the task."""
    import numpy as np

    from crewsolve.encodings.batch import Batch

    count = len(masks)
    first = np.array(masks, np.int64)
    owned, free = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
    owned[:, 0] = task
    hands = np.stack([first, deck.all_mask ^ first], axis=1)
    room = np.full((count, 2), MAX_BITS)
    return are_lost(Batch(deck, OFFICIAL, hands, np.zeros(count, np.int64), owned, free, room))


def are_lost(batch: Batch, *, hard: str = "search") -> list[bool]:
    """For each deal of a batch whether it is lost; the few that are hard are left to the method `hard`."""
    from crewsolve.encodings.batch import decide_batch

    verdicts = decide_batch(batch, nodes=EASY).verdicts
    return [
        is_lost(batch.deal(number), method=hard)
        if verdict is Verdict.UNKNOWN
        else verdict is Verdict.UNWINNABLE
        for number, verdict in enumerate(verdicts)
    ]


@cache
def check_counts(effort: Effort) -> str:
    """Compare the closed sums with the solver on every deal of small decks."""
    decks = small_decks(effort)
    for deck in decks:
        count = count_losing(deck)
        expect(losing_by_solver(deck), (count.first_hand, count.second_hand), f"losing deals of {deck}")
    largest = max(deck.size for deck in decks)
    return f"search on every deal of {len(decks)} decks of up to {largest} cards"


def agreeing(deals: Iterable[Deal], says: Callable[[Deal], bool] = is_winnable) -> int:
    """The number of deals, after theorem and solver have agreed on each; the theorem's playouts win."""
    number = 0
    for deal in deals:
        expect(not is_lost(deal), says(deal), f"solver and theorem on {deal}")
        playout = judge(deal).playout
        if playout is not None:
            verify(deal, playout)
        number += 1
    return number


def random_real_deals(number: int, *, seed: int) -> Iterator[Deal]:
    """Uniform deals of 36 cards to two players with one task."""
    return random_deals(REAL, seats=2, tasks=1, leader="first", seed=seed, count=number)


def losing_side(number: int, *, seed: int, parts: Iterable[str] = CAUSES) -> Iterator[Deal]:
    """Deals of the losing side in turn from its parts, every other one moved just across its edge."""
    stream, causes = Stream(seed), list(parts)
    for place in range(number):
        deal = losing_deal(REAL, stream, cause=causes[place // 2 % len(causes)])
        yield edge_deal(deal, stream) if place % 2 else deal


@cache
def check_share(effort: Effort) -> str:
    """Compare the share of losing deals with random deals of the real deck, by an exact binomial test."""
    from scipy.stats import binomtest

    from crewsolve.encodings.batch import random_batch

    number = effort.choose(1000, 30_000)
    lost = 0
    for start in range(0, number, CHUNK):
        keys = [(321, index) for index in range(start, min(start + CHUNK, number))]
        batch = random_batch(REAL, seats=2, tasks=1, leader="first", keys=keys)
        lost += sum(are_lost(batch))
    count = count_losing(REAL)
    p = float(binomtest(lost, number, count.losing / count.total).pvalue)
    expect(p > 0.001, True, f"{lost} of {number:,} random deals lost, p = {p:.4f},")
    return f"{lost} of {number:,} random deals of 36 cards lost by search (binomial test, p = {p:.2g})"


@cache
def check_real_deck(effort: Effort) -> str:
    """Compare the theorem with the solver on the real deck."""
    random = agreeing(random_real_deals(effort.choose(40, 10_000), seed=315))
    if effort.deep:
        losing = agreeing(losing_side(10_000, seed=316))
    else:  # proving a loss for want of room takes a million nodes
        losing = agreeing(losing_side(24, seed=316, parts=("s1", "s3")))
        losing += agreeing(losing_side(4, seed=317, parts=("s2", "s4")))
    return (
        f"search on {random:,} random deals of 36 cards and {losing:,} from the losing side, "
        "half of them at its edge"
    )
