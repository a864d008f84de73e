"""Deals that only differ in the names of their colours: canonical forms, listings, and a second count.

A deal is, for each colour, the list of what happens to its ranks (who holds it, whose task it is, when it
was played), plus what permutations of the colours never touch. Sorting those lists is a canonical form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from crewsolve.cards import ROCKETS, Card, CardSet, Deck
from crewsolve.deal import Deal, highest_rocket_holder
from crewsolve.errors import ProofError
from crewsolve.proofs.burnside import CycleTerm, count_deals, hand_sizes
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks, round_robin


def canonical(deal: Deal) -> Deal:
    """The representative of all deals that a permutation of the colours makes of this one.

    Two deals are equal up to the names of their colours if and only if their canonical forms are equal.

    >>> deal = Deal.parse("2x2; 0; B1 G1 | B2 G2; fixed G2:1")
    >>> str(canonical(deal)) == str(canonical(permute_suits(deal, (2, 1))))
    True
    """
    order = sorted(range(1, deal.deck.colours + 1), key=lambda suit: _fate(deal, suit))
    places = [0] * deal.deck.colours
    for place, suit in enumerate(order, 1):
        places[suit - 1] = place
    return permute_suits(deal, places)


def _fate(deal: Deal, suit: int) -> tuple[tuple[int, int, int], ...]:
    """What happens to each rank of a suit: holder, task, moment of play; -1 for none."""
    tasks = deal.tasks
    cards = [Card(suit, rank) for rank in range(1, deal.deck.ranks + 1)]
    fate = []
    for card in cards:
        holder = deal.holder(card)
        owner = tasks.owner(card) if isinstance(tasks, FixedTasks) else (0 if card in tasks.cards else None)
        moment = deal.played.index(card) if card in deal.played else None
        fate.append(tuple(-1 if fact is None else fact for fact in (holder, owner, moment)))
    return tuple((holder, owner, moment) for holder, owner, moment in fate)


def permute_suits(deal: Deal, places: Sequence[int]) -> Deal:
    """The deal with colour s renamed to colour `places[s - 1]`; rockets stay."""
    deck = deal.deck

    def moved(card: Card) -> Card:
        return card if card.suit == ROCKETS else Card(places[card.suit - 1], card.rank)

    def moved_set(cards: CardSet) -> CardSet:
        return deck.set(moved(card) for card in cards)

    tasks: Tasks
    if isinstance(deal.tasks, FixedTasks):
        tasks = FixedTasks.of({moved(card): owner for card, owner in deal.tasks.owners}, deck)
    else:
        tasks = replace(deal.tasks, cards=moved_set(deal.tasks.cards))
    hands = tuple(moved_set(hand) for hand in deal.hands)
    return replace(deal, hands=hands, tasks=tasks, played=tuple(map(moved, deal.played)))


def enumerate_hands(deck: Deck, sizes: Sequence[int]) -> Iterator[tuple[CardSet, ...]]:
    """Every way to deal the whole deck into hands of these sizes."""

    def split(left: tuple[int, ...], seat: int) -> Iterator[tuple[int, ...]]:
        if seat == len(sizes):
            yield ()
            return
        for chosen in combinations(left, sizes[seat]):
            rest = tuple(card for card in left if card not in chosen)
            for others in split(rest, seat + 1):
                yield (sum(1 << card for card in chosen), *others)

    for masks in split(tuple(range(deck.size)), 0):
        yield tuple(map(deck.from_mask, masks))


def enumerate_deals(
    deck: Deck, *, seats: int, tasks: int, free: bool = False, leader: str = "first"
) -> Iterator[Deal]:
    """Every deal that `count_deals` counts, for small decks."""
    for hands in enumerate_hands(deck, hand_sizes(deck.size, seats)):
        holder = highest_rocket_holder(hands)
        leaders = range(seats) if leader == "any" else [0 if holder is None else holder]
        for first in leaders:
            for chosen in enumerate_tasks(deck, seats=seats, tasks=tasks, free=free, leader=first):
                yield Deal(deck, hands, first, chosen)


def enumerate_tasks(deck: Deck, *, seats: int, tasks: int, free: bool, leader: int) -> Iterator[Tasks]:
    """Every choice of tasks on the colour cards, with each seat's round-robin share."""
    shares = round_robin(tasks, seats, leader)
    for chosen in combinations([card for card in deck.cards if not card.is_rocket], tasks):
        if free:
            yield FreeTasks(deck.set(chosen), shares)
            continue
        for owners in product(range(seats), repeat=tasks):
            if all(owners.count(seat) == share for seat, share in enumerate(shares)):
                yield FixedTasks.of(dict(zip(chosen, owners, strict=True)), deck)


def enumerate_orbits(
    deck: Deck, *, seats: int, tasks: int, free: bool = False, leader: str = "first"
) -> Iterator[Deal]:
    """One canonical deal for every orbit, each once."""
    seen: set[Deal] = set()
    for deal in enumerate_deals(deck, seats=seats, tasks=tasks, free=free, leader=leader):
        form = canonical(deal)
        if form not in seen:
            seen.add(form)
            yield form


def verify_orbits(
    deck: Deck, *, seats: int, tasks: int, free: bool = False, leader: str = "first"
) -> tuple[int, int]:
    """The formula's two numbers, after listing every deal and every orbit has given the same."""
    formula = count_deals(deck, seats=seats, tasks=tasks, free=free, leader=leader)
    listed = list(enumerate_deals(deck, seats=seats, tasks=tasks, free=free, leader=leader))
    orbits = {canonical(deal) for deal in listed}
    if (len(set(listed)), len(orbits)) != (formula.all, formula.up_to_suits):
        raise ProofError(f"{deck}: {formula} by formula, {len(set(listed))} and {len(orbits)} listed")
    return formula.all, formula.up_to_suits


def sympy_terms(deck: Deck, sizes: Sequence[int], shares: Sequence[int]) -> list[CycleTerm]:
    """The terms of Burnside's sum again, by sympy: its symmetric group, acting on the cards themselves.

    Each element becomes a permutation of the colour cards; the fixed deals are a coefficient of the
    expanded polynomial. Slow, and independent of the counting above.
    """
    from sympy.combinatorics import Permutation
    from sympy.combinatorics.named_groups import SymmetricGroup

    counted: dict[tuple[int, ...], list[int]] = {}
    for element in SymmetricGroup(deck.colours).generate():
        images = list(element.array_form)
        cards = [images[s] * deck.ranks + rank for s in range(deck.colours) for rank in range(deck.ranks)]
        orbits = dict(Permutation(cards).cycle_structure)
        cycles = tuple(sorted((len(c) for c in Permutation(images).full_cyclic_form), reverse=True))
        if cycles not in counted:
            counted[cycles] = [0, _sympy_fixed(orbits, deck.rockets, sizes, shares)]
        counted[cycles][0] += 1
    return [CycleTerm(cycles, number, fixed) for cycles, (number, fixed) in sorted(counted.items())]


def _sympy_fixed(orbits: dict[int, int], rockets: int, sizes: Sequence[int], shares: Sequence[int]) -> int:
    from sympy import Poly, symbols

    hands = symbols(f"x0:{len(sizes)}")
    owners = symbols(f"y0:{len(shares)}")
    dealt, given = Poly(sum(hands), *hands) ** rockets, Poly(1, *owners)
    for length, number in orbits.items():
        dealt *= Poly(sum(x**length for x in hands), *hands) ** number
        given *= Poly(1 + sum(y**length for y in owners), *owners) ** number
    return int(dealt.coeff_monomial(tuple(sizes))) * int(given.coeff_monomial(tuple(shares)))
