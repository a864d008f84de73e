"""`crewsolve arena` and `crewsolve players`: who plays best?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crewsolve.cli.options import console, json_option, print_json
from crewsolve.deal import LEADER_RULES
from crewsolve.errors import CrewError
from crewsolve.rules import Rules

if TYPE_CHECKING:
    from rich.table import Table

    from crewsolve.agents import Entry
    from crewsolve.experiments.description import Experiment


@click.command(name="arena")
@click.option(
    "--players", "line_ups", multiple=True, required=True, metavar="LINE-UP",
    help="One player for all seats, or one for each, separated by commas; several line-ups by repeating the "
    "option or separated by semicolons. `crewsolve players` lists the names.",
)  # fmt: skip
@click.option("--tasks", default="1-10", show_default=True, metavar="RANGES", help="Like 1-5,8,10.")
@click.option(
    "--games", type=click.IntRange(1), default=1000, show_default=True, help="For each number of tasks."
)
@click.option("--deck", default="4x9+4", show_default=True, help="Suits x ranks + rockets.")
@click.option("--seats", type=click.IntRange(1), default=4, show_default=True)
@click.option("--free", is_flag=True, help="Let the players take the tasks instead of drawing for them.")
@click.option(
    "--leader", type=click.Choice(LEADER_RULES), help="By default the highest rocket's holder, else drawn."
)
@click.option("--rules", default="", metavar="NAMES", help=f"House rules: {', '.join(Rules.names())}.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option(
    "--store", type=click.Path(path_type=Path, dir_okay=False),
    help="The file to fill; runs go on in it. Without one nothing is kept.",
)  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(1), help="Processes on this machine; by default one for each core."
)
@click.option(
    "--cluster", metavar="ADDR", help="A dask scheduler, tcp://HOST:PORT, or `local` for one of our own."
)
@click.option("--chunk", type=click.IntRange(1), help="Games to a chunk; by default about a second's worth.")
@click.option(
    "--plot", "plots", multiple=True, type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the standings to a .svg, .png or .pdf file; may be given several times.",
)  # fmt: skip
@click.option("--pairs", is_flag=True, help="Print the paired comparisons at every number of tasks instead.")
@click.option("--csv", "form", flag_value="csv", help="Comma-separated values on stdout.")
@click.option("--json", "form", flag_value="jsonl", help="JSON on stdout, one object to a line.")
def arena(
    *,
    store: Path | None,
    workers: int | None,
    cluster: str | None,
    chunk: int | None,
    plots: Sequence[Path],
    pairs: bool,
    form: str | None,
    **asked: object,
) -> None:
    """Let line-ups of players play the same deals; killed runs go on with the same command."""
    from crewsolve.cli.report import draw, print_report
    from crewsolve.experiments import get_executor, open_store, run
    from crewsolve.experiments.canvas import check_format

    if workers is not None and cluster not in (None, "local"):
        raise click.UsageError("--workers counts processes here; a cluster at an address has its own")
    try:
        experiment = _experiment(**asked)  # type: ignore[arg-type]
        for path in plots:
            check_format(path)
    except CrewError as error:
        raise click.UsageError(str(error)) from error
    with open_store(store, experiment) as opened:
        executor = get_executor(workers=workers, address=cluster)
        outcome = run(experiment, opened, executor=executor, chunk=chunk)
        if outcome.interrupted:
            done = f"{outcome.before + outcome.items} of {experiment.items} games"
            kept = f"are in {store}; the same command goes on" if store else "were played, none is kept"
            click.echo(f"stopped: {done} {kept}", err=True)
            raise click.exceptions.Exit(130)
        draw([opened], plots, interval="wilson")
        print_report([opened], form=form or "table", interval="wilson", pairs=pairs)


def _experiment(
    *,
    line_ups: Sequence[str],
    tasks: str,
    games: int,
    deck: str,
    seats: int,
    free: bool,
    leader: str | None,
    rules: str,
    seed: int,
) -> Experiment:
    """The experiment that the options describe."""
    from crewsolve.agents.arena import Arena
    from crewsolve.cards import Deck
    from crewsolve.experiments import parse_numbers

    named = [text for option in line_ups for text in option.split(";") if text.strip()]
    described = Arena(Deck.parse(deck), seats, free, leader or "", Rules.parse(rules.replace(",", " ")))
    return described.experiment(line_ups=named, tasks=parse_numbers(tasks), games=games, seed=seed)


@click.command(name="players")
@json_option
def players(as_json: bool) -> None:
    """List the players: who plays cards, who takes tasks, and the options of each.

    A player is written CARDS or TASKS/CARDS, each with options: `smart:playouts=500`, `tactical/uct`.
    """
    from crewsolve.agents import CARD_AGENTS, TASK_AGENTS

    cards = [_described(name, entry) for name, entry in CARD_AGENTS.items()]
    tasks = [_described(name, entry) for name, entry in TASK_AGENTS.items()]
    if as_json:
        print_json({"cards": cards, "tasks": tasks})
        return
    console().print(_table("plays cards", cards), "", _table("takes tasks", tasks))


def _described(name: str, entry: Entry) -> dict[str, Any]:
    return {"name": name, "open": entry.open_hands, "options": entry.options(), "words": entry.about}


def _table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in (title, "hands", "options", "what it does"):
        table.add_column(column, no_wrap=column in (title, "hands"))
    for row in rows:
        options = " ".join(f"{key}={_shown(value)}" for key, value in row["options"].items())
        words = (row["name"], "open" if row["open"] else "hidden", options or "-", row["words"])
        table.add_row(*map(Text, words))
    return table


def _shown(value: object) -> str:
    return "none" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
