"""Deals and playouts as text: TOML for people, one line per deal, JSON lines, `.game` files.

`load` and `loads` read one deal, `scan` a stream of them; `dump` and `dumps` write. The format is found
by content when reading and, unless given, by the file's ending when writing.

>>> deal = loads("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
>>> print(dumps(deal, format="game"), end="")
4 3 3
# deck 2x3+2
# hands
[1,1] [1,2]
[2,1] [2,2]
[1,3] [0,1]
[2,3] [0,2]
# objectives
[2,1]
<BLANKLINE>
<BLANKLINE>
[1,2]
>>> loads(dumps(deal, format="toml")) == deal
True
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import IO

from crewsolve.deal import Deal
from crewsolve.errors import BadDeal, BadFile, UnknownName
from crewsolve.notation.game import dumps_game
from crewsolve.notation.jsonl import dumps_json
from crewsolve.notation.line import dumps_line, loads_line
from crewsolve.notation.playouts import PLAYOUT_FORMATS, dumps_playout, load_playout, loads_playout
from crewsolve.notation.records import FORMATS, Record, only, recognise, scan, scan_text
from crewsolve.notation.sources import Source, label_of
from crewsolve.notation.toml import dumps_toml

__all__ = [
    "FORMATS",
    "ONE_DEAL_FORMATS",
    "PLAYOUT_FORMATS",
    "Record",
    "dump",
    "dumps",
    "dumps_line",
    "dumps_playout",
    "format_of_ending",
    "label_of",
    "load",
    "load_playout",
    "loads",
    "loads_line",
    "loads_playout",
    "only",
    "recognise",
    "scan",
    "scan_text",
]

_WRITERS: dict[str, Callable[[Deal], str]] = {
    "toml": dumps_toml,
    "line": lambda deal: dumps_line(deal) + "\n",
    "game": dumps_game,
    "json": lambda deal: dumps_json(deal) + "\n",
}
ONE_DEAL_FORMATS = ("toml", "game")
"""The formats that hold one deal to a file."""

_ENDINGS = {".toml": "toml", ".game": "game", ".json": "json", ".jsonl": "json", ".deals": "line"}


def load(
    source: Source, *, format: str | None = None, base: int | None = None, complete: bool = False
) -> Deal:
    """Read the one deal of a path, `-` or stream; more than one is a mistake."""
    return only(scan(source, format=format, base=base, complete=complete)).get()


def loads(
    text: str,
    *,
    format: str | None = None,
    base: int | None = None,
    complete: bool = False,
    file: str = "<text>",
) -> Deal:
    """Read the one deal of a text; `file` is what messages call it."""
    return only(scan_text(text, format=format, base=base, complete=complete, file=file)).get()


def dumps(deal: Deal, *, format: str = "toml") -> str:
    """The deal in one of `FORMATS`, the last line ended."""
    if format not in _WRITERS:
        raise UnknownName("format", format, FORMATS)
    return _WRITERS[format](deal)


def dump(
    deals: Deal | Iterable[Deal], target: str | os.PathLike[str] | IO[str], *, format: str | None = None
) -> None:
    """Write one deal, or many where the format holds many, to a path or text stream."""
    several = [deals] if isinstance(deals, Deal) else list(deals)
    chosen = format or _format_of(target, len(several))
    if chosen in ONE_DEAL_FORMATS and len(several) != 1:
        raise BadDeal(f"a {chosen} file holds one deal, not {len(several)}: write them as line or json")
    text = "".join(dumps(deal, format=chosen) for deal in several)
    if isinstance(target, (str, os.PathLike)):
        try:
            with open(target, "w", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise BadFile(f"cannot be written: {error.strerror}", file=os.fspath(target)) from error
    else:
        target.write(text)


def format_of_ending(path: str | os.PathLike[str]) -> str | None:
    """The format that a file's ending stands for, None where it says nothing.

    >>> format_of_ending("rescue.game"), format_of_ending("rescue")
    ('game', None)
    """
    return _ENDINGS.get(os.path.splitext(os.fspath(path))[1].lower())


def _format_of(target: str | os.PathLike[str] | IO[str], count: int) -> str:
    if isinstance(target, (str, os.PathLike)):
        return format_of_ending(target) or "line"
    return "toml" if count == 1 else "line"
