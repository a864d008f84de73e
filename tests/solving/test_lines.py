from __future__ import annotations

import pytest
from hypothesis import given, settings

from crewsolve import Deal, Playout, count_lines, enumerate_lines
from crewsolve.simulator import perft, verify
from tests import naive
from tests.strategies import deals

WON = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2")


@settings(max_examples=200, deadline=None)
@given(deals(max_cards=9))
def test_the_count_by_positions_is_the_simulators(deal):
    found = count_lines(deal, method="test:brute")
    assert found.exact and found.counted_by == "positions"
    assert found.count == naive.winning_playouts(deal), str(deal)
    assert found.unique is (found.count == 1)


@settings(max_examples=150, deadline=None)
@given(deals(max_cards=8))
def test_the_enumeration_is_complete_and_without_repetition(deal):
    lines = list(enumerate_lines(deal, method="test:brute"))
    assert len(set(lines)) == len(lines) == naive.winning_playouts(deal), str(deal)
    for line in lines:
        assert verify(deal, line).position.over


@settings(max_examples=100, deadline=None)
@given(deals(max_cards=8))
def test_where_positions_are_too_many_lines_are_enumerated_up_to_the_limit(deal):
    expected = naive.winning_playouts(deal)
    found = count_lines(deal, method="test:brute", nodes=0, limit=3)
    if found.counted_by == "positions":  # the play was over, or nearly
        assert found.exact and found.count == expected
    elif expected > 3:
        assert 3 < found.count <= expected
        assert (found.exact, found.unique) == (False, False)
        assert found.reason == "the limit of 3 was reached"
    else:
        assert (found.count, found.exact) == (expected, True)
        assert found.unique is (expected == 1)


def test_without_tasks_every_playout_wins():
    deal = Deal.parse("3x4+2; 0; B1 B4 G2 P3 | B2 G1 G3 R1 | B3 P1 P2 P4; fixed")
    assert count_lines(deal, method="test:brute").count == perft(deal, 12)


def test_one_line_is_unique():
    line = Playout.parse("G3 B2 G1 R1", seats=4)
    found = count_lines(WON.after(*line.cards), method="test:brute")
    assert (found.count, found.unique) == (1, True)


def test_a_time_limit_leaves_the_count_open():
    found = count_lines(WON, method="test:brute", time_limit=0)
    assert (found.count, found.exact, found.unique) == (0, False, None)
    assert found.reason == "the time limit was reached"


@pytest.mark.parametrize("limit", [1, 2])
def test_a_limit_below_the_count_is_told_from_one_that_is_reached(limit):
    found = count_lines(WON, method="test:brute", nodes=0, limit=limit)
    assert found.exact is (limit == 2), found
    assert found.count == 2
