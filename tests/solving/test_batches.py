"""Streams of deals as arrays: the same results as one by one, in order, and nobody waits for a slow deal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve import Deal, Deck, Result, Verdict, random_deal, random_deals, solve, solve_many
from crewsolve.encodings import auto
from crewsolve.encodings.boards import board_of
from crewsolve.errors import CrewError
from crewsolve.kernels.replay import line_wins
from crewsolve.position import Position
from crewsolve.simulator import verify
from crewsolve.solving import batches, many
from crewsolve.solving.batches import decide_many, screen
from crewsolve.solving.chunks import LARGEST_CHUNK, QUICK
from crewsolve.solving.many import Options, solve_chunk
from tests.strategies import deals

REAL = Deck.parse("4x9+4")


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    """Load the kernels, so that no deal is given to SAT in place of that."""
    deal = random_deal(REAL, seats=4, tasks=5, key=(1, 1))
    solve(deal, method="search")
    decide_many([deal])


def content(result: Result | object) -> tuple[object, ...]:
    """All of a result that does not depend on the run."""
    assert isinstance(result, Result)
    return (
        result.deal, result.verdict, result.method, result.decided_by, result.reason, result.playout,
        dict(result.tasks), result.statistics.get("nodes", 0),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(deals(max_cards=11), min_size=1, max_size=6))
def test_a_chunk_of_any_deals_has_the_results_of_one_by_one(asked: list[Deal]) -> None:
    found = list(solve_chunk(asked, options=Options("auto")))
    assert [content(result) for result in found] == [content(solve(deal)) for deal in asked]


@pytest.mark.parametrize(
    "deck, seats, tasks, free",
    [("4x9+4", 4, 5, False), ("4x9+4", 4, 14, False), ("4x9+4", 3, 20, True), ("4x6", 2, 5, False)],
)
def test_a_stream_of_full_deals_has_the_results_of_one_by_one(
    deck: str, seats: int, tasks: int, free: bool
) -> None:
    asked = list(random_deals(Deck.parse(deck), seats=seats, tasks=tasks, free=free, seed=6, count=25))
    for deal, found in zip(asked, solve_many(asked), strict=True):
        assert content(found) == content(solve(deal)), str(deal)
        assert isinstance(found, Result) and found.deal.name == deal.name
        if found.playout is not None:
            replayed = verify(deal, found.playout)
            assert replayed.position.over and replayed.achieved() == found.tasks


@pytest.mark.parametrize("nodes, conflicts", [(0, 0), (40, 0), (200, 2), (4_000, 20)])
@pytest.mark.parametrize("deck, seats, tasks, free", [("3x6+3", 3, 8, False), ("4x9", 2, 12, True)])
def test_budgets_mean_the_same_in_a_stream(
    deck: str, seats: int, tasks: int, free: bool, nodes: int, conflicts: int
) -> None:
    asked = list(random_deals(Deck.parse(deck), seats=seats, tasks=tasks, free=free, seed=8, count=12))
    alone = [solve(deal, nodes=nodes, conflicts=conflicts) for deal in asked]
    stream = list(solve_many(asked, nodes=nodes, conflicts=conflicts))
    assert [content(result)[:6] for result in stream] == [content(result)[:6] for result in alone]


def test_budgets_leave_something_open() -> None:
    asked = random_deals(Deck.parse("3x6+3"), seats=3, tasks=8, seed=8, count=12)
    verdicts = {result.verdict for result in solve_many(asked, nodes=40, conflicts=0)}  # type: ignore[union-attr]
    assert Verdict.UNKNOWN in verdicts and len(verdicts) > 1


def sequences(deal: Deal) -> st.SearchStrategy[list[int]]:
    """Numbers of cards in play, as many as are played: hardly ever a legal line."""
    numbers = [deal.deck.index(card) for card in deal.in_play]
    return st.permutations(numbers).map(lambda order: order[: deal.seats * deal.tricks])


@settings(max_examples=400, deadline=None)
@given(st.data(), deals(max_cards=8, positions=False))
def test_the_compiled_replay_judges_as_the_simulator_does(data: st.DataObject, deal: Deal) -> None:
    if data.draw(st.booleans(), label="legal"):
        position = Position.of(deal)
        while not position.over:
            position = position.play(data.draw(st.sampled_from(list(position.legal))))
        line = [deal.deck.index(card) for card in position.played]
    else:
        line = data.draw(sequences(deal))
    won = np.zeros(deal.seats, np.int64)
    board = board_of(Position.of(deal))
    wins = line_wins(board, deal.leader, deal.tricks, np.array(line, np.int64), won)
    try:
        replayed = verify(deal, [deal.deck.card(number) for number in line])
    except CrewError:
        assert not wins
    else:
        assert wins and won.tolist() == list(replayed.position.won_masks)


def test_a_slow_deal_keeps_only_those_behind_it_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list(random_deals(REAL, seats=4, tasks=12, seed=3, start=1, count=11))
    slow = [n for n, one in enumerate(screen(asked, auto.Limits())) if one and one.verdict is Verdict.UNKNOWN]
    assert 0 < slow[0] < len(asked) - 1
    begun: list[Deal] = []

    def ask(deal: Deal, *rest: object) -> Result:
        begun.append(deal)
        return original(deal, *rest)  # type: ignore[arg-type]

    original = batches.ask
    monkeypatch.setattr(batches, "ask", ask)
    outcomes = solve_chunk(asked, options=Options("auto"))
    for deal in asked[: slow[0]]:
        assert next(outcomes).deal == deal  # type: ignore[union-attr]
    assert begun == []
    assert next(outcomes).deal == begun[0] == asked[slow[0]]  # type: ignore[union-attr]
    assert len(list(outcomes)) == len(asked) - slow[0] - 1 and begun == [asked[n] for n in slow]


class Source:
    """Deals that come one by one, each after some seconds of a clock that only they move."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now, self.read = seconds, 0.0, 0

    def __iter__(self) -> Iterator[Deal]:
        for deal in random_deals(Deck.parse("2x3+2"), seats=3, tasks=1, seed=3):
            self.now += self.seconds
            self.read += 1
            yield deal

    def perf_counter(self) -> float:
        return self.now


def test_a_slow_source_is_answered_deal_by_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(2 * QUICK)
    monkeypatch.setattr(many, "time", source)
    outcomes = solve_many(source)
    assert source.read == 0
    for number in range(1, 30):
        next(outcomes)
        assert source.read == number


def test_a_quick_source_is_read_a_chunk_ahead_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(0.0)
    monkeypatch.setattr(many, "time", source)
    outcomes = solve_many(source)
    ahead = []
    for number in range(1, 4 * LARGEST_CHUNK):
        next(outcomes)
        ahead.append(source.read - number)
    assert ahead[:7] == [0, 1, 0, 3, 2, 1, 0]
    assert max(ahead) == LARGEST_CHUNK - 1


def test_the_clock_and_other_methods_ask_deal_by_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("no arrays here")

    monkeypatch.setattr(many, "screen", refuse)
    asked = list(random_deals(Deck.parse("2x3+2"), seats=3, tasks=1, seed=1, count=4))
    expected = ["winnable", "winnable", "unwinnable", "winnable"]
    for options in ({"time_limit": 60.0}, {"method": "search"}):
        found = list(solve_many(asked, **options))  # type: ignore[arg-type]
        assert [str(result.verdict) for result in found] == expected  # type: ignore[union-attr]


def test_a_wrong_line_of_the_kernel_is_never_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from crewsolve.encodings import batch
    from crewsolve.errors import WrongPlayout

    def refuse_all(*arguments: np.ndarray) -> None:
        arguments[-4][:] = batch.kernels.WRONG

    monkeypatch.setattr(batch.kernels, "decide_all", refuse_all)
    with pytest.raises(WrongPlayout, match="2x3"):
        list(
            solve_chunk(
                [random_deal(Deck.parse("2x3+2"), seats=3, tasks=1, key=(1, 0))], options=Options("auto")
            )
        )
