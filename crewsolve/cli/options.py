"""What the commands share: reading deals from files or stdin, JSON answers, consoles."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from crewsolve.deal import Deal
from crewsolve.errors import BadFile, CrewError
from crewsolve.notation import FORMATS, Record, only, scan

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Reading:
    """How a command reads its deals: the options of `reading_options`, gathered."""

    format: str | None = None
    base: int | None = None
    complete: bool = False
    played: str = ""
    free: bool = False

    def records(self, files: Iterable[str]) -> Iterator[Record]:
        """The deals of all files in order, as they come; a bad one is a record with its error."""
        for file in _one_stdin(files):
            for record in scan(file, format=self.format, base=self.base, complete=self.complete):
                yield self._prepared(record)

    def deals(self, files: Iterable[str]) -> Iterator[Deal]:
        """The deals of all files; the first bad one raises."""
        for record in self.records(files):
            yield record.get()

    def one(self, file: str) -> Deal:
        """The one deal of a file; a second is a mistake."""
        return self.record(file).get()

    def record(self, file: str) -> Record:
        """The one deal of a file with its place, which names it where it has no name."""
        return only(self.records([file]))

    def _prepared(self, record: Record) -> Record:
        if record.deal is None or not (self.free or self.played):
            return record
        from crewsolve.position import Position

        try:
            deal = record.deal.freed() if self.free else record.deal
            words = self.played.replace("|", " ").replace(",", " ").split()
            deal = deal.after(*(deal.deck.parse_card(word) for word in words))
            Position.of(deal)
        except CrewError as error:
            placed = BadFile(f"--played: {error}", file=record.file, line=record.line)
            return replace(record, deal=None, error=placed)
        return replace(record, deal=deal)


def _one_stdin(files: Iterable[str]) -> Iterator[str]:
    seen = False
    for file in files:
        if file == "-" and seen:
            raise click.UsageError("stdin (-) can be read only once")
        seen = seen or file == "-"
        yield file


_FORMAT = click.option(
    "--format", "format_", type=click.Choice(FORMATS), help="Format of the deals, if not found by content."
)
_BASE = click.option(
    "--base", type=click.Choice(["0", "1"]), help="Lowest card value in .game files, if not found by content."
)
_COMPLETE = click.option("--complete", is_flag=True, help="Refuse deals that leave out a card of their deck.")
_PLAYED = click.option(
    "--played", default="", metavar="CARDS", help="Cards played after those the deal says, like 'R4 B1'."
)
_FREE = click.option("--free", is_flag=True, help="Make fixed tasks free: each seat wins as many as it had.")


def reading_options(*, played: bool = True, free: bool = True) -> Callable[[F], F]:
    """Give a command the options that say how deals are read, gathered as its argument `reading`."""
    chosen = [_FORMAT, _BASE, _COMPLETE, *([_PLAYED] if played else []), *([_FREE] if free else [])]

    def decorate(command: F) -> F:
        @wraps(command)
        def gathered(
            *args: Any,
            format_: str | None,
            base: str | None,
            complete: bool,
            played: str = "",
            free: bool = False,
            **kwargs: Any,
        ) -> Any:
            reading = Reading(format_, None if base is None else int(base), complete, played, free)
            return command(*args, reading=reading, **kwargs)

        wrapped: Any = gathered
        for option in reversed(chosen):
            wrapped = option(wrapped)
        return wrapped

    return decorate


deal_argument = click.argument("file", metavar="FILE")
"""One file with one deal; `-` is stdin."""

deals_argument = click.argument("files", metavar="FILE...", nargs=-1, required=True)
"""Any number of files with any number of deals; `-` is stdin."""

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object to a line.")


def print_json(value: Any) -> None:
    """Print one JSON object on one line of stdout."""
    click.echo(json.dumps(value, ensure_ascii=False))


def console(*, stderr: bool = False) -> Console:
    """A rich console that writes colours only where somebody sees them."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def tracked(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, with a progress bar on stderr once they take more than two seconds."""
    started = time.monotonic()
    bar, task = None, None
    try:
        for number, item in enumerate(items):
            if bar is None and time.monotonic() - started > 2 and sys.stderr.isatty():
                from rich.progress import Progress

                bar = Progress(console=console(stderr=True), transient=True)
                bar.start()
                task = bar.add_task(what, total=len(items))
            if bar is not None and task is not None:
                bar.update(task, completed=number)
            yield item
    finally:
        if bar is not None:
            bar.stop()
