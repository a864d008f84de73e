"""A run: every cell once, kept as soon as it is measured, and the report made from what is kept."""

from __future__ import annotations

import gc
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from benchmarks.deciding import available, measure_cell, quickest, time_batch, time_method, time_stream
from benchmarks.machine import header
from benchmarks.plan import AUTO, CANDIDATES, Cell, Plan
from benchmarks.speeds import measure_speeds
from benchmarks.table import HEADINGS, Row, markdown, read_timings, rows_of
from benchmarks.targets import judge
from crewsolve.cards import Deck
from crewsolve.deal import random_deal

TRIAL = (Cell("4x9+4", 4, 12, False), Cell("4x9+4", 4, 15, True))
"""Where the solvers for the yardstick are tried: the hard band of fixed tasks, and free ones."""


class Run:
    """What has been measured, by key; with a file, every finding is appended to it at once."""

    def __init__(self, plan: Plan, file: Path | None = None) -> None:
        self.plan = plan
        self.file = file
        self.found: dict[str, Any] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                self.found.update(json.loads(line))
        asked = json.loads(json.dumps(asdict(plan)))
        if self.found.setdefault("plan", asked) != asked:
            raise click.UsageError(f"{file} was measured by another plan: remove it or name another file")

    def keep(self, key: str, finding: Any) -> None:
        """Remember a finding."""
        new = {} if self.file is None or self.file.exists() else {"plan": asdict(self.plan)}
        self.found[key] = finding
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as store:
                store.write(json.dumps({**new, key: finding}) + "\n")

    def measure(self, *, quiet: bool = False) -> None:
        """Measure all that is not yet there."""
        cells = [*self.plan.cells(), *self.plan.others]
        if "machine" not in self.found:
            self.keep("machine", header())
        for cell in TRIAL:
            if f"best {cell.kind}" not in self.found:
                self.keep(f"best {cell.kind}", quickest(cell, self.plan, CANDIDATES))
        if "speeds" not in self.found:
            self.keep("speeds", measure_speeds(self.plan))
        self._warm_up()
        with _progress(quiet) as progress:
            sizes = {cell: sum(self.plan.counts(cell).values()) for cell in cells}
            bar = progress.add_task("deals", total=sum(sizes.values()))
            for cell in cells:
                if cell.key in self.found:
                    progress.advance(bar, sizes[cell])
                    continue
                progress.update(bar, description=cell.key)
                best = self.found[f"best {cell.kind}"][0]
                found = measure_cell(cell, self.plan, best=best, advance=partial(progress.advance, bar))
                self.keep(cell.key, found)

    def _warm_up(self) -> None:
        """Compile the kernels and probe the solvers, so that no cell pays for it."""
        for free in (False, True):
            deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=12, free=free, key=(1, 1))
            for name in available((*self.plan.methods, *dict(self.plan.few))):
                timing = time_method(name, deal, limit=60.0)
                if name == AUTO:
                    time_method("search", deal, limit=60.0)
                    time_batch(deal, timing)
                    time_stream(deal, timing)
        gc.collect()
        gc.freeze()  # sweeps during the cells then look at the cells' own objects only

    def rows(self, cells: list[Cell] | tuple[Cell, ...]) -> list[Row]:
        """The rows of the cells that have been measured."""
        found = []
        for cell in cells:
            if cell.key in self.found:
                best = self.found[f"best {cell.kind}"][0]
                found += rows_of(cell, read_timings(self.found[cell.key]), best=best)
        return found

    def report(self) -> str:
        """The whole table with its header, targets and speeds, in Markdown."""
        if "machine" not in self.found:
            raise click.UsageError("nothing has been measured yet: run without --report-only first")
        main = self.rows(self.plan.cells())
        speeds = self.found.get("speeds", {})
        machine = "\n".join(f"- {name}: {text}" for name, text in self.found["machine"].items())
        chosen = "\n".join(f"- {_chosen(kind, *self.found[f'best {kind}'])}" for kind in ("fixed", "free"))
        targets = judge(main, speeds)
        parts = [
            machine + f"\n- plan: {self.plan.name}, {self.plan.deals} deals a cell, {self.plan.yardstick} of "
            f"them also the published way, limit {self.plan.limit:g} s\n" + chosen,
            markdown(HEADINGS, (row.texts() for row in (*main, *self.rows(self.plan.others)))),
            markdown(("what", "speed"), ((name, _speed(value)) for name, value in speeds.items())),
        ]
        if targets:
            parts.append(markdown(("target", "wanted", "measured", "met"), targets))
        return "\n\n".join(parts)


def _chosen(kind: str, best: str, means: dict[str, float]) -> str:
    tried = ", ".join(f"{solver} {1000 * mean:.3g} ms" for solver, mean in means.items())
    return f"PySAT's best solver for the published formula, {kind}: {best} ({tried})"


def _speed(value: float) -> str:
    return f"{value:,.0f}" if value > 1000 else f"{value:.2f} s"


def _progress(quiet: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True)
