"""What can go wrong: the user's mistakes, and the two errors that are our own bugs.

A `CrewError` is somebody's input: its message names the place, the card and the remedy, and the command
line prints it without a traceback. An `InternalBug` is ours and is never caught.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CrewError(ValueError):
    """A mistake in what the user gave us."""


class BadCard(CrewError):
    """A text that is no card, or a card that the deck does not hold; `card` repeats it."""

    def __init__(self, message: str, *, card: object = None) -> None:
        super().__init__(message)
        self.card = card


class BadDeck(CrewError):
    """A deck that cannot be written, or is too large for what is asked."""


class BadDeal(CrewError):
    """A deal that contradicts itself: the message names the card or seat, `card` and `seat` repeat them.

    `field` is the part of the deal that is wrong: `hands`, `leader`, `tasks`, `counts` or `seats`.
    """

    def __init__(
        self, message: str, *, card: object = None, seat: int | None = None, field: str = ""
    ) -> None:
        super().__init__(message)
        self.card = card
        self.seat = seat
        self.field = field


class BadFile(CrewError):
    """A file that cannot be read as what it should be; knows its place as `file:line`."""

    def __init__(self, message: str, *, file: str = "", line: int | None = None) -> None:
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.file = file
        self.line = line


class IllegalPlay(CrewError):
    """A card that may not be played where it stands; `card`, `seat` and `trick` say where."""

    def __init__(self, message: str, *, card: object, seat: int, trick: int) -> None:
        super().__init__(message)
        self.card = card
        self.seat = seat
        self.trick = trick


class FailedTask(CrewError):
    """A legal playout that does not win; `task` says which goal it misses."""

    def __init__(self, message: str, *, task: object) -> None:
        super().__init__(message)
        self.task = task


class UnknownName(CrewError):
    """A name that is not in its table; the message lists the right ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        super().__init__(f"unknown {kind} {name!r}{hint}; known: {', '.join(names)}")
        self.name = name
        self.known = names


class TooLarge(CrewError):
    """Something that would not fit in memory or time; the message gives the estimate."""


class InternalBug(Exception):
    """Our own mistake; please report it with the deal that shows it."""


class WrongPlayout(InternalBug):
    """A method called a deal winnable with a playout that the simulator refuses."""


class Disagreement(InternalBug):
    """Two methods give one position different verdicts."""


class ProofError(InternalBug):
    """Two exact computations of one number disagree."""
