"""Times of the methods and of the published way on the deals of a cell."""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing.connection import Connection
from statistics import fmean
from typing import Any

from benchmarks.plan import AUTO, BATCH, KISSAT, PUBLISHED, STREAM, Cell, Plan
from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.encodings import METHODS, Limits, get_method
from crewsolve.encodings.formula import OutOfTime
from crewsolve.errors import TooLarge
from crewsolve.position import Position
from crewsolve.result import Result, Verdict


@dataclass(frozen=True, slots=True)
class Timing:
    """One decision: seconds for building clauses, for reading them into the solver, and for the rest."""

    verdict: str
    stage: str
    solving: float
    building: float = 0.0
    loading: float = 0.0

    @property
    def whole(self) -> float:
        """Everything from the deal to the answer."""
        return self.building + self.loading + self.solving

    @property
    def decided(self) -> bool:
        """Whether there was an answer within the limit."""
        return self.verdict != str(Verdict.UNKNOWN)


Timings = dict[str, list[Timing]]
"""Method -> its timings, deal by deal."""


class Disagreement(AssertionError):
    """Two methods gave different verdicts: a bug, named with the deal."""


def deals_of(cell: Cell, plan: Plan, count: int) -> Iterator[Deal]:
    """The first deals of a cell."""
    for index in range(count):
        yield random_deal(
            Deck.parse(cell.deck), seats=cell.seats, tasks=cell.tasks, free=cell.free, key=(plan.seed, index)
        )


def measure_cell(
    cell: Cell, plan: Plan, *, best: str, advance: Callable[[int], None] = lambda count: None
) -> dict[str, list[dict[str, Any]]]:
    """Method -> one timing for each deal it was given.

    Method after method, the published way last: its clauses and its child processes would leave the others
    cold caches. `advance` is told how many deals a method has been given.
    """
    counts = plan.counts(cell)
    deals = list(deals_of(cell, plan, max(counts.values())))
    timings: Timings = {}
    for name in available(counts):
        timings[name] = [
            *_patiently(deals[: counts[name]], partial(time_method, name, limit=plan.limit), plan)
        ]
        if name == AUTO:
            both = list(zip(deals, timings[AUTO], strict=False))
            timings[BATCH] = [time_batch(deal, single) for deal, single in both]
            timings[STREAM] = [time_stream(deal, single) for deal, single in both]
        advance(counts[name])
    timings |= _time_yardstick(deals[: counts[PUBLISHED]], dict.fromkeys((best, KISSAT)), plan)
    advance(counts[PUBLISHED])
    gc.collect()
    for index, deal in enumerate(deals):
        _check(deal, [found[index] for found in timings.values() if index < len(found)])
    return {name: [asdict(timing) for timing in found] for name, found in timings.items()}


def _patiently(deals: Iterable[Deal], ask: Callable[[Deal], Timing], plan: Plan) -> Iterator[Timing]:
    """The timings until `ask` has spent all patience on deals without an answer."""
    spent = 0.0
    for deal in deals:
        if spent >= plan.patience:
            return
        timing = ask(deal)
        spent += 0.0 if timing.decided else timing.whole
        yield timing


def _time_yardstick(deals: Iterable[Deal], solvers: Iterable[str], plan: Plan) -> Timings:
    """The published way with each solver, as long as there is patience for the first of them."""
    found: Timings = {f"{PUBLISHED} {solver}": [] for solver in solvers}

    def ask(deal: Deal) -> Timing:
        timings = time_published(deal, solvers, plan.limit)
        for solver, timing in timings.items():
            found[f"{PUBLISHED} {solver}"].append(timing)
        return next(iter(timings.values()))

    for _ in _patiently(deals, ask, plan):
        pass
    return found


def available(methods: Iterable[str]) -> list[str]:
    """The methods of the plan that the table knows, without the yardstick."""
    return [name for name in methods if name in METHODS and name != PUBLISHED]


def _check(deal: Deal, timings: list[Timing]) -> None:
    verdicts = {timing.verdict for timing in timings if timing.decided}
    if len(verdicts) > 1:
        raise Disagreement(f"both {' and '.join(sorted(verdicts))}: {deal}")


def time_method(name: str, deal: Deal, *, limit: float) -> Timing:
    """All of a method, from the position to its answer."""
    method, position = get_method(name), Position.of(deal)
    started = time.process_time()
    answer = method.solve(position, Limits.within(limit))
    seconds = time.process_time() - started
    if answer.verdict is Verdict.UNKNOWN:
        seconds = max(seconds, limit)  # the limit is by the clock; a busy machine gives less CPU time
    return Timing(str(answer.verdict), answer.decided_by, seconds)


def time_batch(deal: Deal, single: Timing) -> Timing:
    """The verdict on the deal as an array of one, as in a sweep; where `auto` met its limit, that."""
    from crewsolve.encodings.batch import Batch
    from crewsolve.solving.batches import decide_many

    if not single.decided:
        return single
    batch = Batch.of([deal])
    started = time.process_time()
    (decided,) = decide_many(batch)
    return Timing(str(decided.verdict), decided.stage, time.process_time() - started)


def time_stream(deal: Deal, single: Timing) -> Timing:
    """The result of the deal as a chunk of one, with line and reason; where `auto` met its limit, that."""
    from crewsolve.solving.many import Options, solve_chunk

    if not single.decided:
        return single
    started = time.process_time()
    (result,) = solve_chunk([deal], options=Options(AUTO))
    seconds = time.process_time() - started
    assert isinstance(result, Result)
    return Timing(str(result.verdict), result.decided_by, seconds)


def time_published(deal: Deal, solvers: Iterable[str], limit: float) -> dict[str, Timing]:
    """The published formula, built once, with each of the solvers."""
    method, position = get_method(PUBLISHED), Position.of(deal)
    started = time.process_time()
    try:
        clauses = method.facts(position, Limits.within(limit)).formula.clauses  # type: ignore[attr-defined]
    except TooLarge:
        return {solver: Timing(str(Verdict.UNKNOWN), "too large", limit) for solver in solvers}
    except OutOfTime:
        return {solver: Timing(str(Verdict.UNKNOWN), "limit", limit) for solver in solvers}
    building = time.process_time() - started
    return {solver: _time_solver(clauses, solver, limit, building) for solver in solvers}


def _time_solver(clauses: list[list[int]], solver: str, limit: float, building: float) -> Timing:
    """A solver in a child process that is ended at the limit."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_solve, args=(theirs, clauses, solver))
    child.start()
    theirs.close()
    try:
        if not ours.poll(limit):
            return Timing(str(Verdict.UNKNOWN), "limit", limit, building)
        verdict, loading, solving = ours.recv()
        return Timing(verdict, "sat", solving, building, loading)
    except EOFError:
        return Timing(str(Verdict.UNKNOWN), "crash", limit, building)
    finally:
        child.kill()
        child.join()
        ours.close()


def _solve(answer: Connection, clauses: list[list[int]], solver: str) -> None:
    from pysat.solvers import Solver

    started = time.process_time()
    running = Solver(name=solver, bootstrap_with=clauses)
    loaded = time.process_time()
    verdict = Verdict.WINNABLE if running.solve() else Verdict.UNWINNABLE
    answer.send((str(verdict), loaded - started, time.process_time() - loaded))


def quickest(cell: Cell, plan: Plan, solvers: Iterable[str]) -> tuple[str, dict[str, float]]:
    """The solver with the least mean solving time on the published formula, and all the means."""
    solvers = tuple(solvers)
    seconds = [time_published(deal, solvers, plan.limit) for deal in deals_of(cell, plan, plan.trial)]
    means = {solver: fmean(timing[solver].solving for timing in seconds) for solver in solvers}
    return min(means, key=lambda solver: means[solver]), means
