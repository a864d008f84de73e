"""Why the smart player of de Jong cannot have drawn its hands with formula (20) as it is printed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from crewsolve.cards import Deck
from crewsolve.claims.determinization import printed_three_hands
from crewsolve.deal import random_deal
from crewsolve.position import Position
from crewsolve.proofs.determinizations import Hidden, cards_of, probability
from crewsolve.randomness import Stream
from crewsolve.view import View


def hidden_hands(cards_played: int, index: int) -> Hidden:
    """What the seat to play knows of the three others after random play."""
    position, stream = (
        Position.of(random_deal(Deck.parse("4x9+4"), seats=4, tasks=3, key=(5, index))),
        Stream(6, index),
    )
    for _ in range(cards_played):
        legal = list(position.legal)
        position = position.play(legal[stream.below(len(legal))])
    view = View.of(position, position.seat)
    others = [seat for seat in range(4) if seat != view.seat]
    return Hidden(tuple(view.sizes[s] for s in others), tuple(view.may_hold(s).mask for s in others))


def place_all(hidden: Hidden, stream: Stream, *, printed: bool) -> bool:
    """Algorithm 1: whether every card finds a hand that has it with positive probability."""
    share = printed_three_hands if printed else probability
    for card in cards_of(hidden.cards):
        weights = [share(hidden, card, hand) for hand in range(3)]
        if not any(weights):
            return False
        mark = Fraction(stream.below(1 << 30), 1 << 30) * sum(weights)
        hand = next(h for h in range(3) if mark < sum(weights[: h + 1]))
        hidden = hidden.given(card, hand)
    return True


@pytest.mark.parametrize("cards_played", [1, 9, 18])
def test_algorithm_1_with_the_printed_formula_always_gets_stuck(cards_played: int) -> None:
    for index in range(80):
        hidden = hidden_hands(cards_played, index)
        assert not place_all(hidden, Stream(7, index), printed=True)
        assert place_all(hidden, Stream(7, index), printed=False)
