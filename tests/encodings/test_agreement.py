"""Every method agrees with brute force on small decks, and with every other on full ones."""

from __future__ import annotations

import pytest

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deals
from crewsolve.result import Verdict
from crewsolve.solving import solve
from tests import naive
from tests.encodings.small_deals import SHAPES, small_deals

CHUNKS, CHUNK = 10, 310


def test_small_deals_are_distinct_and_of_every_shape() -> None:
    deals = list(small_deals(0, CHUNKS * CHUNK))
    assert len({str(deal) for deal in deals}) >= 3000
    seen = {name: sum(map(shape, deals)) for name, shape in SHAPES.items()}
    assert min(seen.values()) >= 40, seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_all_methods_agree_with_brute_force(chunk: int, asked_methods: list[str]) -> None:
    won = 0
    for deal in small_deals(chunk * CHUNK, CHUNK):
        winnable = naive.winnable(deal)
        won += winnable
        expected = Verdict.WINNABLE if winnable else Verdict.UNWINNABLE
        for method in asked_methods:
            assert solve(deal, method=method).verdict is expected, f"{method}: {deal}"
    assert CHUNK / 5 <= won <= CHUNK * 4 / 5


def _agreed(deal: Deal, methods: list[str], limits: dict[str, int]) -> Verdict | None:
    """The common verdict of all methods that decide the deal within the budget."""
    verdicts = {method: solve(deal, method=method, **limits).verdict for method in methods}
    decided = {verdict for verdict in verdicts.values() if verdict is not Verdict.UNKNOWN}
    assert len(decided) <= 1, f"{verdicts}: {deal}"
    return decided.pop() if decided else None


FULL = Deck.parse("4x9+4")
BUDGET = {"conflicts": 20_000, "nodes": 2_000_000}


@pytest.mark.parametrize("free, tasks, count", [(False, 7, 2), (False, 14, 2), (True, 8, 1), (True, 16, 1)])
def test_all_methods_agree_on_some_full_deals(
    free: bool, tasks: int, count: int, asked_methods: list[str]
) -> None:
    for deal in random_deals(FULL, seats=4, tasks=tasks, free=free, seed=5, count=count):
        assert _agreed(deal, asked_methods, BUDGET) is not None, f"nobody decides {deal}"


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("tasks", [4, 6, 8, 10, 12, 14])
def test_all_methods_agree_on_hundreds_of_full_deals(
    seats: int, free: bool, tasks: int, asked_methods: list[str]
) -> None:
    deals = random_deals(FULL, seats=seats, tasks=tasks, free=free, seed=6, count=8)
    decided = [_agreed(deal, asked_methods, BUDGET) for deal in deals]
    assert decided.count(None) <= 1


@pytest.mark.parametrize("tasks", [24, 28, 32])
@pytest.mark.parametrize("encoding", ["seqcounter", "totalizer", "native"])
def test_many_free_tasks_do_not_explode(tasks: int, encoding: str) -> None:
    (deal,) = random_deals(FULL, seats=4, tasks=tasks, free=True, seed=1, count=1)
    result = solve(deal, method=f"cnf:{encoding}")
    assert result.verdict is Verdict.WINNABLE
    assert result.statistics["clauses"] < 40_000
