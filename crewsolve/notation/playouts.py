"""Playouts as text: cards in playing order, tricks separated by bars, `#` comments; or JSON `plays`."""

from __future__ import annotations

import json
from typing import Any

from crewsolve.cards import Card
from crewsolve.errors import BadFile
from crewsolve.notation.jsonl import parse_json
from crewsolve.notation.sources import Source, document_of, label_of, lines_of, opened, placed
from crewsolve.playout import Playout

PLAYOUT_FORMATS = ("text", "json")


def load_playout(source: Source, *, seats: int) -> Playout:
    """Read a playout at a table of `seats` from a path, `-` or a stream."""
    file = label_of(source)
    with opened(source) as stream:
        return loads_playout(document_of(lines_of(stream, file), file), seats=seats, file=file)


def loads_playout(text: str, *, seats: int, file: str = "") -> Playout:
    """Read a playout from text: cards and bars, or JSON with `plays`.

    >>> loads_playout('{"plays": [["R2", "B1"], ["G3"]]}', seats=2)
    Playout.parse('R2 B1 | G3', seats=2)
    """
    content = [(number, line.partition("#")[0]) for number, line in enumerate(text.splitlines(), 1)]
    first = next(((number, line) for number, line in content if line.strip()), None)
    if first is None:
        raise BadFile("no card in it: write the cards in playing order, like R4 B1 G2 | …", file=file, line=1)
    if first[1].lstrip()[0] in "{[":
        with placed(file, first[0]):
            return _of_json(parse_json(text), seats)
    tricks: list[list[Card]] = [[]]
    for number, line in content:
        with placed(file, number):
            for word in line.replace("|", " | ").split():
                if word == "|":
                    tricks.append([])
                else:
                    tricks[-1].append(Card.parse(word))
    with placed(file, first[0]):
        return Playout.parse(" | ".join(" ".join(map(str, trick)) for trick in tricks), seats=seats)


def _of_json(value: Any, seats: int) -> Playout:
    if isinstance(value, dict):
        value = value.get("plays")
    if not isinstance(value, list):
        raise BadFile('no playout in it: write {"plays": [["R4", "B1"], …]}')
    flat = all(isinstance(card, str) for card in value)
    tricks = [[card] for card in value] if flat else value
    if not all(isinstance(trick, list) and all(isinstance(c, str) for c in trick) for trick in tricks):
        raise BadFile('no playout in it: plays is a list of tricks, each a list of cards like "B7"')
    if flat:
        return Playout.of([Card.parse(card) for card in value], seats=seats)
    return Playout.parse(" | ".join(" ".join(trick) for trick in tricks), seats=seats)


def dumps_playout(playout: Playout, *, format: str = "text") -> str:
    """A playout as one line of text or JSON.

    >>> dumps_playout(Playout.parse("R2 B1 G3", seats=2), format="json")
    '{"plays": [["R2", "B1"], ["G3"]]}'
    """
    if format == "json":
        return json.dumps({"plays": [[str(card) for card in trick] for trick in playout.tricks]})
    return str(playout)
