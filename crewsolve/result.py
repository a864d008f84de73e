"""Answers: three verdicts, never a bool, and what comes with them."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.playout import Playout


class Verdict(enum.Enum):
    """Whether a deal can be won; the values are the exit codes of SAT solvers."""

    WINNABLE = 10
    UNWINNABLE = 20
    UNKNOWN = 0

    def __bool__(self) -> bool:
        raise TypeError("compare a Verdict explicitly: UNWINNABLE and UNKNOWN differ")

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Result:
    """A method's answer to one deal.

    `playout` is full-length, starts with the cards already played, and has been replayed by the simulator
    (in a stream of deals by its compiled twin);
    `tasks` maps each task card to the seat that wins it there. `decided_by` is the stage that gave the
    verdict, `reason` its words. `proof` is `checked` where a loss carries a proof that an independent
    checker has accepted, else `none`. `statistics` may differ from run to run, the rest may not.
    """

    deal: Deal
    verdict: Verdict
    method: str
    decided_by: str
    reason: str = ""
    playout: Playout | None = None
    tasks: Mapping[Card, int] = field(default_factory=dict)
    proof: str = "none"
    seconds: float = 0.0
    statistics: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, *, name: str = "") -> dict[str, Any]:
        """The object that `solve --json` prints."""
        plays = (
            None if self.playout is None else [[str(card) for card in trick] for trick in self.playout.tricks]
        )
        return {
            "name": self.deal.name or name,
            "deal": str(self.deal),
            "verdict": str(self.verdict),
            "plays": plays,
            "tasks": {str(card): seat for card, seat in self.tasks.items()},
            "method": self.method,
            "decided_by": self.decided_by,
            "reason": self.reason,
            "proof": self.proof,
            "seconds": round(self.seconds, 6),
        }
