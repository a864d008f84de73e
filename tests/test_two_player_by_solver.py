"""The two-player theorem and its sums against the solver, which never uses them."""

from __future__ import annotations

import pytest

from crewsolve.cards import Deck
from crewsolve.claims.evidence import agreeing, decks_up_to, losing_by_solver, losing_side, random_real_deals
from crewsolve.proofs.losing_games import count_losing, enumerate_deals
from crewsolve.proofs.losing_side import CAUSES
from crewsolve.proofs.two_player import TwoHands
from tests import naive


def by_formula(deck: Deck) -> tuple[int, int]:
    count = count_losing(deck)
    return count.first_hand, count.second_hand


@pytest.mark.parametrize("deck", decks_up_to(16), ids=str)
def test_the_sums_count_what_the_solver_finds_lost_on_every_deal(deck):
    assert losing_by_solver(deck) == by_formula(deck)


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["3x6", "2x9", "4x5", "5x4", "10x2", "20x1", "1x20", "2x10"])
def test_the_sums_count_what_the_solver_finds_lost_on_larger_decks(deck):
    assert losing_by_solver(Deck.parse(deck)) == by_formula(Deck.parse(deck))


@pytest.mark.parametrize("deck", ["1x4", "2x2", "2x3", "3x2", "1x5", "5x1"])
def test_the_solver_counts_what_playing_everything_counts(deck):
    found = [0, 0]
    for deal in enumerate_deals(Deck.parse(deck)):
        found[not TwoHands.of(deal).in_first] += not naive.winnable(deal)
    assert losing_by_solver(Deck.parse(deck)) == tuple(found)


def test_the_theorem_agrees_with_search_on_random_deals_of_the_real_deck():
    assert agreeing(random_real_deals(300, seed=1)) == 300


@pytest.mark.parametrize("cause", CAUSES)
def test_the_theorem_agrees_with_search_on_the_losing_side_and_at_its_edge(cause):
    assert agreeing(losing_side(75, seed=2, parts=[cause])) == 75
