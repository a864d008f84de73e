"""The picture of a tournament: games won and tasks completed over the number of tasks, fit for print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from crewsolve.agents.published import Published, published_shares
from crewsolve.agents.standings import Score, Standings
from crewsolve.errors import CrewError
from crewsolve.experiments.canvas import canvas, check_format, furnish, look

INSIDE = 6
"""So many names fit into a panel."""


def plot_standings(tournaments: Sequence[Standings], path: Path | str) -> None:
    """Draw every line-up of all tournaments; the file's ending says the format."""
    target = check_format(path)
    curves = [
        (_label(standings, players, tournaments), standings.of(players), published(standings, players))
        for standings in tournaments
        for players in standings.line_ups
    ]
    if not curves:
        raise CrewError(f"{target}: nothing to draw, no game is stored yet")
    most = max(score.tasks for _, scores, _ in curves for score in scores)
    with canvas(target, panels=2) as (games, tasks):
        for place, (label, scores, known) in enumerate(curves):
            _draw(games, scores, label, place, "won")
            _draw(tasks, scores, label, place, "done")
            _draw_published(tasks, known.shares, place)
        furnish(games, most=most, label="games won")
        furnish(tasks, most=most, label="tasks completed")
        _legend(games, len(curves))
        games.set_title(_caption(tournaments), loc="left", fontsize=8, color="#444444")
        if sources := sorted({known.source for _, _, known in curves if known.shares}):
            tasks.set_title(f"open markers: {', '.join(sources)}", loc="left", fontsize=8, color="#444444")


def published(standings: Standings, players: str) -> Published:
    """The published points of a line-up, those within the tasks that were played."""
    played = {score.tasks for score in standings.of(players)}
    known = published_shares(standings.parameters, players)
    return Published(known.source, {tasks: share for tasks, share in known.shares.items() if tasks in played})


def _label(standings: Standings, players: str, tournaments: Sequence[Standings]) -> str:
    return players if len(tournaments) == 1 else f"{players} ({standings.title}, seed {standings.seed})"


def _draw(axes: Any, scores: Sequence[Score], label: str, place: int, kind: str) -> None:
    colour, marker = look(place)
    tasks = [score.tasks for score in scores]
    shares = [100 * getattr(score, f"{kind}_share") for score in scores]
    ends = [getattr(score, f"{kind}_interval") for score in scores]
    axes.fill_between(
        tasks, [100 * low for low, _ in ends], [100 * high for _, high in ends], color=colour, alpha=0.2,
        linewidth=0,
    )  # fmt: skip
    # More line-ups than colours: the next round is dashed.
    style = ("-", "--", ":")[place // 7 % 3]
    axes.plot(
        tasks, shares, style, color=colour, linewidth=1.2, marker=marker, markersize=3, label=label, zorder=3
    )


def _legend(axes: Any, curves: int) -> None:
    """The names inside the first panel, or below both where they would cover it."""
    if curves <= INSIDE:
        axes.legend(frameon=False, fontsize=7.5)
        return
    handles, labels = axes.get_legend_handles_labels()
    columns = 3 if max(map(len, labels)) < 40 else 2
    axes.figure.legend(
        handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=7.5
    )


def _draw_published(axes: Any, known: Mapping[int, float], place: int) -> None:
    colour, marker = look(place)
    axes.plot(
        list(known), [100 * share for share in known.values()], linestyle="none", marker=marker, markersize=6,
        markerfacecolor="none", markeredgecolor=colour, markeredgewidth=0.7,
    )  # fmt: skip


def _caption(tournaments: Sequence[Standings]) -> str:
    numbers = sorted({score.games for standings in tournaments for score in standings.scores})
    many = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
    title = f"{tournaments[0].title}; " if len(tournaments) == 1 else ""
    return f"{title}{many} games for each point; bands: 95 %"
