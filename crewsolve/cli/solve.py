"""`crewsolve solve`: the verdict on deals, with the line or the proof."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from crewsolve.cli.asking import Asking, asking_options, talking
from crewsolve.cli.options import (
    Reading,
    console,
    deals_argument,
    json_option,
    print_json,
    reading_options,
)
from crewsolve.errors import CrewError
from crewsolve.notation import Record
from crewsolve.result import Result, Verdict

if TYPE_CHECKING:
    from rich.text import Text

    from crewsolve.solving import Refusal

BAD_DATA = 1
"""The exit code when a deal was bad."""

VERDICT_STYLES = {
    Verdict.WINNABLE: "bold green",
    Verdict.UNWINNABLE: "bold red",
    Verdict.UNKNOWN: "bold yellow",
}


@click.command()
@deals_argument
@asking_options("each deal")
@click.option(
    "--proof", metavar="X", help="Prove a loss by SAT: formula to X.cnf, checked proof to X.drat (one deal)."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that share the deals.",
)
@reading_options()
@json_option
@click.option("--exit-code", is_flag=True, help="Exit with 10 winnable, 20 unwinnable, 0 unknown (one deal).")
@click.pass_context
def solve(
    ctx: click.Context,
    files: tuple[str, ...],
    asking: Asking,
    proof: str | None,
    workers: int,
    reading: Reading,
    as_json: bool,
    exit_code: bool,
) -> None:
    """Decide deals: can they be won, by which line, and who wins which task?

    FILE may hold many deals; `-` is stdin. Every line shown has been replayed by the simulator. A bad deal
    is reported in its place and does not stop the others.
    """
    records = reading.records(files)
    if exit_code or proof is not None:
        records = iter([_only(records, "--exit-code" if exit_code else "--proof")])
    bad, last = False, None
    for record, outcome in _outcomes(records, asking, proof, workers):
        last = outcome if isinstance(outcome, Result) else None
        bad = bad or last is None
        if as_json:
            print_json(
                outcome.to_json(name=record.name) if isinstance(outcome, Result) else outcome.to_json()
            )
        elif isinstance(outcome, Result):
            _print_result(record.name, outcome, proof)
        else:
            click.echo(f"Error: {outcome.error}", err=True)
    if bad:
        ctx.exit(BAD_DATA)
    if exit_code and last is not None:
        ctx.exit(last.verdict.value)


def _only(records: Iterator[Record], option: str) -> Record:
    """The one record there is; refused before anything is decided where there are more."""
    first, *more = itertools.islice(records, 2)
    if more:
        raise click.UsageError(
            f"{option} is for one deal, but there are more: {first.name}, {more[0].name}, …"
        )
    return first


def _outcomes(
    records: Iterator[Record], asking: Asking, proof: str | None, workers: int
) -> Iterator[tuple[Record, Result | Refusal]]:
    """Each record with what becomes of it, as soon as it is known."""
    from crewsolve.solving import solve_many

    records, asked = itertools.tee(records)
    if proof is None:
        outcomes = solve_many(asked, workers=workers, **asking)
    else:
        outcomes = (_proved(record, asking, proof) for record in asked)
    for record in records:
        with talking(f"deciding {record.name}"):
            outcome = next(outcomes)
        yield record, outcome


def _proved(record: Record, asking: Asking, proof: str) -> Result | Refusal:
    from crewsolve.solving import refusal
    from crewsolve.solving import solve as solve_deal

    try:
        return solve_deal(record.get(), proof=proof, **asking)
    except CrewError as error:
        return refusal(record, error)


def _print_result(name: str, result: Result, proof: str | None) -> None:
    from rich.text import Text

    from crewsolve.cli.pictures import tricks_picture
    from crewsolve.simulator import replay

    screen = console()
    head = Text(f"{name}: ", style="bold") + Text(str(result.verdict), style=VERDICT_STYLES[result.verdict])
    screen.print(
        head + Text(f" ({result.method}, decided by {result.decided_by})", style="not bold"), soft_wrap=True
    )
    if result.reason:
        screen.print(Text(result.reason), soft_wrap=True)
    if result.proof == "checked":
        screen.print(Text(f"proof: checked, in {proof}.cnf and {proof}.drat"), soft_wrap=True)
    elif proof is not None and result.verdict is Verdict.UNWINNABLE:
        screen.print(Text("proof: none within the limit"), soft_wrap=True)
    if result.playout is not None:
        screen.print(tricks_picture(replay(result.deal, result.playout).position))
        screen.print(_who_wins_what(result), soft_wrap=True)


def _who_wins_what(result: Result) -> Text:
    """For every seat the tasks it wins in the line."""
    from rich.text import Text

    from crewsolve.cli.pictures import cards_text, seat_labels

    parts = []
    for seat, label in enumerate(seat_labels(result.deal)):
        won = [card for card, winner in result.tasks.items() if winner == seat]
        if won:
            parts.append(Text(f"{label} wins ") + cards_text(won))
    return Text("; ").join(parts) if parts else Text("there is no task")
