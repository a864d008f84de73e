"""Compiled kernels: cached by content, compiled anyway where nothing can be written, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def python(code: str, cache: Path) -> str:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(PACKAGE)}
    environment.pop("NUMBA_CACHE_DIR", None)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


COUNT = """
import numpy as np
from crewsolve.kernels.board import BOARD, SEATS, in_hands
board = np.zeros(BOARD, np.int64)
board[SEATS], board[0], board[1] = 2, 5, 8
print(in_hands(board), sum(in_hands.stats.cache_hits.values()))
"""


def test_a_second_process_finds_the_compiled_kernel(tmp_path: Path) -> None:
    assert python(COUNT, tmp_path) == "13 0"
    assert python(COUNT, tmp_path) == "13 1"
    assert list(tmp_path.glob("crewsolve/kernels-*"))


def test_kernels_compile_where_nothing_can_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    assert python(COUNT, blocked) == "13 0"
    ready = "from crewsolve.kernels import jit; print(jit.cache_directory(), jit.kernels_ready('search'))"
    assert python(ready, blocked) == "None False"


def test_readiness_is_told_without_numba_and_only_after_compiling(tmp_path: Path) -> None:
    code = (
        "import sys; from crewsolve.kernels.jit import kernels_ready, mark_ready; "
        "before = kernels_ready('search'); mark_ready('search'); "
        "print(before, kernels_ready('search'), 'numba' in sys.modules)"
    )
    assert python(code, tmp_path) == "False True False"


def test_the_first_answer_needs_no_kernel(tmp_path: Path) -> None:
    code = (
        "import sys; from crewsolve.cards import Deck; from crewsolve.deal import random_deal; "
        "from crewsolve.solving import solve; "
        "result = solve(random_deal(Deck.parse('4x9+4'), seats=4, tasks=5, key=(1, 1))); "
        "print(result.verdict, result.decided_by, 'numba' in sys.modules)"
    )
    assert python(code, tmp_path) == "winnable sat False"


def test_the_first_answers_of_a_stream_need_no_kernel(tmp_path: Path) -> None:
    code = (
        "import sys; from crewsolve import Deck, random_deals, solve_many; "
        "deals = random_deals(Deck.parse('4x9+4'), seats=4, tasks=5, seed=1, count=4); "
        "print(*(result.decided_by for result in solve_many(deals)), 'numba' in sys.modules)"
    )
    assert python(code, tmp_path) == "sat sat sat sat False"


def test_a_time_limit_is_not_spent_on_compiling(tmp_path: Path) -> None:
    code = (
        "import sys; from crewsolve.solving import solve; from tests.encodings.hard import HOPELESS; "
        "result = solve(HOPELESS, time_limit=0.5); "
        "print(result.verdict, result.decided_by, result.reason, 'numba' in sys.modules)"
    )
    assert python(code, tmp_path) == "unknown limit the time limit is reached False"


def test_the_cache_changes_its_name_with_any_kernel_source(monkeypatch, tmp_path: Path) -> None:
    from crewsolve.kernels import jit

    (tmp_path / "one.py").write_text("from crewsolve.kernels.jit import kernel\n")
    (tmp_path / "other.py").write_text("nothing = 0\n")
    monkeypatch.setattr(jit, "_PACKAGE", tmp_path)
    before = jit.sources_digest.__wrapped__()
    (tmp_path / "other.py").write_text("nothing = 1\n")
    assert jit.sources_digest.__wrapped__() == before
    (tmp_path / "one.py").write_text("from crewsolve.kernels.jit import kernel  # changed\n")
    assert jit.sources_digest.__wrapped__() != before
