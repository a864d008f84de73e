"""Published curves: what de Jong (2021, Figure 3) found for the real game with four seats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from crewsolve.experiments.description import Json

DEALS = 10_000
"""Deals behind each published point."""

SOURCE = "de Jong 2021, Figure 3"

_SETTING = {"deck": "4x9+4", "seats": 4, "leader": "holder", "rules": ""}


def published_curve(parameters: Mapping[str, Json]) -> dict[int, int]:
    """Winnable deals out of `DEALS` by number of tasks; empty where nothing is published for such deals.

    >>> setting = {"deck": "4x9+4", "seats": 4, "leader": "holder", "rules": "", "free": False}
    >>> published_curve(setting)[12]
    4762
    """
    if any(parameters[name] != value for name, value in _SETTING.items()):
        return {}
    return dict(_figure()["free" if parameters["free"] else "fixed"])


@cache
def _figure() -> dict[str, list[tuple[int, int]]]:
    text = (files("crewsolve") / "data" / "de_jong_figures.json").read_text(encoding="utf-8")
    found = json.loads(text)["fig3"]
    assert isinstance(found, dict)
    return found
