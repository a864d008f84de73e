"""The committed results of the replication are whole, agree with theorems, and the page tells them."""

from __future__ import annotations

import csv
import re
from math import ceil
from pathlib import Path

import pytest

from crewsolve.cards import Deck
from crewsolve.experiments.curves import COLUMNS, Curve, Point, compare
from crewsolve.experiments.statistics import wilson
from crewsolve.experiments.sweep import Sweep
from crewsolve.tasks import round_robin

DOCS = Path(__file__).parents[1] / "docs"
FILES = [f"{kind}-{seats}-seats" for seats in (3, 4, 5) for kind in ("fixed", "free")]


def read(name: str) -> Curve:
    """A committed curve."""
    with (DOCS / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    points = []
    for row in rows:
        counts = {
            key: int(row[key]) for key in ("seats", "tasks", "deals", "winnable", "unwinnable", "unknown")
        }
        ends = {key: float(row[key]) for key in ("low", "high")}
        points.append(Point(deck=row["deck"], free=row["free"] == "true", **counts, **ends))
    sweep = Sweep(Deck.parse(points[0].deck), points[0].seats, points[0].free)
    return Curve(sweep.parameters(), 1, tuple(points), 0, True)


@pytest.mark.parametrize("name", FILES)
def test_committed_counts_are_whole(name: str) -> None:
    curve = read(name)
    assert [point.tasks for point in curve.points] == list(range(1, 37))
    for point in curve.points:
        assert (point.deck, f"{'free' if point.free else 'fixed'}-{point.seats}-seats") == ("4x9+4", name)
        assert point.winnable + point.unwinnable + point.unknown == point.deals >= 500
        low, high = (
            wilson(point.winnable, point.deals)[0],
            wilson(point.winnable + point.unknown, point.deals)[1],
        )
        assert (point.low, point.high) == pytest.approx((low, high), abs=1e-6)


def needed_tricks(seats: int, tasks: int) -> int:
    """Tricks that free tasks need: a seat that wins n of them needs n / seats tricks, rounded up."""
    return sum(ceil(count / seats) for count in round_robin(tasks, seats, 0))


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("free")])
def test_free_deals_that_need_more_tricks_than_there_are_were_all_lost(name: str) -> None:
    impossible = [p for p in read(name).points if needed_tricks(p.seats, p.tasks) > 40 // p.seats]
    assert all(point.unwinnable == point.deals for point in impossible)
    assert [p.tasks for p in impossible] == {4: [35, 36], 5: [*range(29, 37)], 3: []}[
        read(name).points[0].seats
    ]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_free_tasks_are_never_harder_on_the_same_cards(seats: int) -> None:
    fixed, free = read(f"fixed-{seats}-seats"), read(f"free-{seats}-seats")
    for one, other in zip(fixed.points, free.points, strict=True):
        if one.deals == other.deals:
            assert one.winnable <= other.winnable + other.unknown


def test_the_page_tells_the_committed_numbers() -> None:
    page = (DOCS / "replication.md").read_text(encoding="utf-8")
    curves = [read("fixed-4-seats"), read("free-4-seats")]
    compared = compare(curves)
    rows = {int(row[0]): row for row in table_rows(page, "tasks | fixed")}
    for tasks in range(1, 37):
        cells = rows[tasks]
        for place, (curve, comparisons) in enumerate(zip(curves, compared, strict=True)):
            point = curve.points[tasks - 1]
            shown = f"{point.winnable}" + (f" to {point.winnable + point.unknown}" if point.unknown else "")
            shown += "" if point.deals == 10_000 else f" of {point.deals}"
            published = comparisons.get(tasks)
            verdict = "" if published is None else "no" if published.differs else "yes"
            assert cells[1 + 3 * place : 4 + 3 * place] == [
                shown,
                "" if published is None else str(published.winnable),
                verdict,
            ]


def test_the_page_tells_the_committed_shares_of_all_seats() -> None:
    page = (DOCS / "replication.md").read_text(encoding="utf-8")
    rows = table_rows(page, "tasks | 3 seats, fixed")
    assert [row[0] for row in rows] == [str(tasks) for tasks in range(1, 37)]
    for place, name in enumerate(FILES, 1):
        assert [row[place] for row in rows] == [share(point) for point in read(name).points]


def share(point: Point) -> str:
    """The winnable share in per cent, from one bound to the other where deals stayed undecided."""
    low, high = (100 * count / point.deals for count in (point.winnable, point.winnable + point.unknown))
    return f"{low:.1f} to {high:.1f}" if point.unknown else f"{low:.2f}"


def table_rows(page: str, header: str) -> list[list[str]]:
    """The cells of the table whose header starts so."""
    lines = page[page.index(f"| {header}") :].splitlines()[2:]
    found = []
    for line in lines:
        if not re.match(r"\|\s*\d", line):
            break
        found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found
