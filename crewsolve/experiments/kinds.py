"""The kinds of experiments: one table, one interface; and how a worker runs a chunk of one.

A new kind is a module with a `Kind` and a row here. Its `run` is pure: the rows of an item depend on the
chunk's identity, cell and item number alone, never on which other items share the chunk.
"""

from __future__ import annotations

import importlib
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crewsolve.errors import CrewError, InternalBug, UnknownName
from crewsolve.experiments.description import Experiment, Json

if TYPE_CHECKING:
    from crewsolve.experiments.store import Store

KINDS: dict[str, str] = {  # name -> "module:Kind", imported on first use
    "sweep": "crewsolve.experiments.sweep:SWEEP",
    "arena": "crewsolve.agents.arena:ARENA",
    "thegame": "crewsolve.thegame.experiments:THEGAME",
    "thegame-winnable": "crewsolve.thegame.winnability.share:WINNABLE",
}


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one item: `value` is counted, `note` is kept; an unsettled item may be tried again."""

    number: int
    value: Json
    settled: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some items of one cell, with all that a worker anywhere needs to run them."""

    runner: str
    seed: int
    parameters: Mapping[str, Json]
    settings: Mapping[str, Json]
    cell: Mapping[str, Json]
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, experiment: Experiment, cell: Mapping[str, Json], numbers: Sequence[int]) -> Chunk:
        """A chunk of an experiment."""
        runner = runner_of(experiment.kind)
        return cls(runner, experiment.seed, experiment.parameters, experiment.settings, cell, tuple(numbers))

    def with_numbers(self, numbers: Sequence[int]) -> Chunk:
        """The same cell with other items."""
        return replace(self, numbers=tuple(numbers))


@dataclass(frozen=True)
class Kind:
    """One kind of experiment.

    `items` names what is counted in messages. `run` gives one row for each number of a chunk. `table` makes
    the rows of a report from a store. `twins`, where given, names each item of a chunk so that items with
    equal names are sure to have equal rows (an empty name: no twin): only one of them is run.
    """

    items: str
    run: Callable[[Chunk], list[Row]]
    table: Callable[[Store], list[dict[str, Json]]]
    twins: Callable[[Chunk], list[str]] | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """What a worker sends back: the rows and the seconds they took, or the words of an error."""

    rows: tuple[Row, ...] = ()
    seconds: float = 0.0
    mistake: str = ""
    bug: str = ""

    def check(self) -> Finished:
        """This result; raises here what went wrong there."""
        if self.mistake:
            raise CrewError(self.mistake)
        if self.bug:
            raise InternalBug(f"a worker failed:\n{self.bug}")
        return self


def runner_of(kind: str) -> str:
    """Where a kind is defined."""
    if kind not in KINDS:
        raise UnknownName("kind of experiment", kind, KINDS)
    return KINDS[kind]


def get_kind(kind: str) -> Kind:
    """The kind of that name."""
    return _load(runner_of(kind))


def _load(runner: str) -> Kind:
    module, _, attribute = runner.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, Kind)
    return found


def execute(chunk: Chunk) -> Finished:
    """Run a chunk; errors come back as words, because not every exception survives the way home."""
    started = time.perf_counter()
    try:
        rows = tuple(_load(chunk.runner).run(chunk))
        if tuple(row.number for row in rows) != chunk.numbers:
            raise InternalBug(f"{chunk.runner} gave rows of other items than it was asked for")
    except CrewError as error:
        return Finished(mistake=str(error) or type(error).__name__)
    except Exception:
        return Finished(bug=traceback.format_exc())
    return Finished(rows, time.perf_counter() - started)
