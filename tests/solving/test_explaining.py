from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve import Card, Deal, Verdict, explain
from crewsolve.encodings import METHODS
from crewsolve.errors import CrewError, Disagreement
from crewsolve.simulator import verify
from crewsolve.solving import explaining
from crewsolve.solving.cores import Oracle, Undecided, largest_winnable, minimal_unwinnable
from crewsolve.solving.explaining import part_of, second_methods
from crewsolve.tasks import FixedTasks, FreeTasks
from tests import naive
from tests.strategies import deals

BIG = "2x4; 0; B1 B2 G3 G4 | B3 B4 G1 G2; fixed B1:0 G1:0"
"""Blue is always won by seat 1; too many cards for the method that gives up early."""

BRUTE = {"method": "test:brute", "check": "test:again"}
CARDS = [Card.parse(name) for name in ("B1", "B2", "G1", "G2", "P1", "P2")]


def subsets(cards):
    return [frozenset(part) for size in range(len(cards) + 1) for part in combinations(cards, size)]


def minimal(sets):
    return {one for one in sets if not any(other < one for other in sets)}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.frozensets(st.sampled_from(CARDS)), min_size=1, max_size=5))
def test_cores_and_largest_sets_of_any_monotone_family(maximal):
    """Over all families of winnable sets, not only those that a deal happens to have."""

    def ask(tasks):
        met = next((known for known in maximal if tasks <= known), None)
        return None if met is None else (tasks, None)

    unwinnable = [tasks for tasks in subsets(CARDS) if ask(tasks) is None]
    found = list(minimal_unwinnable(Oracle(CARDS, ask)))
    assert set(found) == minimal(unwinnable) and len(found) == len(set(found))
    assert [len(core) for core in found] == sorted(len(core) for core in found)
    assert len(largest_winnable(Oracle(CARDS, ask))) == max(map(len, maximal))


@settings(max_examples=150, deadline=None)
@given(deals(max_cards=7))
def test_every_core_is_found_and_the_most_tasks_are_met(deal):
    cards = list(deal.tasks.cards)
    winnable = [part for part in subsets(cards) if naive.winnable(deal.with_tasks(part_of(deal.tasks, part)))]
    unwinnable = set(subsets(cards)) - set(winnable)
    found = explain(deal, every=True, **BRUTE)
    assert {frozenset(core.tasks.cards) for core in found.cores} == minimal(unwinnable), str(deal)
    assert all(core.checked_by == "test:again" for core in found.cores)
    assert found.fewest and found.every and found.most_proved
    assert len(found.most) == max(map(len, winnable)), str(deal)
    verify(deal.with_tasks(found.most), found.line)
    assert (found.verdict is Verdict.WINNABLE) == (frozenset(cards) in winnable)


@settings(max_examples=60, deadline=None)
@given(deals(max_cards=7))
def test_the_first_core_has_the_fewest_tasks(deal):
    found = explain(deal, **BRUTE)
    everything = explain(deal, every=True, **BRUTE)
    if found.verdict is Verdict.UNWINNABLE:
        assert len(found.cores) == 1
        assert len(found.cores[0].tasks) == min(len(core.tasks) for core in everything.cores)


def test_the_words_name_seats_and_cards():
    deal = Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B1:1 B3:0 B4:0")
    assert [str(core) for core in explain(deal, every=True, **BRUTE).cores] == [
        "no line lets seat 0 win B3",
        "no line lets seat 0 win B4",
    ]
    pair = Deal.parse("2x3; 0; B2 G1 G3 | B1 B3 G2; fixed G1:0 G2:1")
    assert str(explain(pair, **BRUTE).cores[0]) == "no line lets seat 0 win G1 and seat 1 win G2"


def test_free_tasks_keep_their_counts_as_upper_bounds():
    deal = Deal.parse("1x4; 0; B1 B2 | B3 B4; free B1 B2 B3 / 2,1")
    found = explain(deal, **BRUTE)
    assert str(found.cores[0]) == "no line wins B1 and B2 with at most 2 by seat 0 and 1 by seat 1"
    assert isinstance(found.most, FreeTasks) and found.most.at_most
    assert len(found.most) == 1


def test_part_of_fixed_tasks_keeps_the_owners():
    tasks = Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B1:1 B3:0 B4:0").tasks
    part = part_of(tasks, frozenset([Card.parse("B3")]))
    assert isinstance(part, FixedTasks) and str(part) == "fixed B3:0"


def test_a_winnable_deal_needs_no_explanation():
    found = explain(Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B1:1"), **BRUTE)
    assert found.verdict is Verdict.WINNABLE and found.cores == ()
    assert str(found.most) == "fixed B1:1" and found.line is not None


def test_methods_that_disagree_are_a_bug_and_not_an_answer():
    deal = Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B1:1 B3:1")
    with pytest.raises(Disagreement, match=r"called unwinnable, but B\d"):
        explain(deal, method="test:contrary", check="test:brute")
    pair = Deal.parse("2x3; 0; B2 G1 G3 | B1 B3 G2; fixed G1:0 G2:1")
    with pytest.raises(Disagreement, match=r"test:brute says winnable, test:contrary says unwinnable: 2x3"):
        explain(pair, method="test:brute", check="test:contrary")


def test_a_method_does_not_check_itself():
    deal = Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B3:0")
    with pytest.raises(CrewError, match="second method must not be the first"):
        explain(deal, method="test:brute", check="test:brute")


def test_second_methods_are_real_and_of_another_kind():
    for name in METHODS:
        if name.startswith("test:"):
            continue
        seconds = second_methods(name)
        assert seconds and set(seconds) <= set(METHODS)
        for second in seconds:
            kinds = {name.partition(":")[0], second.partition(":")[0]}
            assert len(kinds) == 2 and kinds != {"auto", "search"}, (name, second)


def test_a_second_method_at_its_limit_leaves_the_set_unchecked():
    found = explain(Deal.parse(BIG), method="test:brute", check="test:capped")
    assert [core.checked_by for core in found.cores] == [None]
    assert found.fewest and found.most_proved


def test_where_one_method_reaches_its_limit_the_next_checks(monkeypatch):
    monkeypatch.setattr(explaining, "SECOND_METHODS", ("test:capped", "cnf:seqcounter"))
    monkeypatch.setitem(METHODS, "brute", METHODS["test:brute"])
    found = explain(Deal.parse(BIG), method="brute")
    assert [core.checked_by for core in found.cores] == ["cnf:seqcounter"]


def test_at_its_limit_nothing_is_claimed():
    deal = Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B3:0")
    found = explain(deal, time_limit=0, **BRUTE)
    assert found.verdict is Verdict.UNKNOWN
    assert not (found.cores or found.fewest or found.every or found.most_proved)


class Patience:
    """An oracle for B1 with B2 and G1 with G2 each impossible, which gives up after some questions."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def __call__(self, tasks):
        if self.left == 0:
            raise Undecided
        self.left -= 1
        bad = [{CARDS[0], CARDS[1]}, {CARDS[2], CARDS[3]}]
        return None if any(core <= tasks for core in bad) else (tasks, None)


@pytest.mark.parametrize("questions", range(12))
def test_an_oracle_that_gives_up_ends_the_search_without_a_wrong_core(questions):
    found = []
    try:
        for core in minimal_unwinnable(Oracle(CARDS[:4], Patience(questions))):
            found.append(core)
    except Undecided:
        pass
    assert set(found) <= {frozenset(CARDS[:2]), frozenset(CARDS[2:4])}
