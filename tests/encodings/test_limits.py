"""A limit gives UNKNOWN at once, from every method and solver, and leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deals
from crewsolve.encodings import METHODS, get_method
from crewsolve.encodings.at_most import AT_MOST
from crewsolve.encodings.formula import Formula, OutOfTime
from crewsolve.encodings.method import Limits
from crewsolve.encodings.sat import LARGE, Problem, run_sat
from crewsolve.encodings.solvers import child_environment, get_solver, solvers
from crewsolve.errors import CrewError, TooLarge, UnknownName
from crewsolve.result import Verdict
from crewsolve.solving import solve
from tests.encodings.hard import HARD, HOPELESS

LIMIT = 0.3
ALLOWED = 1.0
"""Seconds beyond the limit that the promise leaves; an answer takes a few hundredths."""

SAT_METHODS = [f"cnf:{encoding}" for encoding in AT_MOST]


def _children() -> set[str]:
    listing = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    return set(listing.read_text().split()) if listing.exists() else set()


def _assert_prompt(method: str, sat: str | None, *, deal: Deal = HARD) -> None:
    solvers()  # probing is no part of an answer
    get_method(method, sat=sat)
    threads, children = threading.active_count(), _children()
    started = time.monotonic()
    result = solve(deal, method=method, sat=sat, time_limit=LIMIT)
    elapsed = time.monotonic() - started
    assert result.verdict is Verdict.UNKNOWN
    assert elapsed < LIMIT + ALLOWED
    assert threading.active_count() == threads
    assert _children() <= children


@pytest.mark.parametrize("name", [*SAT_METHODS, "cnf:lean", "cpsat", "search", "auto"])
def test_a_time_limit_is_kept_by_every_method(name: str) -> None:
    solve(HOPELESS, method=name, time_limit=0.01)  # imports are no part of an answer
    if name in ("search", "auto"):
        solve(HOPELESS, method="search", nodes=5_000)  # nor are the kernels
    _assert_prompt(name, None, deal=HOPELESS)


@pytest.mark.parametrize("sat", solvers())
def test_a_time_limit_is_kept_by_every_solver(sat: str) -> None:
    _assert_prompt("cnf:ladder", sat)


@pytest.mark.parametrize("sat", solvers())
def test_every_solver_finds_wins_and_losses_under_a_limit(sat: str) -> None:
    for tasks in (3, 14):
        (deal,) = random_deals(Deck.parse("4x6+3"), seats=4, tasks=tasks, seed=9, count=1)
        verdict = solve(deal, method="cnf:ladder", sat=sat, time_limit=60).verdict
        assert verdict is (Verdict.WINNABLE if tasks == 3 else Verdict.UNWINNABLE), str(deal)


@pytest.mark.parametrize("name", [*SAT_METHODS, "cpsat"])
def test_no_time_at_all_gives_unknown(name: str) -> None:
    assert solve(HARD, method=name, time_limit=0).verdict is Verdict.UNKNOWN


def test_building_watches_the_clock() -> None:
    formula = Formula(encoding="binomial", limits=Limits.within(0))
    with pytest.raises(OutOfTime):
        formula.extend("rule", formula.at_most(range(1, 40), 9))


def test_a_formula_of_a_million_clauses_keeps_the_limit() -> None:
    (deal,) = random_deals(Deck.parse("4x9+4"), seats=4, tasks=24, free=True, seed=1, count=1)
    started = time.monotonic()
    result = solve(deal, method="cnf:binomial", time_limit=2.0)
    assert time.monotonic() - started < 2.0 + ALLOWED
    assert result.verdict in (Verdict.UNKNOWN, Verdict.WINNABLE)


def test_large_formulas_run_in_a_process_that_answers_right() -> None:
    clauses = [[-1, -2, number] for number in range(3, LARGE + 10)]
    outcome = run_sat(Problem([[1], [2], *clauses]), get_solver("minisat22"), limits=Limits.within(60))
    assert outcome.verdict is Verdict.WINNABLE
    assert outcome.model is not None and LARGE in outcome.model


def test_more_clauses_than_fit_are_refused_with_the_estimate() -> None:
    (deal,) = random_deals(Deck.parse("4x9+4"), seats=4, tasks=32, free=True, seed=1, count=1)
    with pytest.raises(TooLarge, match=r"112,195,200 clauses.*choose an encoding"):
        solve(deal, method="cnf:binomial")


@pytest.mark.parametrize("sat", [name for name, solver in solvers().items() if solver.budget])
def test_a_budget_of_conflicts_gives_the_same_answer_every_time(sat: str) -> None:
    for _ in range(2):
        result = solve(HARD, method="cnf:ladder", sat=sat, conflicts=300)
        assert result.verdict is Verdict.UNKNOWN
        assert result.decided_by == "limit"


def test_cpsat_repeats_itself() -> None:
    (deal,) = random_deals(Deck.parse("4x9+4"), seats=4, tasks=4, seed=3, count=1)
    first, second = (solve(deal, method="cpsat") for _ in range(2))
    assert first.playout == second.playout
    assert first.statistics == second.statistics
    assert solve(HARD, method="cpsat", conflicts=100).verdict is Verdict.UNKNOWN


def test_a_solver_that_cannot_count_conflicts_says_so() -> None:
    with pytest.raises(CrewError, match="'lingeling' cannot count conflicts"):
        solve(HARD, method="cnf:ladder", sat="lingeling", conflicts=10)


INTERRUPTED = """
import sys
from crewsolve.solving import solve
from tests.encodings.hard import HARD
print("ready", flush=True)
try:
    solve(HARD, method=sys.argv[1], sat=sys.argv[2] or None)
except KeyboardInterrupt:
    import threading
    print("interrupted", threading.active_count(), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on Unix")
@pytest.mark.parametrize(
    "name, sat",
    [("cnf:ladder", "cadical195"), ("cnf:ladder", "glucose4"), ("cnf:ladder", "lingeling"), ("cpsat", "")],
)
def test_ctrl_c_ends_the_solver_and_leaves_no_thread(name: str, sat: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, name, sat],
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment(),
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)  # until the solver is at work; a signal before that ends it just the same
        process.send_signal(signal.SIGINT)
        talk, _ = process.communicate(timeout=20)
        assert talk == "interrupted 1\n"
        assert process.returncode == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # nobody of its session is left


def test_a_wrong_name_lists_the_right_ones() -> None:
    with pytest.raises(UnknownName, match="unknown method 'cnf:binomal'; did you mean 'cnf:binomial'"):
        solve(HARD, method="cnf:binomal")
    with pytest.raises(UnknownName, match=r"unknown SAT solver 'cadical'.*cadical195.*minisat22"):
        solve(HARD, method="cnf:binomial", sat="cadical")
    with pytest.raises(CrewError, match=r"native counts of cnf:native; these can: .*minicard"):
        solve(HARD, method="cnf:native", sat="cadical195")
    with pytest.raises(CrewError, match="brings its own solver"):
        solve(HARD, method="cpsat", sat="cadical195")


def test_every_method_of_the_table_can_be_had() -> None:
    for name in METHODS:
        assert get_method(name).name == name
