from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import BadDeal, BadDeck
from crewsolve.proofs.losing_games import bounded, count_document_differs, count_losing, enumerate_deals
from crewsolve.proofs.two_player import (
    NO_DIRECT,
    NO_ROOM,
    TwoHands,
    document_says_winnable,
    is_winnable,
    judge,
    loses_for_room,
    mirrored,
)
from crewsolve.simulator import verify
from crewsolve.tasks import FixedTasks
from tests.exhaustive import two_seats_winnable

TINY = [f"{s}x{v}" for s in range(1, 10) for v in range(1, 10) if 2 <= s * v <= 9]


@pytest.mark.parametrize("deck", TINY)
def test_the_theorem_holds_on_every_deal_of_a_tiny_deck(deck):
    causes: Counter[tuple[bool, str]] = Counter()
    deals = differs = 0
    for deal in enumerate_deals(Deck.parse(deck)):
        deals += 1
        says = judge(deal)
        assert says.winnable == two_seats_winnable(deal), deal
        if says.playout is not None:
            verify(deal, says.playout)
        else:
            causes[TwoHands.of(deal).in_first, says.by] += 1
        differs += document_says_winnable(deal) != says.winnable
    count = count_losing(Deck.parse(deck))
    assert causes[True, NO_DIRECT] == count.s1
    assert causes[True, NO_ROOM] == count.s2
    assert causes[False, NO_DIRECT] == count.s3
    assert causes[False, NO_ROOM] == count.s4
    assert deals == count.total
    assert differs == count_document_differs(Deck.parse(deck))


@pytest.mark.parametrize("deck", ["3x3", "1x5", "1x7"])
def test_the_document_errs_only_where_it_calls_an_odd_deck_winnable(deck):
    wrong = [
        deal
        for deal in enumerate_deals(Deck.parse(deck))
        if document_says_winnable(deal) != is_winnable(deal)
    ]
    assert wrong
    assert all(document_says_winnable(deal) and judge(deal).by == NO_ROOM for deal in wrong)


@pytest.mark.parametrize("deck", [f"{s}x{v}" for s in range(1, 9) for v in range(1, 13) if s * v % 2 == 0])
def test_both_hands_lose_equally_often_on_even_decks(deck):
    count = count_losing(Deck.parse(deck))
    assert (count.s1, count.s2) == (count.s3, count.s4)
    assert count_document_differs(Deck.parse(deck)) == 0


def test_large_decks_are_counted_too():
    count = count_losing(Deck.parse("20x40"))
    assert count.s1 == count.s3 and count.s2 == count.s4
    assert count.total == 40 * comb(800, 400)


@pytest.mark.parametrize("deck", ["4x9", "3x5", "5x3", "7x7"])
def test_the_sums_agree_with_nested_loops(deck):
    parsed = Deck.parse(deck)
    assert count_losing(parsed) == nested_sums(parsed)


def nested_sums(deck: Deck):
    """The same four sums over all tuples of card counts, suit after suit."""
    from crewsolve.proofs.losing_games import LosingCount

    s, v = deck.colours, deck.ranks
    first = (s * v + 1) // 2
    ways: Counter[tuple[int, bool, bool, bool]] = Counter({(0, False, False, False): 1})
    chosen: Counter[tuple[int, bool, bool, bool]] = Counter({(0, False, False, False): 1})
    for table, weight in ((ways, lambda k: 1), (chosen, lambda k: comb(v, k))):
        for _ in range(s - 1):
            after: Counter[tuple[int, bool, bool, bool]] = Counter()
            for (total, below, above, whole), number in table.items():
                for k in range(v + 1):
                    key = (total + k, below or 2 * k < v, above or 2 * k > v, whole or k == v)
                    after[key] += number * weight(k)
            table.clear()
            table.update(after)
    sums = [0, 0, 0, 0]
    for k in range(v):
        for below in (False, True):
            for above in (False, True):
                key = (first - k, below, above, False)
                tasks = range(1, v + 1)
                sums[0] += below * k * ways[key]
                sums[1] += (not below) * sum(comb(v - t, k - t) for t in tasks if t <= k) * chosen[key]
                sums[2] += above * (v - k) * ways[key]
                sums[3] += (not above) * sum(comb(t - 1, k) for t in tasks) * chosen[key]
    return LosingCount(*sums, v * comb(s * v, first))


@pytest.mark.parametrize("deck", ["2x2", "2x3", "3x2", "2x4", "4x2", "1x8", "3x4"])
def test_the_mirror_is_a_bijection_between_the_deals_without_room(deck):
    deals = list(enumerate_deals(Deck.parse(deck)))
    domain, image = (
        {deal for deal in deals if loses_for_room(deal, in_first=side)} for side in (True, False)
    )
    assert {mirrored(deal) for deal in domain} == image
    assert all(mirrored(mirrored(deal)) == deal for deal in domain | image)


def test_the_mirror_refuses_odd_decks():
    with pytest.raises(BadDeal, match="odd number"):
        mirrored(Deal.parse("1x3; 0; B1 B3 | B2; fixed B1:0"))


@pytest.mark.parametrize(
    "line",
    [
        "2x2; 0; B1 G2 | B2 G1; fixed B1:1",
        "2x2; 0; B1 G2 | B2 G1; fixed B1:0 G1:0",
        "2x2; 0; B1 | B2; fixed B1:0",
        "2x2+1; 0; B1 G2 R1 | B2 G1; fixed B1:0",
        "2x2; 0; B1 G2 | B2 G1; fixed B1:0; played B1",
        "1x3; 1; B1 B3 | B2; fixed B1:1",
        "2x2; 0; B1 G2 | B2 | G1; fixed B1:0",
    ],
)
def test_deals_of_another_kind_are_refused(line):
    with pytest.raises(BadDeal):
        judge(Deal.parse(line))


def test_the_other_seat_may_lead():
    deal = Deal.parse("2x3; 1; B1 B2 G3 | B3 G1 G2; fixed B1:1")
    says = judge(deal)
    assert says.winnable and says.playout is not None
    verify(deal, says.playout)


@given(st.integers(0, 10**9))
@settings(max_examples=100)
def test_playouts_of_the_proof_win_on_the_36_card_deck(seed):
    deal = random_deal(Deck.parse("4x9"), seats=2, tasks=1, leader="first", key=(seed,))
    says = judge(deal)
    if says.playout is not None:
        verify(deal, says.playout)
    assert says.winnable == (says.playout is not None)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_playouts_by_discards_win_on_any_deck(data):
    """Deals with the task below all of player 2's cards of its suit, so that discards must decide."""
    deck = Deck(data.draw(st.integers(2, 5)), data.draw(st.integers(2, 9)))
    kept = data.draw(st.integers(1, deck.ranks - 1))
    low = list(range(kept))
    rest = data.draw(st.permutations(range(kept, deck.size)))
    mask = sum(1 << card for card in [*low, *rest][: (deck.size + 1) // 2])
    hands = (deck.from_mask(mask), deck.from_mask(deck.all_mask ^ mask))
    rank = data.draw(st.integers(1, kept))
    deal = Deal(deck, hands, 0, FixedTasks.of({Card(1, rank): 0}, deck))
    says = judge(deal)
    if says.playout is not None:
        verify(deal, says.playout)


@pytest.mark.parametrize("parts, total, most", [(0, 0, 3), (0, 1, 3), (3, 7, 4), (4, 0, 0), (2, 9, 3)])
def test_bounded_counts_compositions(parts, total, most):
    from itertools import product

    listed = sum(sum(c) == total for c in product(range(most + 1), repeat=parts))
    assert bounded(parts, total, most) == listed


@pytest.mark.parametrize("deck", ["4x9+4", "1x1"])
def test_decks_outside_the_theorem_are_refused(deck):
    with pytest.raises(BadDeck):
        count_losing(Deck.parse(deck))
