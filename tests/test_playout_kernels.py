"""The compiled playouts against the simulator: legal, uniform, and the same with numba switched off."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from scipy.stats import chisquare

from crewsolve.agents.vectors import suits_vector, table_vector
from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.kernels.game import LOST, WON, all_owed
from crewsolve.kernels.playouts import play_out
from crewsolve.kernels.policies import FOLLOW_TASKS, TEAMWORK, UNIFORM
from crewsolve.kernels.rollouts import deal_blindly, roll, score_moves
from crewsolve.position import Position
from crewsolve.simulator import replay
from crewsolve.tasks import Status
from crewsolve.view import view as view_of
from tests.strategies import deals
from tests.uncompiled import with_and_without_numba

SMALL = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")


def cards_of(deal: Deal, rng: np.ndarray) -> tuple[Card, ...]:
    """One random playout of the kernel."""
    hands = np.array([hand.mask for hand in deal.hands], dtype=np.int64)
    record = np.zeros(deal.seats * deal.tricks, dtype=np.int64)
    anytime = deal.rules.trumps_anytime
    play_out(hands, deal.leader, deal.tricks, suits_vector(deal.deck), anytime, rng, record)
    return tuple(deal.deck.card(int(bit).bit_length() - 1) for bit in record)


@given(deals(max_cards=20, positions=False))
@settings(max_examples=150, deadline=None)
def test_playouts_are_legal_and_reach_the_last_trick(deal: Deal) -> None:
    position = replay(deal, cards_of(deal, np.array([7], dtype=np.uint64))).position
    assert position.over


def probabilities(position: Position) -> dict[tuple[Card, ...], Fraction]:
    """The exact distribution of playouts when every legal card is equally likely at each step."""
    if position.over:
        return {position.played: Fraction(1)}
    result: dict[tuple[Card, ...], Fraction] = {}
    for card in position.legal:
        for cards, share in probabilities(position.play(card)).items():
            result[cards] = result.get(cards, Fraction(0)) + share / len(position.legal)
    return result


def test_every_legal_card_is_equally_likely() -> None:
    expected = probabilities(Position.of(SMALL))
    rng = np.array([1], dtype=np.uint64)
    draws = 20_000
    seen = Counter(cards_of(SMALL, rng) for _ in range(draws))
    assert set(seen) == set(expected)
    order = list(expected)
    p_value = chisquare([seen[k] for k in order], [float(expected[k]) * draws for k in order]).pvalue
    assert p_value > 1e-4


def win_probability(position: Position) -> Fraction:
    """The exact chance that uniformly random play wins."""
    if position.outcome is not Status.OPEN:
        return Fraction(position.outcome is Status.DONE)
    return sum((win_probability(position.play(c)) for c in position.legal), Fraction(0)) / len(position.legal)


@given(deals(max_cards=9, free=False))
@settings(max_examples=40, deadline=None)
def test_scored_rollouts_win_as_often_as_random_play_does(deal: Deal) -> None:
    position = Position.of(deal)
    if position.outcome is not Status.OPEN:
        return
    table = table_vector(view_of(deal, position.seat), hands=position.hand_masks)
    legal = position.legal
    scores = np.zeros((len(legal), 3), dtype=np.int64)
    rounds = 1500
    score_moves(
        table[None, :], legal.mask, deal.seats, suits_vector(deal.deck), deal.rules.trumps_anytime, UNIFORM,
        rounds, False, np.array([3], dtype=np.uint64), scores,
    )  # fmt: skip
    for row, card in enumerate(legal):
        exact = float(win_probability(position.play(card)))
        error = 5 * (exact * (1 - exact) / rounds) ** 0.5
        assert abs(scores[row, 0] / rounds - exact) <= error, (str(deal), str(card))


@given(deals(max_cards=16, free=False))
@settings(max_examples=60, deadline=None)
def test_a_rollout_ends_won_exactly_when_nothing_is_owed(deal: Deal) -> None:
    position = Position.of(deal)
    if position.outcome is not Status.OPEN:
        return
    for policy in (UNIFORM, FOLLOW_TASKS, TEAMWORK):
        table = table_vector(view_of(deal, position.seat), hands=position.hand_masks)
        rng = np.array([11], dtype=np.uint64)
        status = roll(table, deal.seats, suits_vector(deal.deck), deal.rules.trumps_anytime, policy, rng)
        assert status in (WON, LOST)
        assert (status == WON) == (all_owed(table, deal.seats) == 0)


def test_blind_deals_keep_the_sizes_and_use_every_hidden_card() -> None:
    view = view_of(SMALL, 3)
    table = table_vector(view)
    out = np.empty((2000, len(table)), dtype=np.int64)
    deal_blindly(table, 4, 3, view.hidden.mask, np.array([5], dtype=np.uint64), out)
    for row in out:
        hands = [int(mask) for mask in row[:4]]
        assert [mask.bit_count() for mask in hands] == list(view.sizes)
        assert hands[3] == view.hand.mask
        assert hands[0] | hands[1] | hands[2] == view.hidden.mask
    assert len({tuple(row[:4]) for row in out}) == 90  # 6!/(2!2!2!) ways to deal six hidden cards


TWIN = """
import numpy as np
from crewsolve.deal import random_deal
from crewsolve.cards import Deck
from crewsolve.agents.vectors import suits_vector, table_vector, state_vector
from crewsolve.kernels.rollouts import score_moves, deal_blindly
from crewsolve.kernels.tree import uct, pure
from crewsolve.view import view
np.seterr(over="ignore")
for index, text in enumerate(["2x4+2", "3x4", "4x3+1"]):
    deal = random_deal(Deck.parse(text), seats=3, tasks=3, key=(5, index))
    v = view(deal, deal.leader)
    rng = np.array([9], dtype=np.uint64)
    table, suits = table_vector(v), suits_vector(deal.deck)
    out = np.empty((4, len(table)), dtype=np.int64)
    deal_blindly(table, 3, v.seat, v.hidden.mask, rng, out)
    for policy in (0, 1, 2):
        scores = np.zeros((len(v.legal), 3), dtype=np.int64)
        score_moves(out, v.legal.mask, 3, suits, False, policy, 3, False, rng, scores)
        print(scores.tolist())
    state = state_vector(out[0])
    for search in (lambda *a: uct(*a[:8], 1.4142, *a[8:]), pure):
        value, visits = np.zeros(64, np.int64), np.zeros(64, np.int64)
        search(state, 3, suits, False, 0, 1, 3, 40, rng, value, visits)
        print(value.tolist(), visits.tolist())
"""


def test_kernels_are_the_same_with_numba_switched_off() -> None:
    compiled, plain = with_and_without_numba(TWIN)
    assert compiled == plain
    assert len(compiled.splitlines()) == 15
