"""Experiments: seeded, parallel, resumable; sweeps over random deals and, built on the same engine, others.

An `Experiment` describes what to run; its cells are independent; an executor runs them chunk by chunk; every
finished chunk goes at once into a `Store`; reports read only the store.
"""

from __future__ import annotations

from crewsolve.experiments.description import Cell, Experiment, parse_numbers
from crewsolve.experiments.engine import Run, run, run_in
from crewsolve.experiments.executors import EXECUTORS, get_executor
from crewsolve.experiments.kinds import KINDS, Chunk, Kind, Row, get_kind
from crewsolve.experiments.store import Store, open_store, read_store
from crewsolve.experiments.store_file import StoreError

__all__ = [
    "EXECUTORS",
    "KINDS",
    "Cell",
    "Chunk",
    "Experiment",
    "Kind",
    "Row",
    "Run",
    "Store",
    "StoreError",
    "get_executor",
    "get_kind",
    "open_store",
    "parse_numbers",
    "read_store",
    "run",
    "run_in",
]
