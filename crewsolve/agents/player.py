"""What a player is shown, and what it is asked.

A player that plays with hidden hands gets a `View` and nothing else; only a player that says `open_hands`
is also given the position. The table (`crewsolve.agents.table`) sees to that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from crewsolve.cards import Card, CardSet
from crewsolve.errors import InternalBug
from crewsolve.position import Position
from crewsolve.randomness import Stream
from crewsolve.view import View


@dataclass(frozen=True)
class Sight:
    """What a seat sees when it is to play: its view, and the position where hands are open."""

    view: View
    position: Position | None = None


@dataclass(frozen=True)
class Offer:
    """What a seat sees when it is to take a task.

    `view.tasks` (and the position's) are those taken so far, `untaken` lie on the table, `picks` says how
    many each seat still takes.
    """

    view: View
    untaken: CardSet
    picks: tuple[int, ...]
    position: Position | None = None


class CardAgent(Protocol):
    """Chooses the card to play."""

    @property
    def open_hands(self) -> bool:
        """Whether it must see all hands."""
        ...

    def choose_card(self, sight: Sight, stream: Stream) -> Card:
        """One of the legal cards."""
        ...


class TaskAgent(Protocol):
    """Chooses the task to take."""

    @property
    def open_hands(self) -> bool:
        """Whether it must see all hands."""
        ...

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """One of the untaken tasks."""
        ...


@dataclass(frozen=True)
class Player:
    """A seat's whole behaviour: one agent for each phase."""

    name: str
    tasks: TaskAgent
    cards: CardAgent


def opened(sight: Sight | Offer) -> Position:
    """The position of an agent that plays with open hands."""
    if sight.position is None:
        raise InternalBug("an agent with open hands was shown a view only")
    return sight.position
