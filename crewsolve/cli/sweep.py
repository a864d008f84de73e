"""`crewsolve sweep`: which share of random deals can be won?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from crewsolve.cli.options import json_option
from crewsolve.deal import LEADER_RULES
from crewsolve.errors import CrewError
from crewsolve.rules import Rules

if TYPE_CHECKING:
    from crewsolve.experiments.description import Experiment


@click.command(name="sweep")
@click.option("--deck", default="4x9+4", show_default=True, help="Suits x ranks + rockets.")
@click.option("--seats", type=click.IntRange(1), default=4, show_default=True)
@click.option(
    "--tasks", default=None, metavar="RANGES", help="Like 1-5,8,10; by default 1 to all colour cards."
)
@click.option(
    "--deals", type=click.IntRange(1), default=1000, show_default=True, help="For each number of tasks."
)
@click.option("--free", is_flag=True, help="Free tasks instead of fixed ones.")
@click.option(
    "--leader", type=click.Choice(LEADER_RULES), help="By default the highest rocket's holder, else drawn."
)
@click.option("--rules", default="", metavar="NAMES", help=f"House rules: {', '.join(Rules.names())}.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option(
    "--store",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to fill; runs go on in it.",
)
@click.option(
    "--workers", type=click.IntRange(1), help="Processes on this machine; by default one for each core."
)
@click.option(
    "--cluster", metavar="ADDR", help="A dask scheduler, tcp://HOST:PORT, or `local` for one of our own."
)
@click.option("--method", default=None, help="A name of `crewsolve methods`; by default the first.")
@click.option("--nodes", type=click.IntRange(1), help="Search nodes for each deal before it stays unknown.")
@click.option(
    "--conflicts", type=click.IntRange(1), help="SAT conflicts for each deal before it stays unknown."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="Seconds for each deal; marks the store as not reproducible.",
)
@click.option("--retry-unknown", is_flag=True, help="Try undecided deals again with the budgets now given.")
@click.option("--dedupe", is_flag=True, help="Solve deals that are equal up to suits only once.")
@click.option("--coupled", is_flag=True, help="One threshold for each deal gives the whole fixed curve.")
@click.option("--chunk", type=click.IntRange(1), help="Deals to a chunk; by default about a second's worth.")
@json_option
def sweep(
    *,
    as_json: bool,
    store: Path,
    workers: int | None,
    cluster: str | None,
    chunk: int | None,
    retry_unknown: bool,
    **asked: object,
) -> None:
    """Decide random deals for each number of tasks; killed runs go on with the same command."""
    from crewsolve.cli.report import print_report
    from crewsolve.experiments import get_executor, open_store, run

    if workers is not None and cluster not in (None, "local"):
        raise click.UsageError("--workers counts processes here; a cluster at an address has its own")
    try:
        experiment = _experiment(**asked)  # type: ignore[arg-type]
    except CrewError as error:
        raise click.UsageError(str(error)) from error
    with open_store(store, experiment) as opened:
        outcome = run(
            experiment, opened, executor=get_executor(workers=workers, address=cluster),
            retry_unknown=retry_unknown, chunk=chunk,
        )  # fmt: skip
        if outcome.interrupted:
            done = outcome.before + outcome.items
            click.echo(
                f"stopped: {done} of {experiment.items} deals are in {store}; the same command goes on",
                err=True,
            )
            raise click.exceptions.Exit(130)
        print_report([opened], form="jsonl" if as_json else "table", interval="wilson")


def _experiment(
    *,
    deck: str,
    seats: int,
    tasks: str | None,
    deals: int,
    free: bool,
    leader: str | None,
    rules: str,
    seed: int,
    method: str | None,
    nodes: int | None,
    conflicts: int | None,
    time_limit: float | None,
    dedupe: bool,
    coupled: bool,
) -> Experiment:
    """The experiment that the options describe."""
    from crewsolve.cards import Deck
    from crewsolve.encodings import METHODS
    from crewsolve.experiments import parse_numbers
    from crewsolve.experiments.deciding import Effort
    from crewsolve.experiments.sweep import Sweep

    name = next(iter(METHODS)) if method is None else method
    if name not in METHODS:
        from crewsolve.errors import UnknownName

        raise UnknownName("method", name, METHODS)
    described = Sweep(
        Deck.parse(deck), seats, free, leader or "", Rules.parse(rules.replace(",", " ")), coupled
    )
    everything = tuple(range(1, described.deck.colour_cards + 1))
    numbers = everything if tasks is None else parse_numbers(tasks)
    if coupled and numbers != everything:
        raise CrewError("a coupled sweep gives the whole curve: leave out --tasks")
    if coupled and dedupe:
        raise CrewError("--dedupe works on independent deals: leave it or --coupled out")
    effort = Effort(name, nodes, conflicts, time_limit)
    return described.experiment(tasks=numbers, deals=deals, seed=seed, effort=effort, dedupe=dedupe)
