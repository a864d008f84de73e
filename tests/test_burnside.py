from __future__ import annotations

from itertools import permutations
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import BadDeal
from crewsolve.proofs.burnside import burnside_terms, count_deals, cycle_types, hand_sizes
from crewsolve.proofs.symmetry import (
    canonical,
    enumerate_orbits,
    permute_suits,
    sympy_terms,
    verify_orbits,
)
from crewsolve.tasks import round_robin
from tests import strategies

SMALL = [
    ("2x2", 2, 1), ("3x1", 2, 1), ("3x2", 2, 1), ("3x2", 3, 2), ("2x2+1", 2, 2), ("2x2+2", 3, 2),
    ("4x1", 2, 2), ("3x2+1", 2, 0), ("4x2", 2, 1), ("5x1", 2, 1), ("2x3", 2, 3), ("1x5", 2, 2),
]  # fmt: skip


@pytest.mark.parametrize("leader", ["first", "any"])
@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("deck, seats, tasks", SMALL)
def test_the_formula_counts_the_deals_and_orbits_that_are_listed(deck, seats, tasks, free, leader):
    everything, orbits = verify_orbits(Deck.parse(deck), seats=seats, tasks=tasks, free=free, leader=leader)
    assert everything >= orbits >= 1


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize(
    "deck, seats, tasks", [("4x9", 2, 1), ("3x5+2", 3, 2), ("4x3+1", 2, 3), ("5x2", 2, 2)]
)
def test_sympy_finds_the_same_terms(deck, seats, tasks, free):
    cards = Deck.parse(deck)
    shares = (tasks,) if free else round_robin(tasks, seats, 0)
    expected = {term.cycles: term for term in burnside_terms(cards, seats=seats, tasks=tasks, free=free)}
    found = {term.cycles: term for term in sympy_terms(cards, hand_sizes(cards.size, seats), shares)}
    assert found == expected


def test_the_36_card_deck_with_two_seats_and_one_task():
    terms = {term.cycles: term for term in burnside_terms(Deck.parse("4x9"), seats=2, tasks=1)}
    assert terms[1, 1, 1, 1].fixed == 36 * comb(36, 18)
    assert terms[2, 1, 1].fixed == sum(18 * comb(9, i) * comb(18, 18 - 2 * i) for i in range(10))
    assert terms[3, 1].fixed == sum(9 * comb(9, i) * comb(9, 18 - 3 * i) for i in range(3, 7))
    assert terms[2, 2].fixed == terms[4,].fixed == 0
    assert count_deals(Deck.parse("4x9"), seats=2, tasks=1).up_to_suits == 13_677_426_756


@pytest.mark.parametrize("suits", range(1, 9))
def test_cycle_types_cover_all_permutations(suits):
    assert sum(number for _, number in cycle_types(suits)) == factorial(suits)
    assert all(sum(cycles) == suits for cycles, _ in cycle_types(suits))


def test_hand_sizes_may_be_given():
    count = count_deals(Deck.parse("2x2"), seats=2, tasks=0, sizes=(1, 3))
    assert (count.all, count.up_to_suits) == (4, 2)
    with pytest.raises(BadDeal, match="do not share out"):
        count_deals(Deck.parse("2x2"), seats=2, tasks=0, sizes=(1, 2))


@pytest.mark.parametrize("bad", [{"seats": 0}, {"tasks": 5}, {"leader": "last"}])
def test_impossible_requests_are_refused(bad):
    with pytest.raises(BadDeal):
        count_deals(Deck.parse("2x2"), **({"seats": 2, "tasks": 1} | bad))


@given(strategies.deals(), st.data())
@settings(max_examples=150)
def test_the_canonical_form_is_the_same_for_every_renaming_of_colours(deal: Deal, data: st.DataObject):
    places = data.draw(st.permutations(range(1, deal.deck.colours + 1)))
    form = canonical(deal)
    assert canonical(permute_suits(deal, places)) == form
    assert canonical(form) == form
    assert any(permute_suits(deal, p) == form for p in permutations(range(1, deal.deck.colours + 1)))


def test_orbits_are_listed_once_each():
    orbits = list(enumerate_orbits(Deck.parse("3x2"), seats=2, tasks=1))
    assert len(orbits) == len(set(orbits)) == count_deals(Deck.parse("3x2"), seats=2, tasks=1).up_to_suits


def test_real_deals_have_a_canonical_form():
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=6, key=(5, 5))
    forms = {canonical(permute_suits(deal, p)) for p in permutations(range(1, 5))}
    assert forms == {canonical(deal)}
