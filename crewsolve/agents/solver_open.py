"""The solver as a player with open hands: it follows a winning line and wins exactly the winnable deals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from crewsolve.agents.player import Offer, Sight, opened
from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.randomness import Stream
from crewsolve.solving import solve
from crewsolve.tasks import FixedTasks, FreeTasks

TRIES = 50
"""How many divisions of the remaining tasks are tried where others took tasks off the solver's own plan."""


@dataclass(frozen=True)
class OpenSolver:
    """Plays the next card of a winning line; the first legal card once there is none."""

    open_hands = True

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """The next card of the line through this position."""
        position = opened(sight)
        if len(position.legal) == 1:
            return next(iter(position.legal))
        played = position.played
        line = _line(position.deal)
        if line is None or line[: len(played)] != played:
            line = _line(position.deal.after(*played[len(position.deal.played) :]))
        return next(iter(position.legal)) if line is None else line[len(played)]


@lru_cache(maxsize=256)
def _line(deal: Deal) -> tuple[Card, ...] | None:
    """A winning line from the start of the deal on, None where there is none."""
    playout = solve(deal).playout
    return None if playout is None else playout.cards


@dataclass(frozen=True)
class OpenSolverTasks:
    """Takes tasks so that the deal stays winnable, as long as it can be."""

    open_hands = True

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """A task that a winnable division gives to this seat."""
        deal = opened(offer).deal
        seat = offer.view.seat
        taken = deal.tasks
        assert isinstance(taken, FixedTasks)
        division = _division(deal, offer.untaken.mask, offer.picks)
        if division is None or any(division.get(card) != owner for card, owner in taken.owners):
            division = _completion(offer, deal, stream)
        if division is None:
            return next(iter(offer.untaken))
        return next(card for card in offer.untaken if division[card] == seat)


@lru_cache(maxsize=256)
def _division(deal: Deal, untaken: int, picks: tuple[int, ...]) -> dict[Card, int] | None:
    """Who wins which task when all of them, taken or not, are divided anew."""
    tasks = deal.tasks.freed(deal.seats)
    counts = tuple(a + b for a, b in zip(tasks.counts, picks, strict=True))
    free = FreeTasks(tasks.cards | deal.deck.from_mask(untaken), counts)
    return dict(solve(deal.with_tasks(free)).tasks) or None


def _completion(offer: Offer, deal: Deal, stream: Stream) -> dict[Card, int] | None:
    """A winnable division that respects what has been taken, by trial."""
    assert isinstance(deal.tasks, FixedTasks)
    owners = dict(deal.tasks.owners)
    seats = [seat for seat, count in enumerate(offer.picks) for _ in range(count)]
    for _ in range(TRIES):
        division = owners | dict(zip(offer.untaken, stream.shuffled(seats), strict=True))
        if solve(deal.with_tasks(FixedTasks.of(division, deal.deck))).playout is not None:
            return division
    return None
