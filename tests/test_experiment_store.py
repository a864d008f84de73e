"""Stores refuse what is not theirs, and leave it as it is."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from crewsolve.experiments import StoreError, get_executor, open_store, read_store, run_in
from tests import dice


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A finished store."""
    made = tmp_path / "dice.sqlite"
    run_in(made, dice.experiment(items=500), executor=get_executor("in-process")).close()
    return made


def refused(path: Path, match: str, **other: object) -> None:
    """The file is refused by runs and reports, and neither it nor its folder changes."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(StoreError, match=match) as caught:
        open_store(path, dice.experiment(**other))  # type: ignore[arg-type]
    assert str(caught.value).startswith(str(path))
    if not other:
        with pytest.raises(StoreError, match=match):
            read_store(path)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_text_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("dear diary " * 40)
    refused(tmp_path / "notes.txt", "no store of experiments")


def test_a_short_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"SQLite format 3\x00")
    refused(tmp_path / "short", "no store of experiments")


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "foreign.sqlite")
    connection.execute("CREATE TABLE items (x)")
    connection.commit()
    connection.close()
    refused(tmp_path / "foreign.sqlite", "not of crewsolve")


def test_a_store_of_another_format_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    refused(path, "format 99")


@pytest.mark.parametrize("where", [0.3, 0.5, 0.9])
def test_a_damaged_store_is_refused(path: Path, where: float) -> None:
    content = bytearray(path.read_bytes())
    page = 4096 * int(where * len(content) / 4096)
    content[page : page + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    refused(path, "damaged")


def test_a_truncated_store_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9000])
    refused(path, "damaged")


def test_another_experiment_is_refused_with_the_difference(path: Path) -> None:
    refused(path, "its seed is 1, not 2. Choose another file", seed=2)


def test_a_missing_file_cannot_be_read_but_an_empty_one_can_be_filled(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store is here"):
        read_store(tmp_path / "none")
    (tmp_path / "empty").touch()
    with run_in(tmp_path / "empty", dice.experiment(), executor=get_executor("in-process")) as store:
        assert sum(store.tally({"sides": 6}).values()) == 40


def test_a_folder_or_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"(?i)cannot be read: is a directory"):
        open_store(tmp_path, dice.experiment())
    with pytest.raises(StoreError, match="cannot be opened for writing"):
        open_store(tmp_path / "no" / "such" / "folder.sqlite", dice.experiment())


def test_a_full_disk_keeps_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite"
    store = run_in(path, dice.experiment(items=50), executor=get_executor("in-process"))
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 1}")  # SQLite's own way to run out of room
    from crewsolve.experiments import run

    with pytest.raises(StoreError, match=r"is full.*stored before is safe"):
        run(dice.experiment(items=5000), store, executor=get_executor("in-process"))
    store.close()
    with run_in(path, dice.experiment(items=5000), executor=get_executor("in-process")) as store:
        assert sum(store.tally({"sides": 20}).values()) == 5000


def test_a_store_on_a_read_only_medium_can_be_reported(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cd"
    folder.mkdir()
    copy = Path(shutil.copy(path, folder))
    copy.chmod(0o444)
    folder.chmod(0o555)
    try:
        with read_store(copy) as store:
            assert sum(store.tally({"sides": 6}).values()) == 500
        assert [file.name for file in folder.iterdir()] == [copy.name], "no side files"
    finally:
        folder.chmod(0o755)
