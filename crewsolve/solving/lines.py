"""How many ways? Winning playouts, counted and listed.

`count_lines` first counts by dynamic programming over positions, which is exact and needs no solver but
only fits small and late positions. Beyond a number of positions it gives up and `enumerate_lines` lists
winning playouts one by one, with a solver cutting off what cannot be won, up to a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.rules import legal_mask
from crewsolve.solving.deciding import decide, default_method
from crewsolve.tasks import Goal, Status, WinCard, WinShare

POSITIONS = 200_000
"""How many positions the dynamic programming may remember before it gives up; a few seconds' work."""

LIMIT = 1000
"""How many playouts are listed where they cannot be counted."""


class TooManyPositions(Exception):
    """The dynamic programming has reached its bound."""


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
    positions: int = POSITIONS,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
) -> Lines:
    """The number of winning playouts from the position: exact where it can be, else more than `limit`.

    `positions` bounds the dynamic programming; `method`, `sat` and `time_limit` are for the enumeration.

    >>> count_lines(Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2")).count
    2
    """
    asked = (deal.freed() if free else deal).after(*played)
    limits = Limits.within(time_limit)
    solver = get_method(default_method() if method is None else method, sat=sat)
    try:
        return Lines(asked, _Counter(asked, positions, limits).count_all(), True, "positions")
    except TooManyPositions:
        pass
    found = 0
    try:
        for _ in islice(_enumerate(asked, solver, limits), limit + 1):
            found += 1
    except OutOfTime:
        return Lines(asked, found, False, "enumeration", "the time limit was reached")
    if found > limit:
        return Lines(asked, found, False, "enumeration", f"the limit of {limit} was reached")
    return Lines(asked, found, True, "enumeration")


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
    return _enumerate(asked, solver, Limits())


def _enumerate(deal: Deal, solver: Method, limits: Limits) -> Iterator[Playout]:
    """Depth first; a branch is entered only with a line in hand that wins along it."""
    result = decide(deal, solver, limits=limits)
    if result.verdict is Verdict.UNKNOWN:
        raise OutOfTime
    if result.playout is not None:
        yield result.playout
        yield from _beside(Position.of(deal), result.playout, solver, limits)


def _beside(start: Position, line: Playout, solver: Method, limits: Limits) -> Iterator[Playout]:
    """The winning playouts from `start` other than `line`, those that leave it last first."""
    positions = [start]
    for card in line.cards[len(start.played) :]:
        positions.append(positions[-1].play(card))
    for position in reversed(positions[:-1]):
        taken = line.cards[len(position.played)]
        for card in position.legal:
            if card != taken and position.play(card).outcome is not Status.FAILED:
                after = replace(start.deal, played=(*position.played, card))
                yield from _enumerate(after, solver, limits)


class _Counter:
    """Counts on raw masks; remembers the count at the start of every trick.

    The key holds all that the rest of the play depends on: hands, leader, and what the goals remember.
    """

    def __init__(self, deal: Deal, positions: int, limits: Limits) -> None:
        self.start = Position.of(deal)
        self.goals = deal.tasks.goals()
        self.seats = deal.seats
        self.suit_masks = deal.deck.suit_masks
        self.suit_of = [card.suit for card in deal.deck.cards]
        self.rules = deal.rules
        self.positions = positions
        self.limits = limits
        self.known: dict[tuple[object, ...], int] = {}

    def count_all(self) -> int:
        position = self.start
        if position.outcome is Status.FAILED:
            return 0
        trick = tuple(self.start.deal.deck.index(card) for card in position.current.cards)
        return self._count(
            position.hand_masks, position.won_masks, position.current.leader, trick, position.tricks_left
        )

    def _count(
        self, hands: tuple[int, ...], won: tuple[int, ...], leader: int, trick: tuple[int, ...], left: int
    ) -> int:
        if left == 0:
            return 1
        if trick:
            return self._next_card(hands, won, leader, trick, left)
        key = (hands, leader, *(_memory(goal, won) for goal in self.goals))
        if key not in self.known:
            if len(self.known) >= self.positions or self.limits.expired:
                raise TooManyPositions
            self.known[key] = self._next_card(hands, won, leader, trick, left)
        return self.known[key]

    def _next_card(
        self, hands: tuple[int, ...], won: tuple[int, ...], leader: int, trick: tuple[int, ...], left: int
    ) -> int:
        seat = (leader + len(trick)) % self.seats
        led_suit = self.suit_of[trick[0]] if trick else None
        legal = legal_mask(hands[seat], led_suit, self.suit_masks, self.rules)
        total = 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            after = (*hands[:seat], hands[seat] ^ bit, *hands[seat + 1 :])
            cards = (*trick, bit.bit_length() - 1)
            if len(cards) < self.seats:
                total += self._next_card(after, won, leader, cards, left)
            else:
                total += self._next_trick(after, won, leader, cards, left - 1)
        return total

    def _next_trick(
        self, hands: tuple[int, ...], won: tuple[int, ...], leader: int, trick: tuple[int, ...], left: int
    ) -> int:
        winner = self._winner(trick, leader)
        taken = sum(1 << card for card in trick)
        won = (*won[:winner], won[winner] | taken, *won[winner + 1 :])
        if any(goal.status(won, left == 0) is Status.FAILED for goal in self.goals):
            return 0
        return self._count(hands, won, winner, (), left)

    def _winner(self, trick: tuple[int, ...], leader: int) -> int:
        # The bit order makes the highest bit among rockets and led suit the winner.
        strong = self.suit_masks[0] | self.suit_masks[self.suit_of[trick[0]]]
        best = max(card for card in trick if strong >> card & 1)
        return (leader + trick.index(best)) % self.seats


def _memory(goal: Goal, won: tuple[int, ...]) -> object:
    """What of the cards won so far a goal that has not failed still depends on."""
    if isinstance(goal, WinCard):
        return won[goal.seat] & goal.card_mask
    if isinstance(goal, WinShare):
        return tuple((mask & goal.cards.mask).bit_count() for mask in won)
    return won
