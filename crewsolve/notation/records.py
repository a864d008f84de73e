"""Streams of deals: every deal of a source with its place, bad ones as errors that stop nothing."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from crewsolve.deal import Deal
from crewsolve.errors import BadFile, CrewError, UnknownName
from crewsolve.notation.game import HEADER, loads_game
from crewsolve.notation.jsonl import loads_json
from crewsolve.notation.line import is_line, loads_line
from crewsolve.notation.sources import MAX_LINE, Source, document_of, label_of, lines_of, opened, placed
from crewsolve.notation.toml import loads_toml
from crewsolve.position import Position

FORMATS = ("toml", "line", "game", "json")
"""The formats of deals, by the names that `--format` takes."""

MAX_BAD_RUN = 1000
"""So many bad deals one after another are no stream of deals: the rest is not read."""

_TOML_KEY = re.compile(r"""\s*(?:["'\w.-]+\s*=|\[)""")
_TOML_VALUE = re.compile(r"""\s*[\w.]+\s*=\s*["'\[{0-9-]""")
_Lines = Iterator[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Record:
    """One deal of a source, or the mistake found in its place."""

    file: str
    line: int
    deal: Deal | None = None
    error: CrewError | None = None

    @property
    def name(self) -> str:
        """The deal's own name, else its place `file:line`."""
        return self.deal.name if self.deal is not None and self.deal.name else f"{self.file}:{self.line}"

    def get(self) -> Deal:
        """The deal; raises the mistake where there is one."""
        if self.deal is None:
            raise self.error or BadFile("no deal", file=self.file, line=self.line)
        return self.deal

    def error_json(self) -> dict[str, Any]:
        """What stands in a JSON answer in the place of a bad deal."""
        return {"name": self.name, "error": str(self.error), "file": self.file, "line": self.line}


def scan(
    source: Source, *, format: str | None = None, base: int | None = None, complete: bool = False
) -> Iterator[Record]:
    """Every deal of a path, `-` or stream in order, read as it comes; at least one record.

    `format` is one of `FORMATS`, found by content unless given; `base` is for `.game` files; `complete`
    refuses deals that leave out a card of their deck.
    """
    if format is not None and format not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    return _scan(source, label_of(source), format, base, complete)


def scan_text(
    text: str,
    *,
    format: str | None = None,
    base: int | None = None,
    complete: bool = False,
    file: str = "<text>",
) -> Iterator[Record]:
    """`scan` of a text in memory; `file` is what messages call it."""
    stream = io.StringIO(text)
    stream.name = file
    return scan(stream, format=format, base=base, complete=complete)


def only(records: Iterable[Record]) -> Record:
    """The record of a scan that must hold one good deal; a mistake, or a second deal, raises."""
    found: list[Record] = []
    for record in records:
        record.get()
        found.append(record)
        if len(found) > 1:
            raise BadFile("a second deal where one is expected", file=record.file, line=record.line)
    return found[0]


def recognise(line: str) -> str | None:
    """The format of a file by its first line with content, None for no format of ours.

    >>> recognise("4 0 5"), recognise('deck = "4x9+4"'), recognise("2x3; 0; B1 | B2; fixed")
    ('game', 'toml', 'line')
    """
    if line.lstrip().startswith("{"):
        return "json"
    if HEADER.fullmatch(line):
        return "game"
    if _TOML_VALUE.match(line):
        return "toml"
    if is_line(line):
        return "line"
    return "toml" if _TOML_KEY.match(line) else None


def _scan(
    source: Source, file: str, format: str | None, base: int | None, complete: bool
) -> Iterator[Record]:
    try:
        with opened(source) as stream:
            yield from _records(lines_of(stream, file), file, format, base, complete)
    except BadFile as error:
        yield Record(file, error.line or 1, error=error)


def _records(
    lines: _Lines, file: str, format: str | None, base: int | None, complete: bool
) -> Iterator[Record]:
    head, first = _head(lines, file)
    found = format or recognise(first)
    if found is None:
        raise BadFile(_unrecognised(first), file=file, line=len(head))
    lines = itertools.chain(head, lines)
    if found in ("line", "json") and not _is_spread(found, first):
        yield from _line_records(lines, file, found, complete)
        return
    text = document_of(lines, file)
    line = len(head)
    try:
        yield Record(
            file, line, deal=_checked(_document(text, file, found, base, line), complete, file, line)
        )
    except BadFile as error:
        yield Record(file, error.line or line, error=error)


def _head(lines: _Lines, file: str) -> tuple[list[tuple[int, str]], str]:
    """The lines up to the first with content, and that one."""
    head: list[tuple[int, str]] = []
    size = 0
    for number, line in lines:
        head.append((number, line))
        if line.strip() and not line.lstrip().startswith("#"):
            return head, line
        size += len(line)
        if size > MAX_LINE:
            raise BadFile(f"no deal in the first {MAX_LINE} bytes", file=file, line=number)
    raise BadFile(
        "no deal in it: the file is empty" + (" but for comments" if head else ""), file=file, line=1
    )


def _unrecognised(line: str) -> str:
    return (
        f"{line.strip()[:40]!r} starts no deal: write TOML (deck = …), one line (name; deck; leader; hands; "
        "tasks), JSON ({…}) or .game (PLAYERS START SUITS)"
    )


def _is_spread(format: str, first: str) -> bool:
    """Whether a JSON object is written over many lines."""
    return format == "json" and first.strip() == "{"


def _document(text: str, file: str, format: str, base: int | None, line: int) -> Deal:
    if format == "toml":
        return loads_toml(text, file=file)
    if format == "game":
        return loads_game(text, file=file, base=base)
    with placed(file, line):
        return loads_json(text)


def _line_records(lines: _Lines, file: str, format: str, complete: bool) -> Iterator[Record]:
    loads = loads_json if format == "json" else loads_line
    bad_run = 0
    for number, line in lines:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            with placed(file, number):
                deal = loads(text)
            yield Record(file, number, deal=_checked(deal, complete, file, number))
            bad_run = 0
        except BadFile as error:
            yield Record(file, number, error=error)
            bad_run += 1
        if bad_run == MAX_BAD_RUN:
            raise BadFile(f"{MAX_BAD_RUN} bad deals in a row: the rest is not read", file=file, line=number)


def _checked(deal: Deal, complete: bool, file: str, line: int) -> Deal:
    """The deal, once the cards played are legal and the deck is as complete as asked."""
    with placed(file, line):
        if deal.played:
            Position.of(deal)
        return deal.require_complete() if complete else deal
