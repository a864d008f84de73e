"""What every method is asked, and what it answers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from crewsolve.cards import Card
from crewsolve.position import Position
from crewsolve.result import Verdict


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a method may go before it answers UNKNOWN; None is without limit.

    `deadline` is a moment of `time.monotonic()` and belongs to the user; `nodes` (search) and `conflicts`
    (SAT) are budgets that give the same answer on every machine.
    """

    deadline: float | None = None
    nodes: int | None = None
    conflicts: int | None = None

    @classmethod
    def within(
        cls, seconds: float | None, *, nodes: int | None = None, conflicts: int | None = None
    ) -> Limits:
        """Limits that end `seconds` from now."""
        return cls(None if seconds is None else time.monotonic() + seconds, nodes, conflicts)

    @property
    def seconds_left(self) -> float | None:
        """The time to the deadline, 0 once it has passed, None without one."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and time.monotonic() >= self.deadline


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Answer:
    """A method's word on a position, before the simulator has checked it.

    `plays` are the cards from the position to the last trick where it is winnable. `decided_by` names the
    stage that decided (`static`, `search`, `sat`, `cpsat`, …) and `reason` says why in words.
    """

    verdict: Verdict
    decided_by: str
    plays: tuple[Card, ...] | None = None
    reason: str = ""
    statistics: Mapping[str, Any] = field(default_factory=dict)


class Method(Protocol):
    """One way to decide a position."""

    @property
    def name(self) -> str:
        """The name in the table."""
        ...

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        ...
