"""Commands on deals: make random ones, show them, write them in another format."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from crewsolve.cards import Deck
from crewsolve.cli.options import Reading, console, deals_argument, json_option, print_json, reading_options
from crewsolve.deal import LEADER_RULES, Deal, random_deals
from crewsolve.errors import CrewError
from crewsolve.notation import FORMATS, ONE_DEAL_FORMATS, Record, dumps, format_of_ending
from crewsolve.notation.fields import fields_of_deal
from crewsolve.rules import Rules


@click.command()
@click.option("--deck", default="4x9+4", show_default=True, help="SUITSxRANKS+ROCKETS.")
@click.option("--seats", type=click.IntRange(min=1), default=4, show_default=True, help="Number of seats.")
@click.option("--tasks", type=click.IntRange(min=0), default=5, show_default=True, help="Number of tasks.")
@click.option("--free", is_flag=True, help="Free tasks: the seats share them out in play.")
@click.option("--count", type=click.IntRange(min=0), default=1, show_default=True, help="Number of deals.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Any number from 0.")
@click.option("--start", type=click.IntRange(min=0), default=0, show_default=True, help="First number.")
@click.option(
    "--leader",
    type=click.Choice(LEADER_RULES),
    help="Who leads: the holder of the highest rocket (default), seat 0, or drawn (default without rockets).",
)
@click.option("--rules", default="", metavar="NAMES", help="House rules, such as trumps_anytime.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="line", show_default=True)
def deal(
    deck: str,
    seats: int,
    tasks: int,
    free: bool,
    count: int,
    seed: int,
    start: int,
    leader: str | None,
    rules: str,
    format_: str,
) -> None:
    """Print uniform random deals, the same for a seed on every machine.

    Deal number i of a seed does not depend on how many are asked for; it is named SEED-i.
    """
    if format_ in ONE_DEAL_FORMATS and count != 1:
        raise click.UsageError(f"{format_} holds one deal to a file: use --format line or json for {count}")
    try:
        made = random_deals(
            Deck.parse(deck), seats=seats, tasks=tasks, free=free, leader=leader, rules=Rules.parse(rules),
            seed=seed, start=start, count=count,
        )  # fmt: skip
        for one in made:
            click.echo(dumps(one, format=format_), nl=False)
    except CrewError as error:
        raise click.UsageError(str(error)) from error


@click.command()
@deals_argument
@reading_options()
@json_option
def show(files: tuple[str, ...], reading: Reading, as_json: bool) -> None:
    """Show deals: hands by suit, task cards marked, who leads and who must win what."""
    screen = None if as_json else console()
    good = _GoodDeals(reading.records(files), as_json=as_json)
    for number, record in enumerate(good):
        if screen is None:
            print_json({"name": record.name, **fields_of_deal(record.get())})
            continue
        from crewsolve.cli.pictures import deal_picture

        if number:
            screen.print()
        screen.print(deal_picture(record.get(), title=record.name))
    good.exit()


@click.command()
@deals_argument
@click.option("--to", type=click.Choice(FORMATS), help="Format to write; default: by the ending of OUT.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@reading_options()
def convert(files: tuple[str, ...], to: str | None, output: Path | None, reading: Reading) -> None:
    """Write deals in another format."""
    target = to or (format_of_ending(output) if output else None)
    if target is None:
        raise click.UsageError(
            "say the format with --to, or end the name of OUT in .toml, .game, .json or .deals"
        )
    good = _GoodDeals(reading.records(files))
    texts = _written((record.get() for record in good), target)
    if output is None:
        for text in texts:
            click.echo(text, nl=False)
    else:
        _replace(output, texts)
    good.exit()


class _GoodDeals:
    """The good records of a scan; bad ones are told as they come and make the command exit with 1."""

    def __init__(self, records: Iterable[Record], *, as_json: bool = False) -> None:
        self._records = records
        self._as_json = as_json
        self._bad = 0

    def __iter__(self) -> Iterator[Record]:
        for record in self._records:
            if record.error is None:
                yield record
                continue
            self._bad += 1
            if self._as_json:
                print_json(record.error_json())
            else:
                click.echo(f"Error: {record.error}", err=True)

    def exit(self) -> None:
        """End with the exit code of bad data if there was any."""
        if self._bad:
            click.get_current_context().exit(1)


def _written(deals: Iterable[Deal], format: str) -> Iterator[str]:
    for number, one in enumerate(deals, 1):
        if format in ONE_DEAL_FORMATS and number > 1:
            raise click.UsageError(f"{format} holds one deal to a file: use --to line or json for several")
        yield dumps(one, format=format)


def _replace(output: Path, texts: Iterable[str]) -> None:
    """Write a file whole or not at all, so that a mistake half-way leaves the old one."""
    try:
        handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.writelines(texts)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
            os.replace(name, output)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise click.FileError(str(output), hint=error.strerror or "cannot be written") from error
