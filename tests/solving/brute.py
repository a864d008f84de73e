"""A method of the tests' own: tries every card in order. Small, slow, and unlike all the others."""

from __future__ import annotations

from crewsolve.cards import Card
from crewsolve.encodings import Answer, Limits
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.tasks import Status


class Brute:
    """Depth first over every legal card."""

    def __init__(self, name: str, *, sat: str | None = None) -> None:
        self.name = name

    def solve(self, position: Position, limits: Limits) -> Answer:
        if limits.expired:
            return Answer(Verdict.UNKNOWN, "brute", reason="the time limit was reached")
        plays = self._plays(position)
        verdict = Verdict.UNWINNABLE if plays is None else Verdict.WINNABLE
        return Answer(verdict, "brute", plays)

    def _plays(self, position: Position) -> tuple[Card, ...] | None:
        if position.outcome is Status.FAILED:
            return None
        if position.over:
            return ()
        for card in position.legal:
            rest = self._plays(position.play(card))
            if rest is not None:
                return (card, *rest)
        return None


class Capped(Brute):
    """Gives up on positions with more than a few cards left, as a method at its limit does."""

    def solve(self, position: Position, limits: Limits) -> Answer:
        if sum(mask.bit_count() for mask in position.hand_masks) > 6:
            return Answer(Verdict.UNKNOWN, "capped", reason="too large")
        return super().solve(position, limits)


class Contrary(Brute):
    """Calls every deal with a task lost."""

    def solve(self, position: Position, limits: Limits) -> Answer:
        if len(position.deal.tasks):
            return Answer(Verdict.UNWINNABLE, "contrary")
        return super().solve(position, limits)


class Fussy(Brute):
    """Refuses what it is told to refuse, and fails where a bug of ours would."""

    def solve(self, position: Position, limits: Limits) -> Answer:
        from crewsolve.errors import TooLarge

        if position.deal.name == "large":
            raise TooLarge("a formula of 10^8 clauses would not fit")
        if position.deal.name == "bug":
            raise ZeroDivisionError("a bug")
        return super().solve(position, limits)
