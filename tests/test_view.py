"""A view holds what a seat knows, all of it and nothing more."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.cards import Card, CardSet
from crewsolve.deal import Deal, highest_rocket_holder
from crewsolve.position import Position
from crewsolve.simulator import view
from crewsolve.view import View
from tests.strategies import deals

DEAL = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:3 G1:0")


def after(*cards: str, deal: Deal = DEAL) -> Deal:
    return deal.after(*map(Card.parse, cards))


def swapped(deal: Deal, seat: int, order: list[int]) -> Deal:
    """The deal with the unplayed cards of the other seats dealt anew in `order`, sizes kept."""
    position = Position.of(deal)
    others = [s for s in range(deal.seats) if s != seat]
    hidden = [card for s in others for card in position.hand(s)]
    hidden = [hidden[i] for i in order]
    hands = list(deal.hands)
    for s in others:
        size = len(position.hand(s))
        mine, hidden = hidden[:size], hidden[size:]
        hands[s] = (deal.hands[s] - position.hand(s)) | deal.deck.set(mine)
    return replace(deal, hands=tuple(hands))


def consistent(deal: Deal, other: Deal) -> bool:
    """Whether the other deal could have led to the same public history."""
    try:
        Position.of(other)
    except ValueError:
        return False
    return not deal.rocket_leader or highest_rocket_holder(other.hands) == deal.leader


@settings(deadline=None, max_examples=60)
@given(deals(max_cards=8), st.data())
def test_a_view_is_the_same_for_all_deals_that_look_the_same(deal: Deal, data: st.DataObject) -> None:
    """No hidden card is inside: other hidden hands with the same history give an equal view, and what a
    seat may hold in one of them is what the view says it may hold."""
    seat = data.draw(st.integers(0, deal.seats - 1))
    own = view(deal, seat)
    for _ in range(10):
        other = swapped(deal, seat, data.draw(st.permutations(range(len(own.hidden)))))
        if not consistent(deal, other) or other.rocket_leader != deal.rocket_leader:
            continue
        assert view(other, seat) == own
        for s in range(deal.seats):
            assert Position.of(other).hand(s) <= own.may_hold(s)


@settings(deadline=None, max_examples=200)
@given(deals(), st.data())
def test_a_view_agrees_with_the_position(deal: Deal, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, deal.seats - 1))
    position = Position.of(deal)
    own = View.of(position, seat)
    assert own == view(deal, seat) and hash(own) == hash(view(deal, seat))
    assert own.hand == position.hand(seat)
    assert own.played == position.played
    assert own.sizes == tuple(len(position.hand(s)) for s in range(deal.seats))
    assert own.won_masks == position.won_masks
    assert own.hidden == deal.in_play - deal.deck.set(position.played) - own.hand
    assert own.legal == (position.legal if position.seat == seat else CardSet(deal.deck, 0))
    for s in range(deal.seats):
        assert position.hand(s) <= own.may_hold(s)


def test_the_deal_is_not_inside() -> None:
    own = view(DEAL, 0)
    assert not any(isinstance(getattr(own, name), (Deal, Position)) for name in own.__dataclass_fields__)
    assert str(own.hand) == "B1 B2"


def test_not_following_proves_a_void() -> None:
    voids = view(after("R2", "B1", "G1", "R1"), 2).voids
    assert [sorted(void) for void in voids] == [[0], [0], [], []]


def test_a_rocket_proves_no_void_where_it_may_be_played_anytime() -> None:
    line = "2x3+2; 0; B1 B2 | B3 R1; fixed"
    official, anytime = (
        Deal.parse("2x3+2; 0; G1 B2 | B3 R1; fixed"),
        Deal.parse(f"{line}; rules trumps_anytime"),
    )
    assert view(after("G1", "R1", deal=official), 0).voids[1] == {2}
    assert view(after("B1", "R1", deal=anytime), 0).voids[1] == frozenset()


def test_the_highest_rocket_is_public_only_where_the_rule_made_it_so() -> None:
    assert view(DEAL, 0).highest_rocket == 3
    assert Card.parse("R2") not in view(DEAL, 0).may_hold(2)
    assert Card.parse("R2") in view(DEAL, 0).may_hold(3)
    elsewhere = replace(DEAL, leader=1)
    assert view(elsewhere, 0).highest_rocket is None
    assert Card.parse("R2") in view(elsewhere, 0).may_hold(2)
    assert view(Deal.parse("2x3; 0; B1 | B2; fixed"), 1).highest_rocket is None


def test_nothing_is_communicated_yet() -> None:
    assert view(DEAL, 0).communicated == ()
