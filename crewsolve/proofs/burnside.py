"""The number of essentially different deals under permutations of the colour suits.

Burnside's lemma: the number of orbits is the mean number of deals that a permutation leaves as they are.
A permutation whose cycles have lengths c₁, c₂, … moves the cards in orbits of those lengths, V of each
(one per rank), and fixes every rocket. A deal stays as it is exactly when each such orbit of cards lies
in one hand and is task, or not, of one seat. So the fixed deals are counted by the coefficient of
Π x_p^(hand size) in Π_c (Σ_p x_p^c)^V · (Σ_p x_p)^R, times that of Π y_q^(tasks of q) in
Π_c (1 + Σ_q y_q^c)^V; the permutations of one cycle type give the same number.

Witteveen, Theorem 3.12, does this for 36 cards, two seats and one task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, factorial, prod
from operator import mul

from crewsolve.cards import Deck
from crewsolve.errors import BadDeal, ProofError
from crewsolve.tasks import round_robin

LEADERS = ("first", "any")
"""Who leads: seat 0 (or the rocket that decides), or any seat, which makes P deals of one."""


@dataclass(frozen=True, slots=True)
class DealCount:
    """The number of deals, and of deals that no permutation of suits makes equal."""

    all: int
    up_to_suits: int


@dataclass(frozen=True, slots=True)
class CycleTerm:
    """One cycle type in Burnside's sum: its permutations and the deals each of them fixes."""

    cycles: tuple[int, ...]
    permutations: int
    fixed: int


def hand_sizes(cards: int, seats: int) -> tuple[int, ...]:
    """The sizes of the hands when cards are dealt in turn: the first seats hold one more.

    >>> hand_sizes(40, 3)
    (14, 13, 13)
    """
    return tuple(cards // seats + (seat < cards % seats) for seat in range(seats))


def count_deals(
    deck: Deck,
    *,
    seats: int,
    tasks: int,
    free: bool = False,
    leader: str = "first",
    sizes: Sequence[int] | None = None,
) -> DealCount:
    """Count the deals of a deck, all of them and up to permutations of the colours.

    Seat 0 leads, or where there are rockets the holder of the highest; with `leader="any"` each seat may.
    Fixed tasks are a set of colour cards with an assignment that gives each seat its round-robin share;
    free tasks are the set alone.

    >>> count_deals(Deck.parse("4x9"), seats=2, tasks=1)
    DealCount(all=326704870800, up_to_suits=13677426756)
    """
    terms = burnside_terms(deck, seats=seats, tasks=tasks, free=free, leader=leader, sizes=sizes)
    total = sum(term.permutations * term.fixed for term in terms)
    orbits, remainder = divmod(total, factorial(deck.colours))
    if remainder:
        raise ProofError(f"the Burnside sum {total} is not divisible by {deck.colours}!")
    return DealCount(next(term.fixed for term in terms if max(term.cycles) == 1), orbits)


def burnside_terms(
    deck: Deck,
    *,
    seats: int,
    tasks: int,
    free: bool = False,
    leader: str = "first",
    sizes: Sequence[int] | None = None,
) -> list[CycleTerm]:
    """Every term of Burnside's sum, the identity first."""
    hands = _checked_sizes(deck, seats, tasks, leader, sizes)
    shares = (tasks,) if free else round_robin(tasks, seats, 0)
    factor = seats if leader == "any" else 1
    return [
        CycleTerm(cycles, permutations, factor * _fixed_deals(deck, cycles, hands, shares))
        for cycles, permutations in cycle_types(deck.colours)
    ]


def _checked_sizes(
    deck: Deck, seats: int, tasks: int, leader: str, sizes: Sequence[int] | None
) -> tuple[int, ...]:
    if seats < 1:
        raise BadDeal(f"{seats} seats: a deal needs at least one")
    if not 0 <= tasks <= deck.colour_cards:
        raise BadDeal(f"{tasks} tasks on the {deck.colour_cards} colour cards of deck {deck}")
    if leader not in LEADERS:
        raise BadDeal(f"leader {leader!r}: choose one of {', '.join(LEADERS)}")
    if sizes is None:
        return hand_sizes(deck.size, seats)
    if len(sizes) != seats or sum(sizes) != deck.size or min(sizes) < 0:
        raise BadDeal(f"hands of {', '.join(map(str, sizes))} cards do not share out the deck {deck}")
    return tuple(sizes)


def _fixed_deals(deck: Deck, cycles: tuple[int, ...], hands: tuple[int, ...], shares: tuple[int, ...]) -> int:
    colours = {length: deck.ranks * cycles.count(length) for length in sorted(set(cycles))}
    cards = colours | {1: colours.get(1, 0) + deck.rockets}
    # Whoever the highest rocket makes leader, the shares are the same numbers in turned order.
    return share_out(cards, hands) * share_out(colours, shares)


def share_out(orbits: dict[int, int], sizes: Sequence[int]) -> int:
    """The ways to choose disjoint parts of exactly these sizes, each a union of whole orbits.

    `orbits` maps the length of an orbit to the number of such orbits; what is left over belongs to none.
    It is the coefficient of Π x_p^size in Π_c (1 + Σ_p x_p^c)^count.

    >>> share_out({1: 2, 2: 1}, [2])
    2
    """
    lengths = tuple(sorted(orbits))

    @cache
    def ways(seat: int, left: tuple[int, ...]) -> int:
        if seat == len(sizes):
            return 1
        if seat == len(sizes) - 1 and sum(map(mul, lengths, left)) == sizes[seat]:
            return 1  # the last hand takes all that is left
        total = 0
        for taken in _unions(lengths, left, sizes[seat]):
            rest = tuple(a - b for a, b in zip(left, taken, strict=True))
            total += prod(map(comb, left, taken)) * ways(seat + 1, rest)
        return total

    return ways(0, tuple(orbits[length] for length in lengths))


def _unions(lengths: tuple[int, ...], left: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """How many orbits of each length make up `size` cards: each solution of Σ length·taken = size."""
    if not lengths:
        if size == 0:
            yield ()
        return
    *shorter, longest = lengths
    for taken in range(min(left[-1], size // longest) + 1):
        for rest in _unions(tuple(shorter), left[:-1], size - longest * taken):
            yield (*rest, taken)


def cycle_types(suits: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each cycle type of the permutations of `suits` suits with its number of permutations.

    >>> list(cycle_types(3))
    [((1, 1, 1), 1), ((2, 1), 3), ((3,), 2)]
    """
    for cycles in _partitions(suits, suits):
        centraliser = prod(length ** cycles.count(length) for length in set(cycles)) * prod(
            factorial(cycles.count(length)) for length in set(cycles)
        )
        yield cycles, factorial(suits) // centraliser


def _partitions(total: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The partitions of `total` into parts up to `largest`, from all ones upwards."""
    if total == 0:
        yield ()
    for part in range(1, min(total, largest) + 1):
        for rest in _partitions(total - part, part):
            yield (part, *rest)
