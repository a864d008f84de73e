"""From what a player sees to the vectors of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crewsolve.cards import Deck
from crewsolve.kernels.game import WORDS
from crewsolve.kernels.tree import PICKER, PICKS, UNTAKEN
from crewsolve.randomness import Stream
from crewsolve.rules import trick_winner
from crewsolve.tasks import FixedTasks
from crewsolve.view import View


def suits_vector(deck: Deck) -> Any:
    """The masks of the suits, rockets first."""
    return np.array(deck.suit_masks, dtype=np.int64)


def generator(stream: Stream) -> Any:
    """A kernel's generator, seeded from the player's stream."""
    return np.array([stream.raw()], dtype=np.uint64)


def owed_masks(view: View) -> list[int]:
    """For every seat the masks of its tasks that are not decided yet."""
    assert isinstance(view.tasks, FixedTasks)
    won = 0
    for mask in view.won_masks:
        won |= mask
    return [view.tasks.owned_mask(seat) & ~won for seat in range(view.seats)]


def table_vector(view: View, *, hands: Sequence[int] | None = None) -> Any:
    """The table of a view; hidden hands are stand-ins of the right size unless `hands` are given."""
    if hands is None:
        hands = [view.hand.mask if seat == view.seat else (1 << n) - 1 for seat, n in enumerate(view.sizes)]
    deck, cards = view.deck, view.current.cards
    led = best = in_trick = 0
    best_seat = 0
    if cards:
        led = deck.suit_mask(cards[0].suit)
        best_seat = _leading(view)
        best = deck.bit(cards[(best_seat - view.current.leader) % view.seats])
        in_trick = deck.set(cards).mask
    words = [view.to_play, led, best, best_seat, in_trick, len(cards), view.total_tricks - len(view.tricks)]
    return np.array([*hands, *owed_masks(view), *words], dtype=np.int64)


def _leading(view: View) -> int:
    """The seat whose card leads the running trick so far."""
    cards = view.current.cards
    return (view.current.leader + trick_winner(cards, 0)) % view.seats


def state_vector(table: Any, *, untaken: int = 0, picker: int = 0, picks: Sequence[int] = ()) -> Any:
    """A table with the words of the task phase."""
    seats = (table.shape[-1] - WORDS) // 2
    tail = np.zeros(PICKS + seats, dtype=np.int64)
    tail[UNTAKEN], tail[PICKER] = untaken, picker
    tail[PICKS : PICKS + len(picks)] = picks
    return np.concatenate([table, tail])
