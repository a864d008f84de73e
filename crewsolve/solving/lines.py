"""How many ways? Winning playouts, counted and listed.

`count_lines` first counts by dynamic programming over positions, which is exact and needs no solver but
only fits small and late positions. Beyond a number of cards tried it gives up and `enumerate_lines` lists
winning playouts one by one, with a solver cutting off what cannot be won, up to a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.solving.counting import LineCounter, TooManyNodes
from crewsolve.solving.deciding import decide, default_method
from crewsolve.tasks import Status

NODES = 1_000_000
"""How many cards the dynamic programming may try before it gives up; a few seconds' work."""

COUNTING_SHARE = 0.25
"""The part of a time limit after which the dynamic programming gives way to the enumeration."""

LIMIT = 1000
"""How many playouts are listed where they cannot be counted."""


LATE_TRICKS = 3
"""With so many tricks left the dynamic programming is quicker than asking a solver once."""


class OutOfTime(Exception):
    """A limit was reached before it was known whether there is another line."""


@dataclass(frozen=True)
class Lines:
    """A number of winning playouts of full length; `exact`, or at least so many.

    `counted_by` is `positions` (dynamic programming) or `enumeration`.
    """

    deal: Deal
    count: int
    exact: bool
    counted_by: str
    reason: str = ""

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one; None where that is not known."""
        if self.exact:
            return self.count == 1
        return False if self.count > 1 else None

    def to_json(self) -> dict[str, Any]:
        """The object that `lines --json` prints."""
        return {
            "deal": str(self.deal),
            "count": self.count,
            "exact": self.exact,
            "unique": self.unique,
            "counted_by": self.counted_by,
            "reason": self.reason,
        }


def count_lines(
    deal: Deal,
    *,
    limit: int = LIMIT,
    nodes: int = NODES,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
) -> Lines:
    """The number of winning playouts from the position: exact where it can be, else more than `limit`.

    `nodes` bounds the dynamic programming; `method`, `sat` and `time_limit` are for the enumeration.

    >>> count_lines(Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2")).count
    2
    """
    asked = (deal.freed() if free else deal).after(*played)
    limits = Limits.within(time_limit)
    solver = get_method(default_method() if method is None else method, sat=sat)
    share = None if time_limit is None else time_limit * COUNTING_SHARE
    try:
        counter = LineCounter(asked, nodes=nodes, limits=Limits.within(share))
        return Lines(asked, counter.count(Position.of(asked)), True, "positions")
    except TooManyNodes:
        return _count_beyond(asked, limit, solver, limits)


def _count_beyond(deal: Deal, limit: int, solver: Method, limits: Limits) -> Lines:
    """The count by enumeration, which ends beyond the limit."""
    counter = LineCounter(deal)
    found = 0
    try:
        for position in _late_positions(deal, solver, limits):
            found += counter.count(position)
            if found > limit:
                return Lines(deal, found, False, "enumeration", f"the limit of {limit} was reached")
    except OutOfTime:
        return Lines(deal, found, False, "enumeration", "the time limit was reached")
    return Lines(deal, found, True, "enumeration")


def enumerate_lines(
    deal: Deal,
    *,
    method: str | None = None,
    sat: str | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
) -> Iterator[Playout]:
    """Every winning playout of full length, one by one, each once.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2")
    >>> sorted(map(str, enumerate_lines(deal)))
    ['G3 B2 G1 R1 | B3 R2 B1 G2', 'G3 B2 G2 R1 | B3 R2 B1 G1']
    """
    asked = (deal.freed() if free else deal).after(*played)
    solver = get_method(default_method() if method is None else method, sat=sat)
    counter = LineCounter(asked)
    for position in _late_positions(asked, solver, Limits()):
        for end in counter.lines(position):
            yield Playout(end.played, deal.seats)


def _late_positions(deal: Deal, solver: Method, limits: Limits) -> Iterator[Position]:
    """Late positions that can be won: no line leads to two of them, every line leads to one.

    Depth first; a branch is entered only with a line in hand that wins along it.
    """
    result = decide(deal, solver, limits=limits)
    if result.verdict is Verdict.UNKNOWN:
        raise OutOfTime
    if result.playout is not None:
        yield from _along(Position.of(deal), result.playout, solver, limits)


def _along(start: Position, line: Playout, solver: Method, limits: Limits) -> Iterator[Position]:
    """The late position on the line, then those off it, the last branch first."""
    way = [start]
    while way[-1].tricks_left > LATE_TRICKS:
        way.append(way[-1].play(line.cards[len(way[-1].played)]))
    yield way.pop()
    for position in reversed(way):
        taken = line.cards[len(position.played)]
        for card in position.legal:
            if card != taken and position.play(card).outcome is not Status.FAILED:
                after = replace(start.deal, played=(*position.played, card))
                yield from _late_positions(after, solver, limits)
