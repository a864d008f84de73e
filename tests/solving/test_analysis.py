from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve import Card, Deal, Playout, Verdict, analyse, review
from crewsolve.errors import IllegalPlay, UnknownName
from crewsolve.position import Position
from crewsolve.simulator import verify
from crewsolve.solving import Finding
from crewsolve.tasks import Status
from tests import naive
from tests.strategies import deals

LOST = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
WON = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2")


@settings(max_examples=150, deadline=None)
@given(deals(max_cards=8))
def test_every_legal_card_gets_the_verdict_of_brute_force(deal):
    position = Position.of(deal)
    found = analyse(deal, method="test:brute")
    assert list(found.results) == list(position.legal)
    for card, result in found.results.items():
        after = deal.after(card)
        assert result.deal == after
        assert (result.verdict is Verdict.WINNABLE) == naive.winnable(after), str(after)
        if result.playout is not None:
            verify(after, result.playout)


def test_an_analysis_at_its_limit_says_unknown():
    found = analyse(WON, method="test:brute", time_limit=0)
    assert set(found.verdicts.values()) == {Verdict.UNKNOWN}
    assert found.keeping() == ()


def test_played_cards_move_the_position():
    found = analyse(WON, method="test:brute", played=[Card.parse("G3")])
    assert found.to_json() == {"B1": "unwinnable", "B2": "winnable"}
    assert found.position.seat == 0


def test_nothing_is_to_be_played_once_the_play_is_over():
    assert analyse(WON.after(*Playout.parse("G3 B2 G1 R1 B3 R2 B1 G2", seats=4).cards)).results == {}


def test_free_tasks_are_analysed_as_free():
    assert analyse(LOST, method="test:brute").keeping() == ()
    expected = [c for c in Position.of(LOST).legal if naive.winnable(LOST.freed().after(c))]
    assert list(analyse(LOST, method="test:brute", free=True).keeping()) == expected


@st.composite
def playouts(draw, deal: Deal):
    position = Position.start(deal)
    while not position.over and draw(st.integers(0, 9)):
        position = position.play(draw(st.sampled_from(list(position.legal))))
    return position


@settings(max_examples=200, deadline=None)
@given(st.data(), deals(max_cards=8, positions=False))
def test_a_review_finds_the_first_card_that_loses(data, deal):
    end = data.draw(playouts(deal))
    found = review(deal, end.played, method="test:brute")
    chances = [naive.winnable(deal.after(*end.played[:n])) for n in range(len(end.played) + 1)]
    if not chances[0]:
        assert found.finding is Finding.HOPELESS
    elif end.outcome is Status.DONE:
        assert found.finding is Finding.WON
    elif all(chances):
        assert found.finding is Finding.OPEN
        assert found.good == len(end.played)
    else:
        assert found.finding is Finding.MISTAKE
        first_lost = chances.index(False)
        assert (found.good, found.bad) == (first_lost - 1, first_lost)
        assert found.card == end.played[first_lost - 1]
        before = deal.after(*end.played[: first_lost - 1])
        assert list(found.kept) == [c for c in Position.of(before).legal if naive.winnable(before.after(c))]
        assert found.kept, "a won position has a card that keeps it"
        verify(before, found.line)


def test_a_review_at_its_limit_says_so():
    found = review(WON, Playout.parse("G3 B1 G1 R1", seats=4), method="test:capped")
    assert found.finding is Finding.UNKNOWN
    assert found.to_json()["finding"] == "unknown"


def test_a_review_refuses_a_playout_that_breaks_the_rules():
    with pytest.raises(IllegalPlay, match="trick 1, seat 0: B3 is in the hand of seat 2"):
        review(WON, Playout.parse("G3 B3", seats=4), method="test:brute")


def test_a_review_starts_before_the_cards_the_deal_says_have_been_played():
    played = Playout.parse("G3 B1 G1 R1", seats=4)
    found = review(WON.after(*played.cards), played, method="test:brute")
    assert str(found.card) == "B1"


def test_a_wrong_method_lists_the_right_ones():
    with pytest.raises(UnknownName, match=r"known: .*test:brute"):
        analyse(WON, method="brute")
