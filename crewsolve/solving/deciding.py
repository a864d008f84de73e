"""Deciding one deal: `solve` asks a method and lets no unverified answer leave."""

from __future__ import annotations

import time
from collections.abc import Sequence

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import METHODS, Limits, Method, get_method
from crewsolve.encodings.method import NO_LIMITS, Answer
from crewsolve.errors import CrewError, WrongPlayout
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Result, Verdict
from crewsolve.simulator import verify


def default_method() -> str:
    """The method used where none is named: the first of the table."""
    return next(iter(METHODS))


def solve(
    deal: Deal,
    *,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    nodes: int | None = None,
    conflicts: int | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
) -> Result:
    """Decide whether a deal can be won from the cards played so far.

    `method` is a name of `crewsolve methods` (default: the first), `sat` the SAT solver where the method
    uses one; `free` makes fixed tasks free; `played` comes after the cards the deal says have been played.
    """
    name = default_method() if method is None else method
    limits = Limits.within(time_limit, nodes=nodes, conflicts=conflicts)
    asked = (deal.freed() if free else deal).after(*played)
    return decide(asked, get_method(name, sat=sat), limits=limits)


def decide(deal: Deal, method: Method, *, limits: Limits = NO_LIMITS) -> Result:
    """The method's answer to a deal, its line replayed by the simulator."""
    started = time.perf_counter()
    answer = method.solve(Position.of(deal), limits)
    return _checked(deal, method.name, answer, time.perf_counter() - started)


def _checked(deal: Deal, method: str, answer: Answer, seconds: float) -> Result:
    """The result of an answer; a win is replayed first."""
    playout, tasks = None, {}
    if answer.verdict is Verdict.WINNABLE:
        if answer.plays is None:
            raise WrongPlayout(f"{method} calls this winnable without a line: {deal}")
        playout = Playout((*deal.played, *answer.plays), deal.seats)
        try:
            replayed = verify(deal, playout)
        except CrewError as error:
            raise WrongPlayout(f"{method} gives a wrong line for {deal}: {error}") from error
        if not replayed.position.over:
            raise WrongPlayout(f"{method} gives a line that stops early for {deal}")
        tasks = replayed.achieved()
    return Result(
        deal, answer.verdict, method, answer.decided_by, answer.reason, playout, tasks,
        seconds=seconds, statistics=answer.statistics,
    )  # fmt: skip
