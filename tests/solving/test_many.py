from __future__ import annotations

import multiprocessing
import pickle

import pytest
from hypothesis import given, settings

from crewsolve import Card, Deal, Deck, Result, Verdict, random_deals, solve, solve_many
from crewsolve.errors import CrewError, UnknownName
from crewsolve.notation import scan_text
from crewsolve.simulator import verify
from crewsolve.solving import Refusal
from tests import naive
from tests.strategies import deals

STREAM = """
# good, bad, good, illegal, good
one; 1x4; 0; B1 B2 | B3 B4; fixed B1:1
two; 1x4; 0; B1 B2 | B3 B3; fixed B1:1
1x4; 0; B1 B2 | B3 B4; fixed B1:0
four; 1x4; 0; B1 B2 | B3 B4; fixed B1:1; played B3
five; 1x4; 0; B1 B2 | B3 B4; fixed B4:1
"""


def verdicts(outcomes):
    return [str(o.verdict) if isinstance(o, Result) else "refused" for o in outcomes]


@settings(max_examples=150, deadline=None)
@given(deals(max_cards=8))
def test_solve_agrees_with_brute_force_and_its_line_is_replayed(deal):
    result = solve(deal)
    assert (result.verdict is Verdict.WINNABLE) == naive.winnable(deal), str(deal)
    if result.playout is not None:
        assert verify(deal, result.playout).achieved() == result.tasks
        assert len(result.playout) == deal.seats * deal.tricks
    else:
        assert result.verdict is Verdict.UNWINNABLE and not result.tasks


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bad_deal_is_refused_in_its_place_and_the_rest_goes_on(workers):
    found = list(solve_many(scan_text(STREAM, file="x.deals"), workers=workers))
    assert verdicts(found) == ["winnable", "refused", "unwinnable", "refused", "winnable"]
    assert found[1].to_json() == {
        "name": "x.deals:4",
        "error": "x.deals:4: card B3 is listed twice",
        "file": "x.deals",
        "line": 4,
    }
    assert "B3 is in the hand of seat 1" in found[3].error
    assert multiprocessing.active_children() == []


def test_workers_give_the_same_answers_in_the_same_order():
    asked = list(random_deals(Deck.parse("3x4+2"), seats=3, tasks=5, seed=7, count=60))
    alone = list(solve_many(asked, method="cnf:seqcounter"))
    together = list(solve_many(iter(asked), method="cnf:seqcounter", workers=3))
    assert [result.deal for result in together] == asked
    assert verdicts(together) == verdicts(alone)
    assert {"winnable", "unwinnable"} == set(verdicts(alone))


def test_a_method_that_refuses_a_deal_does_not_stop_the_stream():
    deal = "1x4; 0; B1 B2 | B3 B4; fixed B1:1"
    asked = [Deal.parse(f"{name}; {deal}") for name in ("small", "large", "other")]
    found = list(solve_many(asked, method="test:fussy"))
    assert verdicts(found) == ["winnable", "refused", "winnable"]
    assert found[1] == Refusal("large", "a formula of 10^8 clauses would not fit")


def test_a_bug_of_ours_stops_the_stream():
    with pytest.raises(ZeroDivisionError):
        list(solve_many([Deal.parse("bug; 1x4; 0; B1 B2 | B3 B4; fixed B1:1")], method="test:fussy"))


def test_options_hold_for_every_deal():
    asked = [Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B1:0")] * 2
    assert verdicts(solve_many(asked, free=True)) == ["unwinnable"] * 2
    assert verdicts(solve_many(asked, time_limit=0, method="test:brute")) == ["unknown"] * 2
    played = [result.deal.played for result in solve_many(asked, played=[Card.parse("B2")])]
    assert played == [(Card.parse("B2"),)] * 2


def test_wrong_names_and_numbers_are_refused_before_the_first_deal():
    with pytest.raises(UnknownName, match=r"unknown method 'cnf:binomal'; did you mean 'cnf:binomial'"):
        solve_many([], method="cnf:binomal")
    with pytest.raises(UnknownName, match=r"unknown SAT solver 'cadical'.*cadical195"):
        solve_many([], method="cnf:binomial", sat="cadical")
    with pytest.raises(CrewError, match="0 workers: there must be at least one"):
        solve_many([], workers=0)


def test_records_with_errors_survive_the_way_to_a_worker():
    bad = [record for record in scan_text(STREAM, file="x.deals") if record.error is not None]
    assert len(bad) == 2
    for record in bad:
        again = pickle.loads(pickle.dumps(record))
        assert (str(again.error), again.error.line) == (str(record.error), record.error.line)
