"""`search` against the exhaustive twin, on deals of every shape."""

from __future__ import annotations

from hypothesis import given, settings

from crewsolve.deal import Deal
from crewsolve.result import Verdict
from crewsolve.solving import solve
from tests import naive
from tests.strategies import deals


@settings(max_examples=600, deadline=None)
@given(deals(max_cards=10))
def test_search_agrees_with_the_exhaustive_twin(deal: Deal) -> None:
    expected = Verdict.WINNABLE if naive.winnable(deal) else Verdict.UNWINNABLE
    assert solve(deal, method="search").verdict is expected, str(deal)


def test_a_node_budget_gives_unknown_and_never_a_wrong_answer() -> None:
    deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    assert solve(deal, method="search", nodes=1).verdict in (Verdict.UNKNOWN, Verdict.UNWINNABLE)


def test_a_rocket_that_may_stay_in_the_longer_hand_needs_no_trick() -> None:
    deal = Deal.parse("4x1+3; 0; B1 R1 R3 | G1 R2; fixed B1:1 R1:0")
    assert solve(deal, method="search").verdict is Verdict.WINNABLE
