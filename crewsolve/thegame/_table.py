"""What the kernels know: the rules, the table in front of the player, the strategy as numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.thegame.values import Reading

LAID, HELD, IN_DECK = 0, 1, 2
PERCEIVED, REAL, PENALTY, BRIDGES = 0, 1, 2, 3


class Rules(NamedTuple):
    """The parameters of the game and the extra depth of the search."""

    size: int
    up: int
    down: int
    turn: int
    hand: int
    trick: int
    depth: int


class Numbers(NamedTuple):
    """A strategy as the kernels see it."""

    kind: int  # PERCEIVED, REAL, PENALTY or BRIDGES
    weights: np.ndarray  # [pile] whole-number weights of the capacities
    penalty: np.ndarray  # [direction, shifted top, card] penalty without bridges
    bridge: np.ndarray  # [deck size, single, double] penalty of a card that bridges may recover
    magic: float  # adding it rounds a penalty to the common grid
    reading: Reading  # which pairs of cards are bridges


class Table(NamedTuple):
    """The table before a turn; cards are counted from 0, shifted ones from 1."""

    hand: np.ndarray  # sorted cards in hand
    shown: np.ndarray  # [slot] shifted card: hand places first, then what the piles show
    status: np.ndarray  # [card] LAID, HELD or IN_DECK
    place: np.ndarray  # [card] its place in the hand, where it is held
    lies_at: np.ndarray  # [card] its place in a hand that is never sorted, where it is held


def make_table(rules: Rules) -> Table:
    """Room for the table of one game."""
    slots = rules.hand + rules.up + rules.down
    return Table(*(np.zeros(size, np.int64) for size in (rules.hand, slots, *[rules.size] * 3)))
