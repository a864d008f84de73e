"""Deals as JSON: the keys of the TOML form, one object to a line."""

from __future__ import annotations

import json
from typing import Any

from crewsolve.deal import Deal
from crewsolve.errors import BadDeal
from crewsolve.notation.fields import deal_of_fields, fields_of_deal


def loads_json(text: str) -> Deal:
    """Read one deal from a JSON object."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise BadDeal("a deal in JSON is an object with the keys deck, hands, leader, tasks")
    return deal_of_fields(value)


def dumps_json(deal: Deal) -> str:
    """The deal as a JSON object on one line."""
    return json.dumps(fields_of_deal(deal), ensure_ascii=False)


def parse_json(text: str) -> Any:
    """Parse JSON from anywhere: refuses repeated keys, endless nesting and half characters."""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except BadDeal:
        raise
    except json.JSONDecodeError as error:
        raise BadDeal(f"no valid JSON: {error.msg} (column {error.colno})") from error
    except UnicodeEncodeError as error:
        raise BadDeal("half of a surrogate pair is no character: write the whole \\u pair") from error
    except (ValueError, RecursionError) as error:
        raise BadDeal("no valid JSON: numbers too long or brackets nested too deeply for a deal") from error
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise BadDeal(f"{key[:40]} is given twice: drop one of them".encode("utf-8", "replace").decode())
        result[key] = value
    return result
