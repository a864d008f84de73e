"""Where did it go wrong? The first card of a playout after which a won deal was lost."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Result, Verdict
from crewsolve.simulator import replay
from crewsolve.solving.analysis import Analysis, analyse_by
from crewsolve.solving.deciding import decide, default_method
from crewsolve.tasks import Status


class Finding(enum.Enum):
    """What a review finds."""

    WON = "the playout wins"
    OPEN = "the playout ends while the deal can still be won"
    MISTAKE = "a card lost a deal that could be won"
    HOPELESS = "the deal could not be won from the start"
    UNKNOWN = "a limit was reached before the card was found"


@dataclass(frozen=True)
class Review:
    """What is to be said about a playout.

    `good` cards from its start keep the deal winnable, `bad` cards are known to lose it. At a mistake
    `bad` is `good` + 1 and `analysis` tells what the other cards would have done; `line` wins from the last
    position known to be winnable.
    """

    playout: Playout
    finding: Finding
    good: int
    bad: int | None = None
    analysis: Analysis | None = None
    line: Playout | None = None

    @property
    def card(self) -> Card | None:
        """The card that lost the deal."""
        return self.playout.cards[self.good] if self.finding is Finding.MISTAKE else None

    @property
    def kept(self) -> tuple[Card, ...]:
        """The cards that would have kept the deal winnable in its place."""
        return () if self.analysis is None else self.analysis.keeping()

    @property
    def trick(self) -> int | None:
        """The trick of the mistake, from 0."""
        return self.good // self.playout.seats if self.finding is Finding.MISTAKE else None

    def to_json(self) -> dict[str, Any]:
        """The object that `review --json` prints."""
        found = self.analysis if self.finding is Finding.MISTAKE else None
        return {
            "finding": self.finding.name.lower(),
            "card": None if self.card is None else str(self.card),
            "seat": None if found is None else found.position.seat,
            "trick": self.trick,
            "good": self.good,
            "bad": self.bad,
            "cards": None if found is None else found.to_json(),
            "line": None if self.line is None else [list(map(str, trick)) for trick in self.line.tricks],
        }


def review(
    deal: Deal,
    playout: Playout | Sequence[Card],
    *,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    free: bool = False,
) -> Review:
    """Find the first card of a playout, from the start of the deal, after which it could no longer be won.

    Once lost is always lost, so the card is found by halving.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2")
    >>> found = review(deal, Playout.parse("G3 B1 G1 R1 | B3 R2 B2 G2", seats=4))
    >>> found.finding.name, str(found.card), [str(card) for card in found.kept]
    ('MISTAKE', 'B1', ['B2'])
    """
    start = replace(deal.freed() if free else deal, played=())
    cards = playout.cards if isinstance(playout, Playout) else tuple(playout)
    played = Playout(cards, deal.seats)
    outcome = replay(start, cards).outcome
    if outcome is Status.DONE:
        return Review(played, Finding.WON, len(cards))
    solver = get_method(default_method() if method is None else method, sat=sat)
    limits = Limits.within(time_limit)
    return _Search(start, played, solver, limits).review()


class _Search:
    """Halves the playout between a position that can be won and one that cannot."""

    def __init__(self, deal: Deal, playout: Playout, solver: Method, limits: Limits) -> None:
        self.deal, self.playout, self.solver, self.limits = deal, playout, solver, limits
        self.good = 0
        self.bad: int | None = self._failed()
        self.won: Result | None = None
        self.lost: Result | None = None

    def review(self) -> Review:
        start = self._ask(0)
        if start is Verdict.UNWINNABLE:
            return self._found(Finding.HOPELESS)
        if start is Verdict.UNKNOWN:
            return self._found(Finding.UNKNOWN)
        if self.bad is None and self._ask(len(self.playout)) is Verdict.UNKNOWN:
            return self._found(Finding.UNKNOWN)
        if self.bad is None:
            return self._found(Finding.OPEN)
        while self.bad - self.good > 1:
            if self._ask((self.good + self.bad) // 2) is Verdict.UNKNOWN:
                return self._found(Finding.UNKNOWN)
        return self._found(Finding.MISTAKE)

    def _ask(self, count: int) -> Verdict:
        """Decide the position after `count` cards and move the bounds accordingly."""
        if count <= self.good and self.won is not None:
            return Verdict.WINNABLE
        result = decide(self.deal.after(*self.playout.cards[:count]), self.solver, limits=self.limits)
        if result.verdict is Verdict.UNWINNABLE:
            self.bad, self.lost = count, result
        elif result.verdict is Verdict.WINNABLE:
            self._move_good(result)
        return result.verdict

    def _move_good(self, result: Result) -> None:
        """The playout is good at least as long as it goes along with a line that wins."""
        self.won = result
        assert result.playout is not None
        pairs = zip(result.playout.cards, self.playout.cards, strict=False)
        self.good = next((i for i, (a, b) in enumerate(pairs) if a != b), len(self.playout))

    def _failed(self) -> int | None:
        """The number of cards after which a task has failed for all to see."""
        position = Position.start(self.deal)
        for count, card in enumerate(self.playout.cards, 1):
            position = position.play(card)
            if position.outcome is Status.FAILED:
                return count
        return None

    def _found(self, finding: Finding) -> Review:
        analysis = self._analysis() if finding is Finding.MISTAKE else None
        line = None if self.won is None else self.won.playout
        return Review(self.playout, finding, self.good, self.bad, analysis, line)

    def _analysis(self) -> Analysis:
        before = self.deal.after(*self.playout.cards[: self.good])
        assert self.won is not None and self.won.playout is not None
        keeps = self.won.playout.cards[self.good]
        known = {keeps: replace(self.won, deal=before.after(keeps))}
        if self.lost is not None:
            known[self.playout.cards[self.good]] = self.lost
        return analyse_by(self.solver, before, self.limits, known=known)
