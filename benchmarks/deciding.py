"""Times of the methods and of the published way on the deals of a cell."""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from statistics import fmean
from typing import Any

from benchmarks.plan import AUTO, BATCH, KISSAT, PUBLISHED, Cell, Plan
from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.encodings import METHODS, Limits, get_method
from crewsolve.encodings.formula import OutOfTime
from crewsolve.errors import TooLarge
from crewsolve.position import Position
from crewsolve.result import Verdict


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
    cell: Cell, plan: Plan, *, best: str, advance: Callable[[], None] = lambda: None
) -> dict[str, list[dict[str, Any]]]:
    """Method -> one timing for each deal; the methods take turns, so that noise hits all of them."""
    solvers = list(dict.fromkeys((best, KISSAT)))
    methods = available((*plan.methods, *plan.few))
    names = [
        *([BATCH] if AUTO in methods else []),
        *methods,
        *(f"{PUBLISHED} {solver}" for solver in solvers),
    ]
    timings: Timings = {name: [] for name in names}
    for index, deal in enumerate(deals_of(cell, plan, plan.deals_for(cell))):
        few = index < plan.yardstick
        for name in methods:
            if (few or name in plan.methods) and _spent(timings[name]) < plan.patience:
                timings[name].append(time_method(name, deal, plan.limit))
                if name == AUTO:
                    timings[BATCH].append(time_batch(deal, timings[AUTO][-1]))
        if few and _spent(timings[f"{PUBLISHED} {best}"]) < plan.patience:
            for solver, timing in time_published(deal, solvers, plan.limit).items():
                timings[f"{PUBLISHED} {solver}"].append(timing)
            gc.collect()  # the clauses of the yardstick are not to be swept up at the others' cost
        _check(deal, [found[index] for found in timings.values() if index < len(found)])
        advance()
    return {name: [asdict(timing) for timing in found] for name, found in timings.items()}


def _spent(timings: list[Timing]) -> float:
    """The seconds spent without an answer; who has lost patience is asked no more deals of the cell."""
    return sum(timing.whole for timing in timings if not timing.decided)


def available(methods: Iterable[str]) -> list[str]:
    """The methods of the plan that the table knows."""
    return [name for name in methods if name in METHODS]


def _check(deal: Deal, timings: list[Timing]) -> None:
    verdicts = {timing.verdict for timing in timings if timing.decided}
    if len(verdicts) > 1:
        raise Disagreement(f"both {' and '.join(sorted(verdicts))}: {deal}")


def time_method(name: str, deal: Deal, limit: float) -> Timing:
    """All of a method, from the position to its answer."""
    method, position = get_method(name), Position.of(deal)
    started = time.process_time()
    answer = method.solve(position, Limits.within(limit))
    seconds = time.process_time() - started
    if answer.verdict is Verdict.UNKNOWN:
        seconds = max(seconds, limit)  # the limit is by the clock; a busy machine gives less CPU time
    return Timing(str(answer.verdict), answer.decided_by, seconds)


def time_batch(deal: Deal, single: Timing) -> Timing:
    """The deal as an array, the way a long stream of deals is decided; where `auto` met its limit, that."""
    from crewsolve.encodings.batch import Batch
    from crewsolve.solving.batches import decide_many

    if not single.decided:
        return single
    batch = Batch.of([deal])
    started = time.process_time()
    (decided,) = decide_many(batch)
    return Timing(str(decided.verdict), decided.stage, time.process_time() - started)


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
