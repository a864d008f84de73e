"""Deciding many deals within budgets: the one place where experiments ask the solvers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crewsolve.deal import Deal
from crewsolve.experiments.description import Json
from crewsolve.result import Verdict
from crewsolve.solving import solve
from crewsolve.solving.batches import decide_many

if TYPE_CHECKING:
    from crewsolve.encodings.batch import Batch


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

    @property
    def in_batches(self) -> bool:
        """Whether many deals can be decided in one call: by `auto`, and without a clock."""
        return self.method == "auto" and self.time_limit is None


def decide(deals: Sequence[Deal] | Batch, effort: Effort) -> list[Verdict]:
    """The verdict on each deal; every win has been replayed. Arrays of deals need an effort in batches."""
    if effort.in_batches:
        decided = decide_many(deals, nodes=effort.nodes, conflicts=effort.conflicts)
        return [answer.verdict for answer in decided]
    assert isinstance(deals, Sequence)
    limits = {"nodes": effort.nodes, "conflicts": effort.conflicts, "time_limit": effort.time_limit}
    return [solve(deal, method=effort.method, **limits).verdict for deal in deals]  # type: ignore[arg-type]
