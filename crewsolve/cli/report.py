"""`crewsolve report`: what the stores of experiments say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crewsolve.experiments.statistics import INTERVALS

if TYPE_CHECKING:
    from crewsolve.experiments import Store


@click.command(name="report")
@click.argument("stores", metavar="STORE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--plot",
    "plots",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the curves to a .svg, .png or .pdf file; may be given several times.",
)
@click.option("--csv", "form", flag_value="csv", help="Comma-separated values on stdout.")
@click.option("--json", "form", flag_value="jsonl", help="JSON on stdout, one object to a line.")
@click.option(
    "--interval", type=click.Choice(list(INTERVALS)), default=next(iter(INTERVALS)), show_default=True
)
@click.option(
    "--pairs", is_flag=True, help="Of tournaments, the paired comparisons at every number of tasks instead."
)
@click.option("--undecided", is_flag=True, help="List the undecided deals instead, one to a line.")
def report(
    stores: Sequence[Path],
    plots: Sequence[Path],
    form: str | None,
    interval: str,
    pairs: bool,
    undecided: bool,
) -> None:
    """Print, export and draw what one or several stores hold; only the stores are read."""
    from crewsolve.experiments import read_store

    with ExitStack() as stack:
        opened = [stack.enter_context(read_store(path)) for path in stores]
        if undecided:
            print_undecided(opened)
            return
        if pairs and _kind(opened) != "arena":
            raise click.UsageError("--pairs compares the players of tournaments; these stores hold none")
        draw(opened, plots, interval=interval)
        print_report(opened, form=form or "table", interval=interval, pairs=pairs)


def print_report(stores: Sequence[Store], *, form: str, interval: str, pairs: bool = False) -> None:
    """Print stores as a table, CSV or JSON lines."""
    kind = _kind(stores)
    if kind == "sweep":
        _print_curves(stores, form, interval)
    elif kind == "arena":
        _print_standings(stores, form, interval, pairs)
    else:
        _print_rows(stores, form)


def _kind(stores: Sequence[Store]) -> str:
    """The one kind that all stores hold."""
    kinds = sorted({store.identity["kind"] for store in stores})
    if len(kinds) > 1:
        raise click.UsageError(f"one kind of experiment at a time, not {' and '.join(kinds)}")
    return str(kinds[0])


def _print_curves(stores: Sequence[Store], form: str, interval: str) -> None:
    from crewsolve.experiments.curves import compare, read_curve
    from crewsolve.experiments.printing import curve_table, json_rows, to_csv, to_json_lines

    curves = [read_curve(store, interval=interval) for store in stores]
    comparisons = compare(curves)
    if form == "table":
        pairs = zip(curves, comparisons, strict=True)
        click.echo("\n\n".join(curve_table(*pair, interval=interval) for pair in pairs))
    elif form == "jsonl":
        click.echo(to_json_lines(json_rows(curves, comparisons)), nl=False)
    else:
        click.echo(to_csv([point.record() for curve in curves for point in curve.points]), nl=False)
        for store, curve in zip(stores, curves, strict=True):
            for note in curve.notes():
                click.echo(f"{store.name}: {note}", err=True)


def _print_standings(stores: Sequence[Store], form: str, interval: str, pairs: bool) -> None:
    from crewsolve.agents.standings import read_standings
    from crewsolve.agents.standings_text import standings_csv, standings_json, standings_text

    tournaments = [read_standings(store, interval=interval) for store in stores]
    if form == "table":
        texts = (standings_text(one, interval=interval, pairs=pairs) for one in tournaments)
        click.echo("\n\n".join(texts))
    else:
        write = standings_json if form == "jsonl" else standings_csv
        click.echo(write(tournaments, pairs=pairs), nl=False)
    if form == "csv":
        for store, one in zip(stores, tournaments, strict=True):
            for note in one.notes():
                click.echo(f"{store.name}: {note}", err=True)


def _print_rows(stores: Sequence[Store], form: str) -> None:
    """Any other kind: the rows of its own table."""
    from crewsolve.experiments import get_kind
    from crewsolve.experiments.printing import rows_table, to_csv, to_json_lines

    rows = [row for store in stores for row in get_kind(store.identity["kind"]).table(store)]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if form == "table":
        click.echo(rows_table(rows, columns))
    else:
        click.echo(to_json_lines(rows) if form == "jsonl" else to_csv(rows, columns), nl=False)


def print_undecided(stores: Sequence[Store]) -> None:
    """Print what is kept of undecided items: for sweeps their deals, ready for `crewsolve solve`."""
    for store in stores:
        for item in store.unsettled():
            click.echo(item.row.note)


def draw(stores: Sequence[Store], plots: Sequence[Path], *, interval: str) -> None:
    """Draw the stores into every file of `plots`."""
    if not plots:
        return
    if _kind(stores) == "arena":
        from crewsolve.agents.standings import read_standings
        from crewsolve.agents.standings_plot import plot_standings

        tournaments = [read_standings(store, interval=interval) for store in stores]
        for path in plots:
            plot_standings(tournaments, path)
        return
    from crewsolve.experiments.curves import read_curve
    from crewsolve.experiments.plot import plot_curves

    curves = [read_curve(store, interval=interval) for store in stores]
    for path in plots:
        plot_curves(curves, path)
