"""The picture: winnability curves with their intervals over the published points, fit for print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crewsolve.errors import CrewError
from crewsolve.experiments.canvas import canvas, check_format, furnish, look
from crewsolve.experiments.curves import Curve
from crewsolve.experiments.published import DEALS, SOURCE, published_curve
from crewsolve.experiments.statistics import wilson


def plot_curves(curves: Sequence[Curve], path: Path | str) -> None:
    """Draw all curves into one picture; the file's ending says the format."""
    target = check_format(path)
    for curve in curves:
        if not curve.points:
            raise CrewError(f"{target}: nothing to draw, no deal of {curve.title} is stored yet")
    with canvas(target) as axes:
        for place, (curve, label) in enumerate(zip(curves, _labels(curves), strict=True)):
            _draw(axes, curve, label, place)
        _draw_published(axes, curves)
        most = max(point.tasks for curve in curves for point in curve.points)
        furnish(axes, most=most, label="deals that can be won")
        axes.legend(frameon=False, fontsize=8)
        axes.set_title(_deals(curves), loc="left", fontsize=8, color="#444444")


def _labels(curves: Sequence[Curve]) -> list[str]:
    """Titles, with the seed where two curves have the same."""
    titles = [curve.title for curve in curves]
    return [
        f"{curve.title}, seed {curve.seed}" if titles.count(curve.title) > 1 else curve.title
        for curve in curves
    ]


def _draw(axes: Any, curve: Curve, label: str, place: int) -> None:
    colour, marker = look(place)
    tasks = [point.tasks for point in curve.points]
    low, high = (
        [100 * end for end in ends] for ends in zip(*((p.low, p.high) for p in curve.points), strict=True)
    )
    shares = [100 * (point.winnable + point.unknown / 2) / point.deals for point in curve.points]
    axes.fill_between(tasks, low, high, color=colour, alpha=0.22, linewidth=0)
    axes.plot(
        tasks, shares, color=colour, linewidth=1.3, marker=marker, markersize=3.4, label=label, zorder=3
    )


def _draw_published(axes: Any, curves: Sequence[Curve]) -> None:
    """Each published curve once, in the look of the first curve it belongs to."""
    drawn: set[str] = set()
    for place, curve in enumerate(curves):
        known, kind = published_curve(curve.parameters), "free" if curve.is_free else "fixed"
        if known and kind not in drawn:
            drawn.add(kind)
            _draw_points(axes, known, *look(place), f"{kind}, {SOURCE}")


def _draw_points(axes: Any, known: dict[int, int], colour: str, marker: str, label: str) -> None:
    shares = [100 * wins / DEALS for wins in known.values()]
    ends = [wilson(wins, DEALS) for wins in known.values()]
    below = [share - 100 * low for share, (low, _) in zip(shares, ends, strict=True)]
    above = [100 * high - share for share, (_, high) in zip(shares, ends, strict=True)]
    axes.errorbar(
        list(known), shares, yerr=[below, above], linestyle="none", elinewidth=0.7, ecolor=colour,
        marker=marker, markersize=7, markerfacecolor="none", markeredgecolor=colour, markeredgewidth=0.7,
        label=label,
    )  # fmt: skip


def _deals(curves: Sequence[Curve]) -> str:
    """The line above the picture: how many deals, which intervals, and what to beware of."""
    numbers = sorted({point.deals for curve in curves for point in curve.points})
    many = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
    line = f"{many} random deals for each point; bands: 95 % intervals"
    if any(curve.parameters["coupled"] for curve in curves):
        line += "; coupled: the points of a curve share their deals"
    return line
