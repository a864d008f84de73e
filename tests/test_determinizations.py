from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import BadDeal, TooLarge
from crewsolve.position import Position
from crewsolve.proofs import biased
from crewsolve.proofs.determinizations import (
    Hidden,
    cards_of,
    count_determinizations,
    enumerate_determinizations,
    is_feasible,
    probabilities,
    probability,
)
from crewsolve.proofs.few_hands import (
    count_three,
    count_two,
    summation_variables,
    summation_variables_by_graph,
)
from crewsolve.proofs.sampling import Sampler, sample_many
from crewsolve.randomness import Stream
from crewsolve.view import View, view
from tests import strategies


@st.composite
def hiddens(draw: st.DrawFn, hands: int | None = None, max_cards: int = 7, feasible: bool = False) -> Hidden:
    """What is known of 1 to 4 hands; with `feasible` there is a distribution."""
    n = draw(st.integers(1, 4)) if hands is None else hands
    cards = draw(st.integers(1, max_cards))
    holders = draw(st.lists(st.integers(0, n - 1), min_size=cards, max_size=cards))
    extra = draw(st.lists(st.integers(0, (1 << cards) - 1), min_size=n, max_size=n))
    may = [mask | sum(1 << c for c in range(cards) if holders[c] == hand) for hand, mask in enumerate(extra)]
    sizes = [holders.count(hand) for hand in range(n)]
    if not feasible:
        sizes = draw(st.permutations(sizes))
    return Hidden(tuple(sizes), tuple(may))


@given(hiddens())
@settings(max_examples=200)
def test_the_table_counts_what_is_listed_and_the_flow_agrees(hidden):
    listed = list(enumerate_determinizations(hidden))
    assert len(set(listed)) == len(listed) == count_determinizations(hidden)
    assert is_feasible(hidden) == bool(listed)


@given(hiddens(hands=2))
def test_two_hands_have_a_binomial(hidden):
    assert count_two(hidden) == count_determinizations(hidden)


@given(hiddens(hands=3))
def test_three_hands_have_the_repaired_sum_of_the_document(hidden):
    assert count_three(hidden) == count_determinizations(hidden)
    _, q, r = hidden.may
    if not q & ~(hidden.may[0] | r):
        assert count_three(hidden, as_printed=True) == count_three(hidden)


def test_the_printed_sum_for_three_hands_is_wrong_where_the_second_hand_has_cards_of_its_own():
    hidden = Hidden((1, 1, 0), (0b01, 0b10, 0b00))
    assert count_three(hidden) == count_determinizations(hidden) == 1
    assert count_three(hidden, as_printed=True) == 0


@given(hiddens(feasible=True))
@settings(max_examples=60)
def test_probabilities_are_those_of_the_list(hidden):
    listed = list(enumerate_determinizations(hidden))
    table = probabilities(hidden)
    for hand in range(len(hidden.sizes)):
        assert sum(table[hand].values()) == hidden.sizes[hand]
        for card in cards_of(hidden.cards):
            share = Fraction(sum(d[hand] >> card & 1 for d in listed), len(listed))
            assert table[hand].get(card, 0) == share == probability(hidden, card, hand)


@given(hiddens(feasible=True), st.integers(0, 2**32))
@settings(max_examples=60)
def test_samples_are_possible(hidden, seed):
    possible = set(enumerate_determinizations(hidden))
    sampler, stream = Sampler(hidden), Stream(seed)
    assert sampler.count == len(possible)
    assert {sampler.sample(stream) for _ in range(10)} <= possible
    batch = sampler.sample_many(30, stream)
    assert batch.shape == (30, len(hidden.sizes))
    assert set(map(tuple, batch.tolist())) <= possible


UNEVEN = [
    Hidden((1, 1, 1), (0b011, 0b111, 0b110)),
    Hidden((2, 2, 1), (0b01111, 0b11110, 0b11001)),
    Hidden((2, 2), (0b1110, 0b1111)),
    Hidden((1, 2, 1, 2), (0b100011, 0b111111, 0b011110, 0b111001)),
    Hidden((3, 3, 2), (0b11111111, 0b00111111, 0b11110000)),
]


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("hidden", UNEVEN, ids=lambda hidden: f"{hidden.may}")
def test_the_sampler_is_uniform(hidden, batch):
    possible = list(enumerate_determinizations(hidden))
    n = 60 * len(possible)
    sampler, stream = Sampler(hidden), Stream(2024, len(possible))
    drawn = sampler.sample_many(n, stream).tolist() if batch else [sampler.sample(stream) for _ in range(n)]
    seen = Counter(map(tuple, drawn))
    assert set(seen) <= set(possible)
    # The seed is fixed, so this either always passes or always fails.
    assert chisquare([seen[d] for d in possible]).pvalue > 0.001


def test_the_chi_square_test_sees_a_biased_sampler():
    hidden = biased.figure_7()
    fair = list(enumerate_determinizations(hidden))
    wrong = biased.most_restricted_first(hidden)
    assert chisquare([float(6000 * wrong.get(d, 0)) for d in fair], [2000] * 3).pvalue < 0.001


@given(strategies.deals(), st.data())
@settings(max_examples=80)
def test_views_are_completed_to_hands_that_the_seat_cannot_tell_apart(deal: Deal, data: st.DataObject):
    seat = data.draw(st.integers(0, deal.seats - 1))
    seen = view(deal, seat)
    for masks in sample_many(seen, 5, Stream(deal.seats, seat)).tolist():
        assert masks[seat] == seen.hand.mask
        assert [mask.bit_count() for mask in masks] == list(seen.sizes)
        assert sum(masks) == seen.hidden.mask | seen.hand.mask
        assert not any(mask & ~seen.may_hold(s).mask for s, mask in enumerate(masks))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_full_deals_are_counted_and_sampled_from_the_first_trick_on(seats):
    deal = random_deal(Deck.parse("4x9+4"), seats=seats, tasks=3, key=(9, seats))
    stream, position = Stream(seats), Position.of(deal)
    truth = tuple(hand.mask for hand in deal.hands)
    while not position.over:
        hidden = Hidden.of_view(View.of(position, 1))
        sampler = Sampler(hidden)
        assert is_feasible(hidden)
        assert all(not mask & ~may for mask, may in zip(position.hand_masks, hidden.may, strict=True))
        for masks in sampler.sample_many(20, stream).tolist():
            assert [mask.bit_count() for mask in masks] == list(hidden.sizes)
            assert sum(masks) == hidden.cards
            assert not any(mask & ~may for mask, may in zip(masks, hidden.may, strict=True))
        position = position.play(stream.sample(list(position.legal), 1)[0])
    assert position.deal.hands[0].mask == truth[0]


def test_the_leader_is_known_to_hold_the_highest_rocket():
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=1, key=(4, 4))
    seat = (deal.leader + 1) % 4
    rocket = deal.deck.index(Card.parse("R4"))
    hidden = Hidden.of_view(view(deal, seat))
    assert probability(hidden, rocket, deal.leader) == 1
    others = [s for s in range(4) if s not in (seat, deal.leader)]
    # The leader draws 9 more of the other 29 hidden cards, then the next hand 10 of 20.
    expected = factorial(29) // (factorial(9) * factorial(10) * factorial(10))
    assert count_determinizations(hidden) == expected
    assert all(rocket not in probabilities(hidden)[s] for s in others)


def test_batches_and_seeds_are_reproducible():
    hidden = UNEVEN[-1]
    one = Sampler(hidden).sample_many(100, Stream(7)).tolist()
    assert one == Sampler(hidden).sample_many(100, Stream(7)).tolist()
    assert one != Sampler(hidden).sample_many(100, Stream(8)).tolist()


def test_counts_beyond_64_bits_are_sampled_too():
    cards = (1 << 60) - 1
    hidden = Hidden((15, 15, 15, 15), (cards, cards ^ 1, cards ^ 2, cards ^ 4))
    sampler = Sampler(hidden)
    assert sampler.count > 1 << 64
    for masks in sampler.sample_many(5, Stream(3)).tolist():
        assert [mask.bit_count() for mask in masks] == [15] * 4 and sum(masks) == cards


def test_more_than_63_cards_are_counted_and_drawn_one_by_one():
    cards = (1 << 100) - 1
    sampler = Sampler(Hidden((50, 50), (cards, cards ^ 1)))
    hands = sampler.sample(Stream(1))
    assert hands[0] & 1 and hands[0] ^ hands[1] == cards
    with pytest.raises(TooLarge):
        sampler.sample_many(2, Stream(1))


def test_impossible_knowledge_is_refused():
    with pytest.raises(BadDeal, match="every card must be in a hand"):
        Hidden((1, 1), (0b111, 0b111))
    with pytest.raises(BadDeal, match="sizes for"):
        Hidden((1,), (1, 1))
    stuck = Hidden((2, 1), (0b001, 0b111))
    assert count_determinizations(stuck) == 0
    with pytest.raises(BadDeal, match="nothing to draw"):
        Sampler(stuck)
    with pytest.raises(BadDeal, match="no distribution"):
        probabilities(stuck)


@pytest.mark.parametrize("hands", range(1, 11))
def test_summation_variables_are_the_dimension_of_the_splits(hands):
    assert summation_variables(hands) == summation_variables_by_graph(hands)


def test_large_words_are_uniform_and_small_ones_unchanged():
    n = 3 << 70
    values = [Stream(5, i).below(n) for i in range(300)]
    assert all(0 <= value < n for value in values) and max(values) > n // 2
    assert chisquare(list(Counter(value * 3 // n for value in values).values())).pvalue > 0.001
    stream = Stream(6)
    words = [Stream(6).raws(200).tolist(), [stream.raw() for _ in range(3)] + stream.raws(197).tolist()]
    assert words[0] == words[1]


@given(hiddens(feasible=True, max_cards=5))
@settings(max_examples=30, deadline=None)
def test_algorithm_1_is_uniform(hidden):
    assert biased.is_uniform(biased.card_by_card(hidden), hidden)


def test_uniform_selection_gives_41_of_72():
    hidden = biased.figure_7()
    drawn = biased.uniform_selection(hidden)
    heart, north = 0, 0
    assert sum(drawn.values()) == 1
    assert biased.holding(drawn, heart, north) == Fraction(41, 72)
    assert probability(hidden, heart, north) == Fraction(2, 3)
    # Nor is it uniform among the runs that do not get stuck.
    finished = 1 - drawn[biased.DEAD_END]
    assert Fraction(41, 72) / finished == Fraction(41, 62)


def test_draws_by_selection_follow_their_exact_distribution():
    hidden = biased.figure_7()
    exact = biased.uniform_selection(hidden)
    finished = 1 - exact.pop(biased.DEAD_END)
    draws = biased.draw_by_selection(hidden, 20_000, Stream(72))
    counts = Counter(map(tuple, draws.tolist()))
    assert counts.keys() == exact.keys()
    for hands, chance in exact.items():
        share = float(chance / finished)
        assert abs(counts[hands] - 20_000 * share) < 4 * (20_000 * share * (1 - share)) ** 0.5
    with pytest.raises(BadDeal):
        biased.draw_by_selection(Hidden((1, 1), (0b01, 0b01)), 1, Stream(1))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_most_restricted_first_is_uniform_on_chains(data):
    order = data.draw(st.permutations(range(6)))
    ends = sorted(data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=3)))
    ends[-1] = 6
    may = [sum(1 << card for card in order[:end]) for end in ends]
    sizes, taken = [], 0
    for end in ends[:-1]:
        sizes.append(data.draw(st.integers(0, end - taken)))
        taken += sizes[-1]
    hidden = Hidden((*sizes, 6 - taken), tuple(may))
    assert biased.is_uniform(biased.most_restricted_first(hidden), hidden)


def test_the_rejected_methods_are_biased():
    hidden = biased.figure_7()
    for method in (biased.backtracking, biased.most_restricted_first, biased.uniform_selection):
        assert biased.bias(method(hidden), hidden) > 0
        assert not biased.is_uniform(method(hidden), hidden)
    assert biased.bias(biased.card_by_card(hidden), hidden) == 0
    assert biased.holding(biased.most_restricted_first(hidden), 0, 0) == Fraction(1, 2)


@given(hiddens(max_cards=5))
@settings(max_examples=40, deadline=None)
def test_exact_distributions_add_up_and_hold_only_what_is_possible(hidden):
    possible = {*enumerate_determinizations(hidden), biased.DEAD_END}
    for method in (biased.backtracking, biased.most_restricted_first, biased.uniform_selection):
        drawn = method(hidden)
        assert sum(drawn.values()) == 1
        assert set(drawn) <= possible


@pytest.mark.parametrize("players", range(2, 7))
def test_the_ring_falls_apart_below_switches_of_all_cards(players):
    import networkx as nx

    for cards in range(1, players + 1):
        graph = biased.switch_graph(biased.ring(players), cards)
        assert len(graph) == 2
        assert nx.number_connected_components(graph) == (1 if cards == players else 2)
        for start in graph:
            chain = biased.switch_chain(biased.ring(players), cards, start)
            assert biased.bias(chain, biased.ring(players)) == (0 if cards == players else Fraction(1, 2))
