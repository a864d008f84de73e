"""Deciding one deal: `solve` asks a method and lets no unverified answer leave."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import METHODS, Limits, Method, get_method
from crewsolve.encodings.method import NO_LIMITS, Answer
from crewsolve.errors import CrewError, Disagreement, WrongPlayout
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
    proof: str | Path | None = None,
) -> Result:
    """Decide whether a deal can be won from the cards played so far.

    `method` is a name of `crewsolve methods` (default: the first), `sat` the SAT solver where the method
    uses one; `free` makes fixed tasks free; `played` comes after the cards the deal says have been played.
    With `proof` a loss is proved by SAT, whatever method found it: the formula goes to `proof`.cnf, the
    proof to `proof`.drat once an independent checker has gone through every step.
    """
    name = default_method() if method is None else method
    limits = Limits.within(time_limit, nodes=nodes, conflicts=conflicts)
    asked = (deal.freed() if free else deal).after(*played)
    chosen = get_method(name, sat=sat)
    result = decide(asked, chosen, limits=limits)
    if proof is None or result.verdict is not Verdict.UNWINNABLE:
        return result
    return _proved(result, chosen, Path(proof), sat, limits)


def decide(deal: Deal, method: Method, *, limits: Limits = NO_LIMITS) -> Result:
    """The method's answer to a deal, its line replayed by the simulator."""
    started = time.perf_counter()
    answer = method.solve(Position.of(deal), limits)
    return checked(deal, method.name, answer, time.perf_counter() - started)


def checked(deal: Deal, method: str, answer: Answer, seconds: float) -> Result:
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


def _proved(result: Result, method: Method, stem: Path, sat: str | None, limits: Limits) -> Result:
    """The loss with a checked proof, written beside `stem`, or as it was where none is found in time."""
    from crewsolve.encodings.at_most import AT_MOST
    from crewsolve.encodings.certificates import prove
    from crewsolve.encodings.sat_method import SatMethod

    started = time.perf_counter()
    own = isinstance(method, SatMethod) and not AT_MOST[method.encoding].is_native
    found = prove(result.deal, method=method.name if own else None, sat=sat, limits=limits)
    if found is None and limits == NO_LIMITS:
        raise Disagreement(f"{method.name} calls this unwinnable, but SAT finds no proof: {result.deal}")
    seconds = result.seconds + time.perf_counter() - started
    if found is None:
        return replace(result, seconds=seconds)
    found.write(stem)
    return replace(result, proof="checked", seconds=seconds)
