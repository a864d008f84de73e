"""Slow twins: exhaustive answers written for clarity, used only to judge small cases."""

from __future__ import annotations

from crewsolve.deal import Deal
from crewsolve.position import Position
from crewsolve.tasks import Status


def winnable(deal: Deal) -> bool:
    """Try every legal card until a playout wins."""
    return _winnable(Position.of(deal))


def _winnable(position: Position) -> bool:
    outcome = position.outcome
    if outcome is not Status.OPEN:
        return outcome is Status.DONE
    return any(_winnable(position.play(card)) for card in position.legal)


def winning_playouts(deal: Deal) -> int:
    """The number of full-length winning playouts from the position."""
    return _wins(Position.of(deal))


def _wins(position: Position) -> int:
    if position.outcome is Status.FAILED:
        return 0
    if position.over:
        return 1
    return sum(_wins(position.play(card)) for card in position.legal)
