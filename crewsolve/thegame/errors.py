"""The mistakes a user of The Game can make, each with its place and its remedy."""

from __future__ import annotations

from crewsolve.errors import CrewError


class BadParameters(CrewError):
    """Parameters that describe no game."""


class BadOrder(CrewError):
    """A deck whose cards are not exactly those of the game; `card` is the first that is wrong."""

    def __init__(self, message: str, *, card: int | None = None) -> None:
        super().__init__(message)
        self.card = card


class IllegalMove(CrewError):
    """A move or a turn that the rules forbid; `turn` counts from 1, `move` is its text."""

    def __init__(self, message: str, *, turn: int, move: str = "") -> None:
        super().__init__(f"turn {turn}: {message}")
        self.turn = turn
        self.move = move


class BadStrategy(CrewError):
    """Parameters that a strategy does not have or cannot take."""
