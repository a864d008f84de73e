"""Static tests, `search`, `auto` and batches against the exhaustive twin and each other."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.encodings.batch import Batch, decide_batch, random_batch
from crewsolve.encodings.boards import board_of
from crewsolve.encodings.certificates import prove
from crewsolve.encodings.static import static_loss
from crewsolve.kernels.board import in_hands
from crewsolve.kernels.doom import doomed
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.simulator import verify
from crewsolve.solving import solve
from crewsolve.solving.batches import decide_many
from crewsolve.tasks import FreeTasks, Status
from tests import naive
from tests.strategies import deals
from tests.uncompiled import with_and_without_numba

REAL = Deck.parse("4x9+4")


@settings(max_examples=700, deadline=None)
@given(deals(max_cards=10))
def test_search_auto_and_batches_agree_with_the_exhaustive_twin(deal: Deal) -> None:
    expected = Verdict.WINNABLE if naive.winnable(deal) else Verdict.UNWINNABLE
    assert solve(deal, method="search").verdict is expected, str(deal)
    assert solve(deal, method="auto").verdict is expected, str(deal)
    assert [decided.verdict for decided in decide_many([deal, deal])] == [expected] * 2, str(deal)


@settings(max_examples=400, deadline=None)
@given(deals(max_cards=12))
def test_static_losses_are_losses_and_are_those_of_the_kernel(deal: Deal) -> None:
    position = Position.of(deal)
    reason = static_loss(position)
    if reason is not None and naive_is_quick(position):
        assert not naive.winnable(deal), f"{deal}: {reason}"
    if not position.current.cards and position.outcome is Status.OPEN:
        board = board_of(position)
        code = doomed(board, int(in_hands(board)), position.tricks_left)
        assert (code != 0) == (reason is not None), f"{deal}: kernel says {code}, Python says {reason}"


def naive_is_quick(position: Position) -> bool:
    return sum(mask.bit_count() for mask in position.hand_masks) <= 10


@settings(max_examples=200, deadline=None)
@given(deals(max_cards=9, free=True))
def test_upper_bounds_of_free_tasks_are_searched(deal: Deal) -> None:
    tasks = deal.tasks
    assert isinstance(tasks, FreeTasks)
    roomy = deal.with_tasks(FreeTasks(tasks.cards, tuple(n + 1 for n in tasks.counts), at_most=True))
    expected = Verdict.WINNABLE if naive.winnable(roomy) else Verdict.UNWINNABLE
    assert solve(roomy, method="search").verdict is expected, str(roomy)
    assert solve(roomy, method="auto").verdict is expected, str(roomy)


def test_tasks_that_exclude_each_other_are_named() -> None:
    # B1 wins only when seat 1 has no blue card, B2 only when seat 0 has none: each waits for the other.
    deal = Deal.parse("2x4; 0; B1 G1 G2 G3 | B2 B3 B4 G4; fixed B1:0 B2:1")
    reason = static_loss(Position.of(deal))
    assert not naive.winnable(deal)
    assert reason is not None and ("B1" in reason or "B2" in reason)


def test_counting_tells_the_numbers() -> None:
    deal = random_deal(REAL, seats=4, tasks=36, free=True, key=(1, 1))
    result = solve(deal, method="auto")
    assert result.verdict is Verdict.UNWINNABLE
    assert result.decided_by == "static"
    assert "but 10 are left" in result.reason


@pytest.mark.parametrize("tasks", [35, 36])
def test_nearly_all_free_tasks_are_decided_by_counting(tasks: int) -> None:
    batch = random_batch(REAL, seats=4, tasks=tasks, free=True, keys=[(3, i) for i in range(50)])
    assert {(decided.verdict, decided.stage) for decided in decide_many(batch)} == {
        (Verdict.UNWINNABLE, "static")
    }


@pytest.mark.parametrize(
    "deck, seats, tasks, free",
    [
        ("4x9+4", 4, 6, False), ("4x9+4", 4, 16, False), ("4x9+4", 4, 24, True), ("4x9+4", 3, 8, False),
        ("4x9+4", 5, 8, False), ("4x9", 3, 9, True), ("5x10", 5, 8, False), ("6x10", 6, 8, True),
    ],
)  # fmt: skip
def test_auto_and_the_formulas_agree_on_full_deals(deck: str, seats: int, tasks: int, free: bool) -> None:
    for index in range(4):
        deal = random_deal(Deck.parse(deck), seats=seats, tasks=tasks, free=free, key=(11, index))
        found = solve(deal, method="auto").verdict
        assert found is not Verdict.UNKNOWN
        formula = "cnf:binomial" if seats == 4 and not free else "cnf:lean"
        other = solve(deal, method=formula, conflicts=10_000).verdict
        assert other in (found, Verdict.UNKNOWN), str(deal)


@pytest.mark.parametrize("task", ["B3", "B7"])
def test_losing_deals_for_two_are_searched_to_the_end(task: str) -> None:
    # Seat 0 holds the lowest cards of every suit, so it never wins a trick that holds the task.
    deal = Deal.parse(
        "4x9; 0; B1 B2 B3 B4 B5 G1 G2 G3 G4 P1 P2 P3 P4 P5 Y1 Y2 Y3 Y4 "
        f"| B6 B7 B8 B9 G5 G6 G7 G8 G9 P6 P7 P8 P9 Y5 Y6 Y7 Y8 Y9; fixed {task}:0"
    )
    assert solve(deal, method="search", nodes=1_000_000).verdict is Verdict.UNWINNABLE
    assert solve(deal, method="auto").verdict is Verdict.UNWINNABLE


def test_a_node_budget_gives_unknown_and_a_larger_one_the_answer() -> None:
    deal = random_deal(REAL, seats=4, tasks=5, key=(1, 1))
    assert solve(deal, method="search", nodes=3).verdict is Verdict.UNKNOWN
    assert solve(deal, method="search", nodes=100_000).verdict is Verdict.WINNABLE


def test_budgets_bound_auto() -> None:
    deal = random_deal(REAL, seats=4, tasks=10, key=(1, 2))
    result = solve(deal, method="auto", nodes=50, conflicts=5)
    assert result.verdict is Verdict.UNKNOWN
    assert result.decided_by == "limit"


def test_an_expired_time_limit_gives_unknown() -> None:
    deal = random_deal(REAL, seats=4, tasks=10, key=(1, 2))
    assert solve(deal, method="auto", time_limit=0.0).verdict is Verdict.UNKNOWN
    assert solve(deal, method="search", time_limit=0.0).verdict is Verdict.UNKNOWN


def test_the_lines_of_a_batch_win_in_the_simulator() -> None:
    batch = random_batch(REAL, seats=4, tasks=5, keys=[(2, i) for i in range(60)])
    decisions = decide_batch(batch)
    won = [n for n, verdict in enumerate(decisions.verdicts) if verdict is Verdict.WINNABLE]
    assert len(won) > 30
    for number in won:
        line = [batch.deck.card(int(card)) for card in decisions.lines[number]]
        assert verify(batch.deal(number), Playout.of(line, seats=4)).position.over


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize(
    "deck, seats, leader",
    [("4x9+4", 4, None), ("4x9", 3, None), ("2x3+2", 3, "first"), ("3x4+1", 2, "drawn")],
)
def test_random_batches_are_the_random_deals(deck: str, seats: int, leader: str | None, free: bool) -> None:
    shape = Deck.parse(deck)
    keys = [(9, i) for i in range(40)]
    batch = random_batch(shape, seats=seats, tasks=5, free=free, leader=leader, keys=keys)
    expected = [random_deal(shape, seats=seats, tasks=5, free=free, leader=leader, key=key) for key in keys]
    assert [batch.deal(number) for number in range(len(batch))] == expected
    again = Batch.of(expected)
    for name in ("hands", "leaders", "owned", "counted", "room"):
        assert np.array_equal(getattr(batch, name), getattr(again, name)), name


TWIN = """
import json
from crewsolve.cards import Deck
from crewsolve.deal import random_deal
from crewsolve.encodings.batch import decide_batch, random_batch
from crewsolve.solving import solve
found = []
shapes = ("4x9+4", 4, 6, False), ("4x9+4", 4, 14, False), ("3x5+3", 3, 7, True), ("2x8", 2, 5, False)
for deck, seats, tasks, free in shapes:
    keys = [(4, i) for i in range(3)]
    batch = random_batch(Deck.parse(deck), seats=seats, tasks=tasks, free=free, keys=keys)
    decisions = decide_batch(batch, nodes=120)
    found.append([decisions.statuses.tolist(), decisions.nodes.tolist(), decisions.lines.tolist()])
    result = solve(batch.deal(0), method="search", nodes=400)
    found.append([str(result.verdict), str(result.playout), result.statistics["nodes"]])
print(json.dumps(found))
"""


def test_plain_python_gives_the_same_nodes_verdicts_and_lines() -> None:
    compiled, plain = with_and_without_numba(TWIN, "-W", "error")
    assert json.loads(compiled) == json.loads(plain)


def test_a_rocket_that_may_stay_in_the_longer_hand_needs_no_trick() -> None:
    deal = Deal.parse("4x1+3; 0; B1 R1 R3 | G1 R2; fixed B1:1 R1:0")
    assert solve(deal, method="search").verdict is Verdict.WINNABLE
    assert static_loss(Position.of(deal)) is None


@pytest.mark.parametrize("deck, seats, tasks", [("3x5+2", 3, 6), ("4x4+2", 4, 6), ("2x6+2", 2, 4)])
def test_losses_by_search_have_a_proof_that_is_checked(deck: str, seats: int, tasks: int) -> None:
    proved = 0
    for index in range(40):
        deal = random_deal(Deck.parse(deck), seats=seats, tasks=tasks, key=(21, index))
        found = solve(deal, method="search").verdict
        if found is Verdict.UNWINNABLE and static_loss(Position.of(deal)) is None:
            proof = prove(deal)
            assert proof is not None and proof.checked.steps, str(deal)
            proved += 1
        if proved == 3:
            break
    assert proved
