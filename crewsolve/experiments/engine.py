"""The engine: runs what a store lacks and puts every finished chunk into it at once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from crewsolve.experiments.description import Cell, Experiment
from crewsolve.experiments.executors import Executor, get_executor
from crewsolve.experiments.kinds import get_kind
from crewsolve.experiments.plan import Plan
from crewsolve.experiments.progress import show_progress
from crewsolve.experiments.store import Store, open_store


@dataclass(frozen=True)
class Run:
    """What a run did: items stored, items stored before it, whether Ctrl-C ended it early."""

    items: int
    before: int
    interrupted: bool = False


def run(
    experiment: Experiment,
    store: Store,
    *,
    executor: Executor | None = None,
    retry_unknown: bool = False,
    chunk: int | None = None,
    quiet: bool = False,
) -> Run:
    """Run everything that the store lacks; Ctrl-C ends it with all finished chunks stored.

    `chunk` fixes the number of items in a chunk, which by default adapts to about a second; neither it nor
    the executor has any influence on a result.
    """
    plan = Plan(experiment, store, retry=retry_unknown, chunk=chunk)
    executor = get_executor() if executor is None else executor
    store.begin(experiment, str(executor))
    lacking = plan.missing()
    before = experiment.items - sum(lacking.values())
    started, items = time.perf_counter(), 0
    noun = get_kind(experiment.kind).items
    try:
        with (
            executor,
            show_progress(
                items=noun, total=experiment.items, done=before, cells=lacking, quiet=quiet
            ) as progress,
        ):
            for piece, result in executor.map(plan.chunks()):
                rows = plan.finished(piece, result.check())
                elapsed = time.perf_counter() - started
                store.add(piece.cell, rows, elapsed=elapsed, busy=result.seconds)
                items += len(rows)
                progress.advance(Cell(piece.cell, 0).name, len(rows))
    except KeyboardInterrupt:
        # Ctrl-C may come between the storing of a chunk and its counting here: the store knows.
        return Run(store.end("interrupted"), before, interrupted=True)
    except BaseException:
        _end_quietly(store)
        raise
    store.end("complete")
    return Run(items, before)


def _end_quietly(store: Store) -> None:
    """Note the failure if the store still can be written; the first error is the one to show."""
    from contextlib import suppress

    from crewsolve.experiments.store_file import StoreError

    with suppress(StoreError):
        store.end("failed")


def run_in(
    path: Path | str | None,
    experiment: Experiment,
    *,
    executor: Executor | None = None,
    retry_unknown: bool = False,
    chunk: int | None = None,
    quiet: bool = False,
) -> Store:
    """Open the store of a file (None: in memory), run what it lacks and give it back open, to report from."""
    store = open_store(path, experiment)
    try:
        outcome = run(
            experiment, store, executor=executor, retry_unknown=retry_unknown, chunk=chunk, quiet=quiet
        )
        if outcome.interrupted:
            raise KeyboardInterrupt
    except BaseException:
        store.close()
        raise
    return store
