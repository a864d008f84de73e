"""Thresholds by bisection against asking every prefix."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import BadDeal
from crewsolve.simulator import verify
from crewsolve.solving.threshold import threshold
from crewsolve.tasks import FixedTasks
from tests import naive
from tests.strategies import deals


def prefix(deal: Deal, order: list, size: int) -> Deal:
    owners = dict(deal.tasks.owners)
    return deal.with_tasks(FixedTasks.of({card: owners[card] for card in order[:size]}, deal.deck))


@settings(max_examples=150, deadline=None)
@given(deals(max_cards=9, free=False), st.randoms(use_true_random=False))
def test_the_threshold_is_that_of_a_linear_scan(deal: Deal, chance) -> None:
    order = [card for card, _ in deal.tasks.owners]
    chance.shuffle(order)
    wins = [naive.winnable(prefix(deal, order, size)) for size in range(len(order) + 1)]
    found = threshold(deal, order)
    assert found.exact
    assert wins == [True] * (found.winnable + 1) + [False] * (len(order) - found.winnable), str(deal)
    if found.playout is not None:
        verify(prefix(deal, order, found.winnable), found.playout)


def test_bisection_asks_few_prefixes_of_a_full_deal() -> None:
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=16, key=(1, 3))
    order = [card for card, _ in deal.tasks.owners]
    found = threshold(deal, order)
    assert found.exact
    assert found.asked <= 6
    assert 0 < found.winnable < 16


def test_limits_leave_a_gap_and_nothing_wrong() -> None:
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=16, key=(1, 3))
    order = [card for card, _ in deal.tasks.owners]
    exact = threshold(deal, order)
    found = threshold(deal, order, nodes=1, conflicts=1)
    assert found.winnable <= exact.winnable < exact.unwinnable <= found.unwinnable
    assert not found.exact


def test_free_tasks_and_wrong_orders_are_refused() -> None:
    deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:3")
    with pytest.raises(BadDeal, match="every task of the deal once"):
        threshold(deal, [])
    with pytest.raises(BadDeal, match="fixed tasks"):
        threshold(deal.freed(), list(deal.tasks.cards))
