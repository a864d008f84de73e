"""Winnability curves read from stores: counts, intervals, and the comparison with published points."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crewsolve.errors import CrewError
from crewsolve.experiments.description import Json
from crewsolve.experiments.published import DEALS, published_curve
from crewsolve.experiments.statistics import INTERVALS, fisher, holm
from crewsolve.experiments.store import Store

COLUMNS = ("deck", "seats", "free", "tasks", "deals", "winnable", "unwinnable", "unknown", "low", "high")
"""The columns of the CSV form."""

LEVEL = 0.05
"""The chance that a report calls any published point wrong although all are right."""


@dataclass(frozen=True, slots=True)
class Point:
    """One number of tasks: exact counts, and an interval for the share of winnable deals.

    The interval is wide enough for both ways the undecided deals may fall: `low` takes all of them as
    unwinnable, `high` as winnable.
    """

    deck: str
    seats: int
    free: bool
    tasks: int
    deals: int
    winnable: int
    unwinnable: int
    unknown: int
    low: float
    high: float

    def record(self) -> dict[str, Json]:
        """The point as a row of a report, its interval rounded to six places."""
        values = {name: getattr(self, name) for name in COLUMNS}
        return {**values, "low": round(self.low, 6), "high": round(self.high, 6)}


@dataclass(frozen=True)
class Curve:
    """All points of one store, in rising number of tasks, and what must be said about them."""

    parameters: dict[str, Json]
    seed: int
    points: tuple[Point, ...]
    unfinished: int
    reproducible: bool

    @property
    def title(self) -> str:
        """What was dealt, in a few words."""
        words = [
            self.parameters["deck"],
            f"{self.parameters['seats']} seats",
            "free" if self.is_free else "fixed",
        ]
        words += [self.parameters["rules"]] if self.parameters["rules"] else []
        default = "drawn" if "+" not in self.parameters["deck"] else "holder"
        if self.parameters["leader"] != default:
            words.append(f"leader {self.parameters['leader']}")
        return ", ".join([*words, "coupled"] if self.parameters["coupled"] else words)

    @property
    def is_free(self) -> bool:
        """Whether the tasks are free."""
        return bool(self.parameters["free"])

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        found = []
        if self.parameters["coupled"]:
            found.append(
                "coupled: every deal counts at every point, so the points rise and fall together; "
                "each interval holds for its own point only"
            )
        if not self.reproducible:
            found.append("not reproducible: a clock limit decided which deals are unknown")
        if unknown := sum(point.unknown for point in self.points):
            found.append(f"{unknown} undecided: the intervals hold whichever way they fall")
        if self.unfinished:
            found.append(f"unfinished: {self.unfinished} deals are still to be done")
        return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """A point against the published one: Fisher's exact test, adjusted for all comparisons of the report."""

    winnable: int
    deals: int
    p: float
    adjusted: float

    @property
    def differs(self) -> bool:
        """Whether the difference is too large to be chance."""
        return self.adjusted < LEVEL


def read_curve(store: Store, *, interval: str = "wilson") -> Curve:
    """The curve of a sweep's store."""
    identity = store.identity
    if identity["kind"] != "sweep":
        raise CrewError(f"{store.name}: holds an experiment of kind {identity['kind']!r}, not a sweep")
    wanted = sum(items for _, items in store.cells())
    stored = sum(sum(store.tally(cell).values()) for cell, _ in store.cells())
    return Curve(
        identity["parameters"],
        identity["seed"],
        tuple(points(store, interval=interval)),
        max(0, wanted - stored),
        store.reproducible,
    )


def points(store: Store, *, interval: str = "wilson") -> list[Point]:
    """The points of a sweep's store, by number of tasks; those without a deal are left out."""
    parameters = store.identity["parameters"]
    setting = parameters["deck"], parameters["seats"], parameters["free"]
    between = INTERVALS[interval]
    found = []
    for tasks, (winnable, unwinnable, unknown) in sorted(_counts(store)):
        deals = winnable + unwinnable + unknown
        if deals:
            low, high = between(winnable, deals)[0], between(winnable + unknown, deals)[1]
            found.append(Point(*setting, tasks, deals, winnable, unwinnable, unknown, low, high))
    return found


def _counts(store: Store) -> Iterator[tuple[int, tuple[int, int, int]]]:
    for cell, _ in store.cells():
        tally = {text: count for text, count in store.tally(cell).items()}
        if cell["tasks"] == "all":
            yield from _coupled_counts(store, tally)
        else:
            by_name = {json.loads(text): count for text, count in tally.items()}
            winnable, unwinnable, unknown = (by_name.get(v, 0) for v in ("winnable", "unwinnable", "unknown"))
            yield cell["tasks"], (winnable, unwinnable, unknown)


def _coupled_counts(store: Store, tally: dict[str, int]) -> Iterator[tuple[int, tuple[int, int, int]]]:
    from crewsolve.experiments.sweep import Sweep

    thresholds = [(json.loads(text), count) for text, count in tally.items()]
    for tasks in range(1, Sweep.of(store.identity["parameters"]).deck.colour_cards + 1):
        winnable = sum(count for bounds, count in thresholds if bounds["low"] >= tasks)
        unwinnable = sum(count for bounds, count in thresholds if bounds["high"] < tasks)
        total = sum(count for _, count in thresholds)
        yield tasks, (winnable, unwinnable, total - winnable - unwinnable)


def compare(curves: Sequence[Curve]) -> list[dict[int, Comparison]]:
    """Each curve's points against the published ones; one family of tests over all curves.

    Undecided deals are counted the way that brings the point closest to the published one, so a difference
    that is found is there however they fall.
    """
    tests: list[tuple[int, int, int, float]] = []
    for place, curve in enumerate(curves):
        known = published_curve(curve.parameters)
        for point in curve.points:
            if point.tasks in known:
                tests.append((place, point.tasks, known[point.tasks], _p_value(point, known[point.tasks])))
    adjusted = holm([p for *_, p in tests])
    found: list[dict[int, Comparison]] = [{} for _ in curves]
    for (place, tasks, winnable, p), corrected in zip(tests, adjusted, strict=True):
        found[place][tasks] = Comparison(winnable, DEALS, p, corrected)
    return found


def _p_value(point: Point, published: int) -> float:
    nearest = round(published * point.deals / DEALS)
    winnable = min(max(nearest, point.winnable), point.winnable + point.unknown)
    return fisher(winnable, point.deals, published, DEALS)
