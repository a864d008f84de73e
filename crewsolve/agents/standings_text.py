"""Standings as text: a table for people, CSV and JSON for machines; equal results print equal."""

from __future__ import annotations

from collections.abc import Sequence

from crewsolve.agents.published import GAMES, Deviation, deviations
from crewsolve.agents.standings import PAIR_COLUMNS, SCORE_COLUMNS, Pair, Standings
from crewsolve.experiments.description import Json
from crewsolve.experiments.printing import text_table, to_csv, to_json_lines

LEVEL = 0.05
"""The chance that a list of comparisons calls any two line-ups different although none are."""


def standings_text(standings: Standings, *, interval: str, pairs: bool = False) -> str:
    """The scores and the pairs of a tournament; with `pairs` those at every number of tasks instead."""
    title = f"{standings.title}, seed {standings.seed}"
    shown = standings.pairs if pairs else standings.overall
    parts = [title, _pairs_table(shown)] if pairs else [title, _scores_table(standings, interval)]
    if shown and not pairs:
        parts.append(_pairs_table(shown))
    if not pairs and (found := deviations(standings)):
        parts.append(_deviations_table(found))
    return "\n\n".join([*parts, *(["\n".join(standings.notes())] if standings.notes() else [])])


def _scores_table(standings: Standings, interval: str) -> str:
    rows = []
    for score in standings.scores:
        row = [score.players, str(score.tasks), str(score.games), str(score.won)]
        row += [_percent(share) for share in (score.won_share, *score.won_interval)]
        rows.append(row + [_percent(share) for share in (score.done_share, *score.done_interval)])
    names = ["players", "tasks", "games", "won", "won %", "low", "high", "done %", "low", "high"]
    legend = [
        f"won: games won, in per cent with its 95 % interval ({interval})",
        "done: tasks completed, in per cent with its 95 % interval (normal, over games)",
    ]
    return "\n".join([text_table(names, rows), "", *legend])


def _pairs_table(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return "no two line-ups have a game in common"
    rows = []
    for pair in pairs:
        mark = " *" if pair.adjusted < LEVEL else ""
        row = [pair.first, pair.second, "all" if pair.tasks is None else str(pair.tasks), str(pair.games)]
        rows.append([*row, str(pair.first_only), str(pair.second_only), f"{pair.adjusted:.3g}{mark}"])
    names = ["first", "second", "tasks", "common games", "only first won", "only second won", "p"]
    legend = (
        f"p: McNemar's exact test on common deals with Holm's adjustment; * differs at the {LEVEL:.0%} level"
    )
    return "\n".join([text_table(names, rows), "", legend])


def _deviations_table(found: Sequence[Deviation]) -> str:
    rows = [
        [one.players, one.source, str(one.points), f"{100 * one.difference:+.1f}",
         "-" if one.z is None else f"{one.z:+.1f}"]
        for one in found
    ]  # fmt: skip
    names = ["players", "published", "points", "done, points", "z"]
    legend = (
        "done: the published share of tasks completed minus ours, on average, in percentage points\n"
        f"z: that in standard errors, with {GAMES} published games for each point that spread as ours do"
    )
    return "\n".join([text_table(names, rows), "", legend])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def standings_csv(tournaments: Sequence[Standings], *, pairs: bool = False) -> str:
    """The scores, or the pairs at every number of tasks, of several tournaments, each with its setting."""
    columns = ("deck", "seats", "free", "seed", *(PAIR_COLUMNS if pairs else SCORE_COLUMNS))
    return to_csv([row for standings in tournaments for row in _rows(standings, pairs)], columns)


def standings_json(tournaments: Sequence[Standings], *, pairs: bool = False) -> str:
    """The scores, or the pairs, as JSON lines with the setting and the notes."""
    return to_json_lines(
        [
            {**row, "leader": s.parameters["leader"], "rules": s.parameters["rules"],
             "reproducible": s.reproducible, "notes": s.notes()}
            for s in tournaments
            for row in _rows(s, pairs)
        ]
    )  # fmt: skip


def _rows(standings: Standings, pairs: bool) -> list[dict[str, Json]]:
    setting = {name: standings.parameters[name] for name in ("deck", "seats", "free")}
    chosen = standings.pairs if pairs else standings.scores
    return [{**setting, "seed": standings.seed, **row.record()} for row in chosen]
