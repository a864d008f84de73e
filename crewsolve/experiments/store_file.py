"""Is this file one of our stores? Looked at without changing a byte of it.

SQLite would turn an empty file into a database and replay a journal on opening, so the header is read as
plain bytes first, and the integrity check runs on a connection that cannot write.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from crewsolve.errors import BadFile

APPLICATION_ID = 0x43524557
"""`CREW` in the application field of the SQLite header (offset 68)."""

SCHEMA_VERSION = 1
"""Kept in the user version of the SQLite header (offset 60)."""

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100


class StoreError(BadFile):
    """A store that cannot be opened, written or trusted; the message says what is safe and what to do."""


def inspect(path: Path) -> bool:
    """Whether the file holds one of our stores; False where it is missing or empty, else refused."""
    header = _header(path)
    if not header:
        return False
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise StoreError("this is no store of experiments, it is left as it is", file=str(path))
    application, version = (int.from_bytes(header[at : at + 4], "big") for at in (68, 60))
    if application != APPLICATION_ID:
        raise StoreError("an SQLite file, but not of crewsolve; it is left as it is", file=str(path))
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"written with store format {version}, this version reads {SCHEMA_VERSION}; it is left as it is",
            file=str(path),
        )
    _check_integrity(path)
    return True


def connect_readonly(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    A store at rest is opened as immutable, which leaves no side files even where the folder is writable;
    one with a journal beside it (another run is at work, or was killed) needs the journal to be whole.
    """
    mode = "immutable=1"
    if _beside(path, "-journal"):
        mode = "mode=rw"  # a run was killed while creating the store: SQLite must roll back first
    elif _beside(path, "-wal"):
        mode = "mode=ro"
    address = f"file:{quote(str(path.resolve()))}?{mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=60)


def _beside(path: Path, suffix: str) -> bool:
    side = path.with_name(path.name + suffix)
    return side.exists() and side.stat().st_size > 0


def _header(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"cannot be read: {error.strerror}", file=str(path)) from error


def _check_integrity(path: Path) -> None:
    try:
        connection = connect_readonly(path)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise StoreError(
            f"the store is damaged ({found}) and is left as it is; start a new one or restore a copy",
            file=str(path),
        )
