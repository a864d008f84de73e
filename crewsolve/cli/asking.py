"""What the commands that decide deals share: which method, which SAT solver, how long; and talk meanwhile."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypedDict, TypeVar

import click

from crewsolve.cli.options import console
from crewsolve.encodings import METHODS, get_method
from crewsolve.errors import CrewError, UnknownName

F = TypeVar("F", bound=Callable[..., Any])

QUIET_SECONDS = 2.0
"""How long a command works before it says so."""


class Asking(TypedDict):
    """The arguments of `solve` and its kin that say how to decide."""

    method: str | None
    sat: str | None
    time_limit: float | None


def known_method(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    """Refuse a method that is not in the table."""
    if name is not None and name not in METHODS:
        raise click.BadParameter(str(UnknownName("method", name, METHODS)))
    return name


def _known_solver(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None:
        from crewsolve.encodings.solvers import get_solver

        try:
            get_solver(name)
        except UnknownName as error:
            raise click.BadParameter(str(error)) from error
    return name


METHOD = click.option(
    "--method",
    callback=known_method,
    metavar="NAME",
    help="How to decide; `crewsolve methods` lists the ways.",
)
SAT = click.option(
    "--sat", callback=_known_solver, metavar="NAME", help="SAT solver of a method that uses one."
)


def asking_options(limited: str) -> Callable[[F], F]:
    """Give a command --method, --sat and --time-limit, gathered as `asking`; `limited` ends in time."""
    limit = click.option(
        "--time-limit",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help=f"Time for {limited}; then unknown.",
    )

    def decorate(command: F) -> F:
        @wraps(command)
        def gathered(
            *args: Any, method: str | None, sat: str | None, time_limit: float | None, **kwargs: Any
        ) -> Any:
            if sat is not None:
                _check_together(method, sat)
            return command(*args, asking=Asking(method=method, sat=sat, time_limit=time_limit), **kwargs)

        wrapped: Any = METHOD(SAT(limit(gathered)))
        return wrapped

    return decorate


def _check_together(method: str | None, sat: str) -> None:
    try:
        get_method(method or next(iter(METHODS)), sat=sat)
    except CrewError as error:
        raise click.UsageError(str(error)) from error


@contextmanager
def talking(what: str) -> Iterator[Callable[[str], None]]:
    """Say on a terminal's stderr what is being done, once it takes more than two seconds; gone at the end.

    The block gets a function that says something newer.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.status import Status

    status = Status(what, console=console(stderr=True))
    timer = threading.Timer(QUIET_SECONDS, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda text: status.update(f"{what}: {text}")
    finally:
        timer.cancel()
        timer.join()
        status.stop()
