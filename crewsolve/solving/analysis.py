"""What now? The verdict of every legal next card, as a double-dummy analysis gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.encodings import Limits, Method, get_method
from crewsolve.position import Position
from crewsolve.result import Result, Verdict
from crewsolve.solving.deciding import decide, default_method


@dataclass(frozen=True)
class Analysis:
    """The result after each legal next card, in the deck's order; empty once the play is over."""

    position: Position
    results: Mapping[Card, Result]

    @property
    def verdicts(self) -> dict[Card, Verdict]:
        """Card → verdict."""
        return {card: result.verdict for card, result in self.results.items()}

    def keeping(self, verdict: Verdict = Verdict.WINNABLE) -> tuple[Card, ...]:
        """The cards of one verdict: by default those that keep the deal winnable."""
        return tuple(card for card, found in self.verdicts.items() if found is verdict)

    def to_json(self) -> dict[str, str]:
        """The object that `analyse --json` prints."""
        return {str(card): str(verdict) for card, verdict in self.verdicts.items()}


def analyse(
    deal: Deal,
    *,
    method: str | None = None,
    sat: str | None = None,
    time_limit: float | None = None,
    free: bool = False,
    played: Sequence[Card] = (),
) -> Analysis:
    """Decide for every legal next card whether the deal can still be won after it.

    `time_limit` is for the whole analysis; cards it leaves undecided are UNKNOWN.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    >>> analyse(deal).to_json()
    {'G3': 'unwinnable', 'R2': 'unwinnable'}
    """
    solver = get_method(default_method() if method is None else method, sat=sat)
    asked = (deal.freed() if free else deal).after(*played)
    return analyse_by(solver, asked, Limits.within(time_limit), known={})


def analyse_by(solver: Method, deal: Deal, limits: Limits, *, known: Mapping[Card, Result]) -> Analysis:
    """`analyse` with a method at hand; `known` holds what has been found out before."""
    position = Position.of(deal)
    here = next((r for r in known.values() if r.verdict is Verdict.WINNABLE), None)
    here = here or decide(deal, solver, limits=limits)
    results = {}
    for card in position.legal:
        if card in known:
            results[card] = known[card]
        elif _settles(here, card, len(deal.played)):
            results[card] = replace(here, deal=deal.after(card))
        else:
            results[card] = decide(deal.after(card), solver, limits=limits)
    return Analysis(position, results)


def _settles(here: Result, card: Card, played: int) -> bool:
    """Whether the verdict of the position is that of the card: in a lost one, and on the line that wins."""
    if here.verdict is Verdict.WINNABLE:
        assert here.playout is not None
        return here.playout.cards[played] == card
    return here.verdict is Verdict.UNWINNABLE
