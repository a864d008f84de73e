"""Deciding a stream of deals: one outcome for each, in order, a bad deal reported in its place."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.encodings.auto import Auto, kernels_pay
from crewsolve.errors import BadFile, CrewError
from crewsolve.notation import Record
from crewsolve.result import Result
from crewsolve.solving.batches import Screened, result_of, screen
from crewsolve.solving.chunks import Chunks
from crewsolve.solving.deciding import decide, default_method


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

    def limits(self) -> Limits:
        """The limits of a deal that is asked now."""
        return Limits.within(self.time_limit, nodes=self.nodes, conflicts=self.conflicts)


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

    Deals are read in chunks that grow, from a single one, while reading and screening a chunk is quick. By
    `auto` without a time limit, a chunk goes through the kernel as arrays: its wins are replayed by the
    simulator's compiled twin instead of the simulator, and `seconds` is an equal share of the time. A deal
    that the kernel leaves open is asked when its turn comes, so it keeps only those behind it waiting.

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
        return _solve_here(Chunks(deals), options)
    from crewsolve.solving.workers import Workers

    pool = Workers(partial(solve_chunk, options=options), count=workers, given_up=_given_up)
    return pool.map(deals)


def _check_names(options: Options) -> None:
    """Refuse a wrong name before the first deal, rather than every deal because of it."""
    get_method(options.method, sat=options.sat)
    if options.sat is not None:
        from crewsolve.encodings.solvers import get_solver

        get_solver(options.sat)


def _solve_here(chunks: Chunks[Deal | Record], options: Options) -> Iterator[Result | Refusal]:
    """Chunk after chunk in this process; their size follows the time to the first outcome."""
    started = time.perf_counter()
    while chunk := chunks.take():
        for number, outcome in enumerate(solve_chunk(chunk, options=options)):
            if number == 0:
                chunks.learn(len(chunk), time.perf_counter() - started)
            yield outcome
        started = time.perf_counter()


def solve_chunk(asked: Sequence[Deal | Record], *, options: Options) -> Iterator[Result | Refusal]:
    """One outcome for each deal, in order: the unit of work of a stream."""
    method = get_method(options.method, sat=options.sat)
    deals = [_read(one, options) for one in asked]
    found = iter(_screened([deal for deal in deals if isinstance(deal, Deal)], method, options))
    for one, deal in zip(asked, deals, strict=True):
        yield deal if isinstance(deal, Refusal) else _outcome(one, deal, method, options, next(found))


def _read(asked: Deal | Record, options: Options) -> Deal | Refusal:
    """The deal as it is to be decided."""
    try:
        deal = asked if isinstance(asked, Deal) else asked.get()
        deal = deal.freed() if options.free else deal
        return deal.after(*options.played) if options.played else deal
    except CrewError as error:
        return refusal(asked, error)


def _screened(deals: Sequence[Deal], method: Method, options: Options) -> Sequence[Screened | None]:
    """What the kernel finds of the deals; nothing where another method, the clock or the start forbids it."""
    limits = options.limits()
    if isinstance(method, Auto) and limits.deadline is None:
        if kernels_pay("batch", limits, positions=len(deals)):
            return screen(deals, limits)
    return [None] * len(deals)


def _outcome(
    asked: Deal | Record, deal: Deal, method: Method, options: Options, found: Screened | None
) -> Result | Refusal:
    try:
        if isinstance(method, Auto):
            return result_of(deal, method, options.limits(), found)
        return decide(deal, method, limits=options.limits())
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
