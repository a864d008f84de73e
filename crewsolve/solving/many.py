"""Deciding a stream of deals: one outcome for each, in order, a bad deal reported in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import get_method
from crewsolve.errors import BadFile, CrewError
from crewsolve.notation import Record
from crewsolve.result import Result
from crewsolve.solving.deciding import default_method, solve


@dataclass(frozen=True, slots=True)
class Refusal:
    """What takes the place of a result where a deal is bad or cannot be decided as asked."""

    name: str
    error: str
    file: str | None = None
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The object that `solve --json` prints in the deal's place."""
        return {"name": self.name, "error": self.error, "file": self.file, "line": self.line}


@dataclass(frozen=True, slots=True)
class Options:
    """What `solve` is asked for every deal of a stream."""

    method: str
    sat: str | None = None
    time_limit: float | None = None
    nodes: int | None = None
    conflicts: int | None = None
    free: bool = False
    played: tuple[Card, ...] = ()


def solve_many(
    deals: Iterable[Deal | Record],
    *,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    nodes: int | None = None,
    conflicts: int | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
    workers: int = 1,
) -> Iterator[Result | Refusal]:
    """Decide every deal of a stream, as `solve` does, in order and however long the stream is.

    `time_limit` is for each deal. Deals may be records of `notation.scan`; what cannot be read or decided
    becomes a `Refusal`, and the rest goes on. With several `workers`, processes share the work and end
    with the iterator; answers then lag behind the deals read.

    >>> from crewsolve.deal import random_deals
    >>> from crewsolve.cards import Deck
    >>> deals = random_deals(Deck.parse("2x3+2"), seats=3, tasks=1, seed=1, count=4)
    >>> [str(result.verdict) for result in solve_many(deals) if isinstance(result, Result)]
    ['winnable', 'winnable', 'unwinnable', 'winnable']
    """
    options = Options(
        default_method() if method is None else method,
        sat, time_limit, nodes, conflicts, free, tuple(played),
    )  # fmt: skip
    if workers < 1:
        raise CrewError(f"{workers} workers: there must be at least one")
    _check_names(options)
    if workers == 1:
        return (outcome for deal in deals for outcome in solve_chunk([deal], options=options))
    from crewsolve.solving.workers import Workers

    pool = Workers(partial(solve_chunk, options=options), count=workers, given_up=_given_up)
    return pool.map(deals)


def _check_names(options: Options) -> None:
    """Refuse a wrong name before the first deal, rather than every deal because of it."""
    get_method(options.method, sat=options.sat)
    if options.sat is not None:
        from crewsolve.encodings.solvers import get_solver

        get_solver(options.sat)


def solve_chunk(deals: Sequence[Deal | Record], *, options: Options) -> list[Result | Refusal]:
    """One outcome for each deal: the unit of work of a stream."""
    return [_outcome(deal, options) for deal in deals]


def _outcome(asked: Deal | Record, options: Options) -> Result | Refusal:
    try:
        return solve(
            asked if isinstance(asked, Deal) else asked.get(),
            method=options.method, sat=options.sat, time_limit=options.time_limit,
            nodes=options.nodes, conflicts=options.conflicts, free=options.free, played=options.played,
        )  # fmt: skip
    except CrewError as error:
        return refusal(asked, error)


def refusal(asked: Deal | Record, error: CrewError) -> Refusal:
    """The refusal of a deal or record for that reason."""
    if isinstance(asked, Deal):
        return Refusal(asked.name, str(error))
    if not isinstance(error, BadFile):
        error = BadFile(str(error), file=asked.file, line=asked.line)
    return Refusal(asked.name, str(error), asked.file, asked.line)


def _given_up(asked: Deal | Record, way: str) -> Refusal:
    reason = f"the process deciding this deal ended twice ({way}): is there memory enough?"
    return refusal(asked, CrewError(reason))
