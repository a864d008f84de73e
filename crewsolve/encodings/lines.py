"""Lines of play that need no thought."""

from __future__ import annotations

from crewsolve.cards import Card
from crewsolve.position import Position


def any_line(position: Position) -> tuple[Card, ...]:
    """Legal cards, the lowest each time, to the last trick."""
    plays = []
    while not position.over:
        card = next(iter(position.legal))
        plays.append(card)
        position = position.play(card)
    return tuple(plays)
