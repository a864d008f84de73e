"""Deciding many deals within budgets: the one place where experiments ask the solvers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from crewsolve.deal import Deal
from crewsolve.experiments.description import Json
from crewsolve.result import Verdict
from crewsolve.solving import solve


@dataclass(frozen=True, slots=True)
class Effort:
    """How a deal is decided: the method and its budgets for one deal; None is without limit.

    Nodes and conflicts give the same verdicts on every machine. `time_limit` is in seconds and does not.
    """

    method: str
    nodes: int | None = None
    conflicts: int | None = None
    time_limit: float | None = None

    @classmethod
    def of(cls, settings: Mapping[str, Json]) -> Effort:
        """The effort that an experiment's settings ask for."""
        return cls(*(settings.get(name) for name in cls.__slots__))  # type: ignore[arg-type]

    def settings(self) -> dict[str, Json]:
        """As settings of an experiment; limits that are not set are left out."""
        pairs = ((name, getattr(self, name)) for name in self.__slots__)
        return {name: value for name, value in pairs if value is not None}


def decide(deals: Iterable[Deal], effort: Effort) -> list[Verdict]:
    """The verdict on each deal; every win has been replayed."""
    return [decide_one(deal, effort) for deal in deals]


def decide_one(deal: Deal, effort: Effort) -> Verdict:
    """The verdict on one deal."""
    return solve(
        deal,
        method=effort.method,
        nodes=effort.nodes,
        conflicts=effort.conflicts,
        time_limit=effort.time_limit,
    ).verdict
