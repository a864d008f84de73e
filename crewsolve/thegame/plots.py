"""Pictures of samples, after the figures of Dietrich 2019."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crewsolve.thegame.experiments import Sample
from crewsolve.thegame.model import DEFAULT, Parameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _figure() -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    return figure, figure.subplots()


def plot_density(samples: Sequence[Sample], path: Path | str) -> None:
    """The distribution of the cards remaining (Figures 3.1 and 4.1)."""
    figure, axes = _figure()
    for sample in samples:
        cards = range(max(sample.remaining, default=0) + 1)
        shares = [sample.remaining.get(card, 0) / sample.games for card in cards]
        axes.step(cards, shares, where="mid", label=f"{sample.strategy}, depth {sample.depth}")
    axes.set_xlabel("cards remaining")
    axes.set_ylabel("share of games")
    axes.legend()
    figure.savefig(path)


def plot_course(samples: Sequence[Sample], path: Path | str, *, parameters: Parameters = DEFAULT) -> None:
    """The mean course of the piles in won games, with the standard deviation of the first (Figure 3.2)."""
    figure, axes = _figure()
    for number, sample in enumerate(samples):
        for pile in range(parameters.piles):
            left, means, spreads = [], [], []
            for turn, row in enumerate(sample.course):
                total, squares = row[pile]
                mean = total / sample.wins
                left.append(parameters.size - turn * parameters.turn)
                means.append(mean)
                spreads.append(sqrt(max(squares / sample.wins - mean * mean, 0.0)))
            label = f"{sample.strategy}, depth {sample.depth}" if pile == 0 else None
            axes.plot(left, means, color=f"C{number}", label=label)
            if number == 0:
                low = [m - s for m, s in zip(means, spreads, strict=True)]
                high = [m + s for m, s in zip(means, spreads, strict=True)]
                axes.fill_between(left, low, high, color=f"C{number}", alpha=0.12)
    axes.invert_xaxis()
    axes.set_xlabel("cards remaining")
    axes.set_ylabel("mean card on the pile, won games")
    axes.legend()
    figure.savefig(path)


def plot_search(name: str, points: Sequence[tuple[float, Sample]], path: Path | str) -> None:
    """The win rate over a parameter, with intervals and a smoothed curve (Figures 3.3 to 3.13)."""
    figure, axes = _figure()
    values = [value for value, _ in points]
    rates = [sample.win_rate for _, sample in points]
    below = [sample.win_rate - sample.interval[0] for _, sample in points]
    above = [sample.interval[1] - sample.win_rate for _, sample in points]
    axes.errorbar(values, rates, yerr=[below, above], fmt="o", capsize=2)
    if len(points) >= 5:
        axes.plot(values, smoothed(rates), color="C3")
    axes.set_xlabel(name)
    axes.set_ylabel("win rate")
    figure.savefig(path)


def smoothed(rates: Sequence[float]) -> list[float]:
    """The filter of Savitzky and Golay, a parabola over a third of the points."""
    from scipy.signal import savgol_filter

    window = max(5, len(rates) // 3 | 1)
    return [float(rate) for rate in savgol_filter(rates, min(window, len(rates) - 1 + len(rates) % 2), 2)]
