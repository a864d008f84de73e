"""The engine on a toy experiment: equal results however the work is cut, and nothing lost."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.errors import CrewError, InternalBug, UnknownName
from crewsolve.experiments import (
    EXECUTORS,
    KINDS,
    Cell,
    Chunk,
    Experiment,
    Kind,
    Row,
    Store,
    get_executor,
    open_store,
    read_store,
    run,
    run_in,
)
from tests import dice

IN_PROCESS = "in-process"


def contents(store: Store) -> list[tuple[dict[str, object], list[Row]]]:
    """All that a store knows about results."""
    return [(cell, list(store.rows(cell))) for cell, _ in store.cells()]


def expected(items: int = 40) -> list[tuple[dict[str, object], list[Row]]]:
    with run_in(None, dice.experiment(items=items), executor=get_executor(IN_PROCESS), chunk=items) as store:
        return contents(store)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 50), st.booleans())
def test_chunking_and_twins_do_not_change_results(chunk: int, twins: bool) -> None:
    with run_in(None, dice.experiment(twins=twins), executor=get_executor(IN_PROCESS), chunk=chunk) as store:
        assert contents(store) == expected()


def test_adaptive_chunks_do_not_change_results() -> None:
    with run_in(None, dice.experiment(), executor=get_executor(IN_PROCESS)) as store:
        assert contents(store) == expected()


def test_only_one_of_several_twins_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    def counted(chunk: Chunk) -> list[Row]:
        ran.extend(chunk.numbers)
        return dice.run(chunk)

    monkeypatch.setattr(dice, "DICE", Kind("throws", counted, dice.table, dice.twins))
    with run_in(None, dice.experiment(sides=(6,), twins=True), executor=get_executor(IN_PROCESS)) as store:
        assert len(ran) == 6 < 40
        more = dice.experiment(sides=(6,), items=80, twins=True)
        assert run(more, store, executor=get_executor(IN_PROCESS)).items == 0
        assert len(ran) == 6, "later twins take the stored result"
        assert len(list(store.rows({"sides": 6}))) == 80


@pytest.mark.parametrize("name", EXECUTORS)
def test_every_executor_gives_the_same_store(name: str, tmp_path: Path) -> None:
    executor = get_executor(name, workers=2)
    with run_in(tmp_path / "dice.sqlite", dice.experiment(), executor=executor, chunk=7) as store:
        assert contents(store) == expected()
        assert store.runs[0]["state"] == "complete"


def test_more_cells_and_more_items_extend_a_store(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    run_in(path, dice.experiment(items=10, sides=(6,)), executor=get_executor(IN_PROCESS)).close()
    store = open_store(path, dice.experiment())
    with store:
        outcome = run(dice.experiment(), store, executor=get_executor(IN_PROCESS))
        assert (outcome.items, outcome.before) == (70, 10)
        assert contents(store) == expected()


def test_fewer_items_leave_a_store_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    run_in(path, dice.experiment(), executor=get_executor(IN_PROCESS)).close()
    with run_in(path, dice.experiment(items=3), executor=get_executor(IN_PROCESS)) as store:
        assert contents(store) == expected()
        assert [items for _, items in store.cells()] == [40, 40]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_killed_at_random_moments_goes_on_where_it_stopped(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "dice.sqlite"
    rng, stored, kills = random.Random(workers), 0, 0
    while kills < 3:
        process = subprocess.Popen([sys.executable, "-m", "tests.dice", str(path), "0.1", str(workers)])
        try:
            stored = _wait_for_more(path, stored, process)
            time.sleep(rng.random() * 0.1)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        kills += 1
        with read_store(path) as store:
            rows = sum(len(rows) for _, rows in contents(store))
            assert stored <= rows < 80, "killed in the middle"
            stored = rows
    with run_in(path, dice.experiment(), executor=get_executor(IN_PROCESS)) as store:
        assert contents(store) == expected()


def _wait_for_more(path: Path, stored: int, process: subprocess.Popen[bytes]) -> int:
    """Wait until the store has grown."""
    while True:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.005)
        if path.exists() and path.stat().st_size:
            with read_store(path) as store:
                rows = sum(len(rows) for _, rows in contents(store))
            if rows > stored:
                return rows


def test_two_runs_on_one_file_do_not_corrupt_it(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    command = [sys.executable, "-m", "tests.dice", str(path), "0.05", "1"]
    runs = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait() for process in runs] == [0, 0]
    with read_store(path) as store:
        assert contents(store) == expected()
        assert [entry["state"] for entry in store.runs] == ["complete", "complete"]
        assert all(entry["items"] for entry in store.runs), "both took part"


@pytest.mark.parametrize("name", ["processes", "dask"])
def test_a_dead_workers_chunk_is_done_again(name: str, tmp_path: Path) -> None:
    settings = {"mark": str(tmp_path / "mark"), "deadly": 17}
    executor = get_executor(name, workers=2)
    with run_in(None, dice.experiment(**settings), executor=executor, chunk=5) as store:
        assert contents(store) == expected()
    assert (tmp_path / "mark").read_text() == "x", "one worker died"


def test_a_chunk_that_kills_every_worker_ends_the_run_with_the_rest_stored(tmp_path: Path) -> None:
    settings = {"mark": str(tmp_path / "mark"), "deadly": 17, "always": True}
    path = tmp_path / "dice.sqlite"
    deadly = dice.experiment(sides=(6,), **settings)
    with pytest.raises(CrewError, match=r"workers died on items 15 to 19 of cell \{'sides': 6\}"):
        run_in(path, deadly, executor=get_executor("processes", workers=2), chunk=5)
    assert (tmp_path / "mark").read_text() == "xxx", "three workers died"
    with read_store(path) as store:
        assert store.runs[0]["state"] == "failed"
        stored = {row.number for row in store.rows({"sides": 6})}
    assert stored and not stored & set(range(15, 20)), "which of the others were done in time is a race"
    with run_in(path, dice.experiment(sides=(6,)), executor=get_executor(IN_PROCESS)) as store:
        assert contents(store) == expected()[:1]


def test_ctrl_c_leaves_a_store_to_go_on_with(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.dice", str(path), "0.2", "2"], stderr=subprocess.DEVNULL
    )
    _wait_for_more(path, 0, process)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(20) == -signal.SIGINT
    with read_store(path) as store:
        assert store.runs[0]["state"] == "interrupted"
    assert not path.with_name("dice.sqlite-wal").exists(), "closed in order"
    with run_in(path, dice.experiment(), executor=get_executor(IN_PROCESS)) as store:
        assert contents(store) == expected()


def test_undecided_items_are_kept_and_tried_again_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    shy = dice.experiment(limit=4)
    with run_in(path, shy, executor=get_executor(IN_PROCESS)) as store:
        undecided = store.unsettled()
        assert undecided and all(item.row.note == f"die {item.row.number}" for item in undecided)
        assert all(item.settings == {"limit": 4} for item in undecided)
        assert run(shy, store, executor=get_executor(IN_PROCESS)).items == 0
        assert run(shy, store, executor=get_executor(IN_PROCESS), retry_unknown=True).items == 0
        bold = dice.experiment(limit=100)
        assert run(bold, store, executor=get_executor(IN_PROCESS)).items == 0
        outcome = run(bold, store, executor=get_executor(IN_PROCESS), retry_unknown=True)
        assert outcome.items == len(undecided)
        assert store.unsettled() == []
        assert contents(store) == expected()


def test_a_clock_limit_marks_the_store_for_ever(tmp_path: Path) -> None:
    with run_in(tmp_path / "s", dice.experiment(), executor=get_executor(IN_PROCESS)) as store:
        assert store.reproducible
        run(dice.experiment(time_limit=1.0), store, executor=get_executor(IN_PROCESS))
        run(dice.experiment(), store, executor=get_executor(IN_PROCESS))
        assert not store.reproducible


def test_the_history_names_settings_and_versions() -> None:
    with run_in(None, dice.experiment(limit=5), executor=get_executor(IN_PROCESS)) as store:
        entry = store.runs[0]
        assert entry["settings"] == {"limit": 5} and entry["workers"] == "in-process"
        assert {"crewsolve", "python", "numpy", "python-sat"} <= set(entry["versions"])


def test_errors_in_workers_arrive_with_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(chunk: Chunk) -> list[Row]:
        raise UnknownName("die", "d7", ["d6"])

    def slip(chunk: Chunk) -> list[Row]:
        return dice.run(chunk)[1:]

    monkeypatch.setattr(dice, "DICE", Kind("throws", refuse, dice.table))
    with pytest.raises(CrewError, match="unknown die 'd7'"):
        run_in(None, dice.experiment(), executor=get_executor(IN_PROCESS))
    monkeypatch.setattr(dice, "DICE", Kind("throws", slip, dice.table))
    with pytest.raises(InternalBug, match="rows of other items"):
        run_in(None, dice.experiment(), executor=get_executor(IN_PROCESS))


def test_wrong_names_list_the_right_ones() -> None:
    with pytest.raises(UnknownName, match="known: in-process, processes, dask"):
        get_executor("threads")
    with pytest.raises(CrewError, match="0 workers"):
        get_executor(workers=0)
    with pytest.raises(UnknownName, match="unknown kind of experiment 'roulette'"):
        run_in(None, Experiment("roulette", 1, {}, (Cell({"sides": 6}, 1),)))


def test_a_cluster_is_reached_by_its_address() -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        executor = get_executor(address=cluster.scheduler_address)
        with run_in(None, dice.experiment(), executor=executor) as store:
            assert contents(store) == expected()


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crewsolve.experiments.cluster._CONNECT_SECONDS", 0.5)
    with pytest.raises(CrewError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        with get_executor(address="tcp://127.0.0.1:9"):
            pass


def test_descriptions_are_checked() -> None:
    with pytest.raises(CrewError, match="listed twice"):
        Experiment("dice", 1, {}, (Cell({"sides": 6}, 1), Cell({"sides": 6}, 2)))
    with pytest.raises(CrewError, match="seed -1"):
        Experiment("dice", -1, {}, ())
    with pytest.raises(CrewError, match="-2 items"):
        Cell({}, -2)


def test_every_kind_in_the_table_exists() -> None:
    from crewsolve.experiments import get_kind

    for name in KINDS:
        assert get_kind(name).items


def test_sqlite_is_in_wal_mode_with_our_mark(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    run_in(path, dice.experiment(), executor=get_executor(IN_PROCESS)).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA application_id").fetchone() == (int.from_bytes(b"CREW", "big"),)
    connection.close()
