"""Executors: interchangeable ways to run chunks; one table, one interface, equal results.

An executor pulls chunks as its workers come free and yields them with their results in whatever order they
finish. It owns its workers: leaving the `with` block ends them, whatever the reason.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Protocol

from crewsolve.errors import CrewError, UnknownName
from crewsolve.experiments.kinds import Chunk, Finished, execute

EXECUTORS: dict[str, str] = {  # name -> "module:factory", imported on first use
    "in-process": "crewsolve.experiments.executors:InProcess",
    "processes": "crewsolve.experiments.processes:Processes",
    "dask": "crewsolve.experiments.cluster:Cluster",
}

MAX_ATTEMPTS = 3
"""How many workers may die on a chunk before the run gives up on it."""


class Executor(Protocol):
    """One way to run chunks."""

    def __enter__(self) -> Executor: ...
    def __exit__(self, *exc: object) -> None: ...

    def map(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Finished]]:
        """Run every chunk, pulling the next one when a worker is free."""
        ...

    def __str__(self) -> str:
        """What ran where, for the history."""
        ...


class InProcess:
    """The calling process does all the work."""

    def __init__(self, *, workers: int | None = None, address: str | None = None) -> None:
        del workers, address  # there is nothing to choose

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def map(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Finished]]:
        """Run one chunk after the other."""
        for chunk in chunks:
            yield chunk, execute(chunk)

    def __str__(self) -> str:
        return "in-process"


def get_executor(
    name: str | None = None, *, workers: int | None = None, address: str | None = None
) -> Executor:
    """The executor of that name; by default as many processes as cores, the calling one where that is one."""
    if name is None:
        workers = usable_cores() if workers is None else workers
        name = "dask" if address is not None else "in-process" if workers == 1 else "processes"
    if name not in EXECUTORS:
        raise UnknownName("executor", name, EXECUTORS)
    if workers is not None and workers < 1:
        raise CrewError(f"{workers} workers: at least one is needed")
    module, _, attribute = EXECUTORS[name].partition(":")
    factory = getattr(importlib.import_module(module), attribute)
    executor: Executor = factory(workers=workers, address=address)
    return executor


def usable_cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gave_up(chunk: Chunk) -> CrewError:
    """The error of a chunk that keeps killing its workers."""
    first, last = chunk.numbers[0], chunk.numbers[-1]
    return CrewError(
        f"{MAX_ATTEMPTS} workers died on items {first} to {last} of cell {dict(chunk.cell)} "
        "(out of memory?); what was finished is stored: "
        "give fewer workers or more memory and run the same command again"
    )
