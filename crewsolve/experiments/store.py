"""The store: one SQLite file with the description, every finished item and the history of runs.

Write-ahead log, one transaction for each finished chunk, synchronised to the disk: whatever ends the run,
every chunk reported as finished is there. Results are upserts of equal values, so two runs on one file can
only repeat each other's work.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crewsolve.experiments.description import Experiment, Json, canonical, differences, versions
from crewsolve.experiments.kinds import Row
from crewsolve.experiments.store_file import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    StoreError,
    connect_readonly,
    inspect,
)

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE identity (text TEXT NOT NULL);
CREATE TABLE cells (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, items INTEGER NOT NULL);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, settings TEXT NOT NULL, versions TEXT NOT NULL,
    workers TEXT NOT NULL, reproducible INTEGER NOT NULL, items INTEGER NOT NULL DEFAULT 0,
    elapsed REAL NOT NULL DEFAULT 0, busy REAL NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'running'
);
CREATE TABLE items (
    cell INTEGER NOT NULL REFERENCES cells(id), number INTEGER NOT NULL, value TEXT NOT NULL,
    settled INTEGER NOT NULL, note TEXT NOT NULL, twin TEXT NOT NULL, run INTEGER NOT NULL,
    PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE INDEX unsettled ON items(cell, number) WHERE settled = 0;
"""

# An undecided item may become decided; a decided one is never touched again.
_UPSERT = """
INSERT INTO items (cell, number, value, settled, note, twin, run) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (cell, number) DO UPDATE SET value = excluded.value, settled = excluded.settled,
    note = excluded.note, twin = excluded.twin, run = excluded.run WHERE items.settled = 0
"""


@dataclass(frozen=True)
class Stored:
    """One item as stored: its cell, its row, and the settings it was run with."""

    cell: dict[str, Json]
    row: Row
    settings: dict[str, Json]


class Store:
    """An open store; made by `open_store` (to run) or `read_store` (to report)."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._db = connection
        self.path = path
        self._run = 0

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the last one out folds the log into it."""
        self._db.close()

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return ":memory:" if self.path is None else str(self.path)

    @property
    def identity(self) -> dict[str, Json]:
        """Kind, seed and parameters."""
        found = json.loads(self._one("SELECT text FROM identity"))
        assert isinstance(found, dict)
        return found

    @property
    def reproducible(self) -> bool:
        """Whether no run worked against a clock."""
        return self._one("SELECT count(*) FROM runs WHERE reproducible = 0") == 0

    @property
    def runs(self) -> list[dict[str, Json]]:
        """The history, oldest first: settings, versions, workers, items, seconds."""
        cursor = self._db.execute("SELECT * FROM runs ORDER BY id")
        names = [column[0] for column in cursor.description]
        history = [dict(zip(names, row, strict=True)) for row in cursor]
        return [{**run, **{key: json.loads(run[key]) for key in ("settings", "versions")}} for run in history]

    def cells(self) -> list[tuple[dict[str, Json], int]]:
        """Every cell with the number of items wanted, in the order they were first asked for."""
        return [(json.loads(name), items) for name, items in self._all("SELECT name, items FROM cells")]

    def tally(self, cell: Mapping[str, Json]) -> Counter[str]:
        """How often each value came in a cell, by its canonical text."""
        query = "SELECT value, count(*) FROM items WHERE cell = ? GROUP BY value"
        return Counter(dict(self._all(query, self._cell(cell))))

    def rows(self, cell: Mapping[str, Json]) -> Iterator[Row]:
        """All rows of a cell, by number."""
        query = "SELECT number, value, settled, note FROM items WHERE cell = ? ORDER BY number"
        for number, value, settled, note in self._db.execute(query, (self._cell(cell),)):
            yield Row(number, json.loads(value), bool(settled), note)

    def unsettled(self) -> list[Stored]:
        """All undecided items with the settings that did not decide them."""
        query = """
            SELECT cells.name, number, value, note, settings FROM items JOIN cells ON cells.id = cell
            JOIN runs ON runs.id = run WHERE settled = 0 ORDER BY cell, number"""
        return [
            Stored(json.loads(name), Row(number, json.loads(value), False, note), json.loads(settings))
            for name, number, value, note, settings in self._all(query)
        ]

    def done(
        self,
        cell: Mapping[str, Json],
        *,
        retry_with: Mapping[str, Json] | None = None,
        within: tuple[int, int] = (0, 2**62),
    ) -> set[int]:
        """The items of a cell that need no run; with `retry_with`, not those undecided by other settings."""
        query = (
            "SELECT number FROM items JOIN runs ON runs.id = run WHERE cell = ? AND number BETWEEN ? AND ?"
        )
        values: list[Json] = [self._cell(cell), *within]
        if retry_with is not None:
            query += " AND (settled = 1 OR settings = ?)"
            values.append(canonical(retry_with))
        return {number for (number,) in self._all(query, *values)}

    def twins(self, cell: Mapping[str, Json]) -> dict[str, Row]:
        """One settled row for each twin name of a cell."""
        query = "SELECT twin, number, value, note FROM items WHERE cell = ? AND settled = 1 AND twin != ''"
        rows = self._all(query, self._cell(cell))
        return {twin: Row(number, json.loads(value), True, note) for twin, number, value, note in rows}

    def begin(self, experiment: Experiment, workers: str) -> None:
        """Write down that a run starts, and extend the cells to what it wants."""
        with self._transaction():
            for cell in experiment.cells:
                self._db.execute(
                    "INSERT INTO cells (name, items) VALUES (?, ?) "
                    "ON CONFLICT (name) DO UPDATE SET items = max(items, excluded.items)",
                    (cell.name, cell.items),
                )
            cursor = self._db.execute(
                "INSERT INTO runs (started, settings, versions, workers, reproducible) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    canonical(experiment.settings),
                    canonical(versions()),
                    workers,
                    int(experiment.reproducible),
                ),
            )
            self._run = cursor.lastrowid or 0

    def add(
        self,
        cell: Mapping[str, Json],
        rows: Sequence[tuple[Row, str]],
        *,
        elapsed: float = 0.0,
        busy: float = 0.0,
    ) -> None:
        """Store the rows of a finished chunk, each with its twin name, in one transaction."""
        with self._transaction():
            number = self._cell(cell)
            self._db.executemany(
                _UPSERT,
                [
                    (number, row.number, canonical(row.value), int(row.settled), row.note, twin, self._run)
                    for row, twin in rows
                ],
            )
            self._db.execute(
                "UPDATE runs SET items = items + ?, elapsed = ?, busy = busy + ? WHERE id = ?",
                (len(rows), elapsed, busy, self._run),
            )

    def end(self, state: str) -> int:
        """Write down how the run ended; gives the number of items it has stored."""
        with self._transaction():
            self._db.execute("UPDATE runs SET state = ? WHERE id = ?", (state, self._run))
        return int(self._all("SELECT items FROM runs WHERE id = ?", self._run)[0][0])

    def _cell(self, cell: Mapping[str, Json]) -> int:
        found = self._all("SELECT id FROM cells WHERE name = ?", canonical(cell))
        return int(found[0][0]) if found else -1

    def _one(self, query: str) -> Json:
        return self._db.execute(query).fetchone()[0]

    def _all(self, query: str, *values: Json) -> list[tuple[Json, ...]]:
        with self._clear_errors():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._clear_errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"cannot be written or read ({error}); what was stored before is safe: "
                "make room or set the rights, then run the same command again",
                file=self.name,
            ) from error


def open_store(path: Path | str | None, experiment: Experiment) -> Store:
    """The store of an experiment, made if missing (None: in memory); another experiment's is refused."""
    if path is None:
        return _created(sqlite3.connect(":memory:", isolation_level=None), None, experiment)
    file = Path(path)
    inspect(file)
    try:
        connection = sqlite3.connect(file, isolation_level=None, timeout=60)
    except sqlite3.Error as error:
        raise StoreError(f"cannot be opened for writing: {error}", file=str(path)) from error
    try:
        store = _created(connection, file, experiment)
        _check_identity(store, experiment)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise StoreError(f"cannot be opened for writing: {error}", file=str(path)) from error
        raise
    return store


def _check_identity(store: Store, experiment: Experiment) -> None:
    stored, asked = store.identity, json.loads(canonical(experiment.identity))
    if stored != asked:
        raise StoreError(
            "holds another experiment: its " + "; its ".join(differences(stored, asked))
            + ". Choose another file, or ask for the same (more cells and more items are welcome)",
            file=store.name,
        )  # fmt: skip


def read_store(path: Path | str) -> Store:
    """A store to report from; nothing is written."""
    file = Path(path)
    if not inspect(file):
        raise StoreError("no store is here, or it is empty", file=str(path))
    return Store(connect_readonly(file), file)


def _created(connection: sqlite3.Connection, path: Path | None, experiment: Experiment) -> Store:
    """The store behind a connection; one transaction makes all tables, so that a kill leaves all or none."""
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        for statement in _SCHEMA.split(";")[:-1]:
            connection.execute(statement)
        connection.execute("INSERT INTO identity VALUES (?)", (canonical(experiment.identity),))
    connection.execute("COMMIT")
    return Store(connection, path)
