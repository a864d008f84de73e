"""Curves as text: a table for people, CSV and JSON for machines; no times, so equal results print equal."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from crewsolve.experiments.curves import COLUMNS, LEVEL, Comparison, Curve, Point
from crewsolve.experiments.description import Json
from crewsolve.experiments.published import SOURCE


def to_csv(rows: Sequence[dict[str, Json]], columns: Sequence[str] = COLUMNS) -> str:
    """Rows as CSV with a header; truth values as in JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = [row.get(name, "") for name in columns]
        writer.writerow([json.dumps(value) if isinstance(value, bool) else value for value in values])
    return text.getvalue()


def to_json_lines(rows: Sequence[dict[str, Json]]) -> str:
    """Rows as JSON, one object to a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def json_rows(curves: Sequence[Curve], comparisons: Sequence[dict[int, Comparison]]) -> list[dict[str, Json]]:
    """Every point with its setting, its comparison (null where nothing is published) and the notes."""
    rows = []
    for curve, compared in zip(curves, comparisons, strict=True):
        setting = {name: curve.parameters[name] for name in ("leader", "rules", "coupled")}
        for point in curve.points:
            comparison = compared.get(point.tasks)
            rows.append(
                {
                    **point.record(), "seed": curve.seed, **setting, "reproducible": curve.reproducible,
                    "published": comparison and _published(comparison), "notes": curve.notes(),
                }
            )  # fmt: skip
    return rows


def _published(comparison: Comparison) -> dict[str, Json]:
    return {
        "winnable": comparison.winnable,
        "deals": comparison.deals,
        "p": float(f"{comparison.p:.6g}"),
        "adjusted": float(f"{comparison.adjusted:.6g}"),
        "differs": comparison.differs,
    }


def curve_table(curve: Curve, compared: dict[int, Comparison], *, interval: str) -> str:
    """The table of one curve for the terminal, with what must be said about it below."""
    names = ["tasks", "deals", "winnable", "unknown", "share", "low", "high"]
    rows = []
    for point in curve.points:
        row = [*map(str, (point.tasks, point.deals, point.winnable, point.unknown)), _share(point)]
        row += [f"{100 * point.low:.2f}", f"{100 * point.high:.2f}"]
        rows.append([*row, *_against(compared.get(point.tasks))] if compared else row)
    body = text_table([*names, "published", "p"] if compared else names, rows)
    title = f"{curve.title}, seed {curve.seed}"
    return "\n".join([title, "", body, "", *_below(curve, compared, interval)])


def text_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Right-aligned columns under a rule, the same for every terminal.

    >>> print(text_table(["n", "wins"], [["9", "10"], ["10", "8"]]))
     n  wins
    --------
     9    10
    10     8
    """
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    lines = [
        "  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))
        for row in (names, *rows)
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *(line.rstrip() for line in lines[1:])])


def _share(point: Point) -> str:
    """The share in per cent, a lower bound where deals are undecided."""
    bound = "≥" if point.unknown else ""
    return f"{bound}{100 * point.winnable / point.deals:.2f}"


def _against(comparison: Comparison | None) -> tuple[str, str]:
    if comparison is None:
        return "", ""
    mark = " *" if comparison.differs else ""
    return f"{100 * comparison.winnable / comparison.deals:.2f}", f"{comparison.adjusted:.3g}{mark}"


def _below(curve: Curve, compared: dict[int, Comparison], interval: str) -> list[str]:
    lines = [f"share in per cent; low and high: its 95 % interval ({interval})"]
    if compared:
        differing = sum(comparison.differs for comparison in compared.values())
        lines += [
            f"published: {SOURCE}; p: Fisher's exact test with Holm's adjustment",
            f"{differing} of {len(compared)} points differ (*) at the {LEVEL:.0%} level for all together",
        ]
    return lines + curve.notes()


def rows_table(rows: Sequence[dict[str, Json]], columns: Sequence[str]) -> str:
    """Rows of any kind of experiment as a plain table."""
    cells = [["" if row.get(name) is None else str(row[name]) for name in columns] for row in rows]
    return text_table(columns, cells)
