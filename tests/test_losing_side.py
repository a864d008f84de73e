from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

from crewsolve.cards import Deck
from crewsolve.errors import BadDeck
from crewsolve.proofs.losing_games import count_losing, enumerate_deals
from crewsolve.proofs.losing_side import CAUSES, edge_deal, losing_deal
from crewsolve.proofs.two_player import NO_DIRECT, NO_ROOM, TwoHands, is_winnable, judge
from crewsolve.randomness import Stream

PART = {(True, NO_DIRECT): "s1", (True, NO_ROOM): "s2", (False, NO_DIRECT): "s3", (False, NO_ROOM): "s4"}


def part(deal):
    return PART[TwoHands.of(deal).in_first, judge(deal).by]


@pytest.mark.parametrize("deck", ["2x4", "2x5", "3x3", "1x5"])
def test_losing_deals_are_drawn_uniformly(deck):
    parsed = Deck.parse(deck)
    losing = [deal for deal in enumerate_deals(parsed) if not is_winnable(deal)]
    stream = Stream(31, len(losing))
    seen = Counter(losing_deal(parsed, stream) for _ in range(30 * len(losing)))
    assert set(seen) <= set(losing)
    assert chisquare([seen[deal] for deal in losing]).pvalue > 0.001


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("deck", ["4x9", "3x5", "5x6"])
def test_a_named_part_of_the_losing_side_is_drawn(deck, cause):
    parsed = Deck.parse(deck)
    if getattr(count_losing(parsed), cause) == 0:
        with pytest.raises(BadDeck, match="no losing deal"):
            losing_deal(parsed, Stream(1), cause=cause)
        return
    stream = Stream(5)
    for _ in range(20):
        assert part(losing_deal(parsed, stream, cause=cause)) == cause


def test_edge_deals_are_one_exchange_away_and_can_be_won():
    deck, stream = Deck.parse("4x9"), Stream(8)
    for cause in CAUSES:
        for _ in range(5):
            deal = losing_deal(deck, stream, cause=cause)
            near = edge_deal(deal, stream)
            assert is_winnable(near)
            assert len(near.hands[0] - deal.hands[0]) == 1
