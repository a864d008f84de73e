"""Deals as TOML, the form for people: comments, seat names, one field a line."""

from __future__ import annotations

import json
import re

from crewsolve.deal import Deal
from crewsolve.errors import BadFile
from crewsolve.notation.fields import TASK_FIELDS, FieldError, deal_of_fields, fields_of_deal

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_ASSIGNMENT = re.compile(r"""\s*(?:\w+\.)?["']?([\w-]+)["']?\s*=|\s*\[\s*([\w."' -]+?)\s*\]\s*(?:#.*)?$""")
_REPEATED = re.compile(r"Duplicate inline table key '(\w+)'")


def loads_toml(text: str, *, file: str = "") -> Deal:
    """Read one deal from a TOML document."""
    import tomllib

    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _syntax_error(error, text, file) from error
    try:
        return deal_of_fields(fields)
    except FieldError as error:
        line = _line_of(text.splitlines(), error.key, error.word, error.nth)
        raise BadFile(str(error), file=file, line=line) from error


def _syntax_error(error: Exception, text: str, file: str) -> BadFile:
    if isinstance(error, RecursionError):
        return BadFile("brackets nested too deeply for a deal", file=file, line=1)
    message = str(error)
    place = _PLACE.search(message)
    line = text.count("\n") + 1
    if place is None:
        line = 1
    elif place[1]:
        line = int(place[1])
    message = _PLACE.sub("", message)
    repeated = _REPEATED.search(message)
    if repeated:
        message = f"task {repeated[1]} is given twice: drop one of them"
    elif message.startswith("Cannot overwrite a value"):
        message = f"a key is given twice: drop one of them ({message})"
    else:
        message = f"no valid TOML: {message[0].lower()}{message[1:]}"
    return BadFile(message, file=file, line=line)


def _line_of(lines: list[str], key: str, word: str, nth: int) -> int:
    """The line of the nth occurrence of a word in the field `key`, else that of the key, else 1."""
    wanted = ("tasks", *TASK_FIELDS) if key == "tasks" else (key,)
    inside, at_key = False, 0
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") if word else None
    for number, line in enumerate(lines, 1):
        assignment = _ASSIGNMENT.match(line)
        if assignment:
            name = assignment[1] or assignment[2].rsplit(".", 1)[-1].strip("\"' ")
            inside = name in wanted or (inside and name == word)
            at_key = at_key or (number if inside else 0)
        if inside and pattern is not None:
            nth -= len(pattern.findall(line.partition("#")[0]))
            if nth <= 0:
                return number
    return at_key or 1


def dumps_toml(deal: Deal) -> str:
    """The deal as a TOML document, one hand to a line."""
    fields = fields_of_deal(deal)
    tasks = fields.pop("tasks")
    lines = []
    for key, value in fields.items():
        if key == "hands":
            hands = [
                f"  {_quoted(hand)},  # {label}" for hand, label in zip(value, _labels(deal), strict=True)
            ]
            lines += ["hands = [", *hands, "]"]
        else:
            lines.append(f"{key} = {_value(value)}")
    lines += ["", "[tasks]"]
    lines += [f"{key} = {_value(value)}" for key, value in tasks.items()]
    return "\n".join(lines) + "\n"


def _labels(deal: Deal) -> list[str]:
    names = [name if name.isprintable() else "" for name in deal.seat_names] or [""] * deal.seats
    leads = ["leads" if seat == deal.leader else "" for seat in range(deal.seats)]
    return [
        ", ".join(filter(None, (f"seat {i}", *pair))) for i, pair in enumerate(zip(names, leads, strict=True))
    ]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string, but for the delete character and pairs of surrogates.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
