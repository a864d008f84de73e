"""What a turn is worth by itself, without the cards that may follow it.

At extra depth one position is reached over several turns, and all of them have its value. The rule for ties
that asks for the turn's own value looks at the position right after the turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.kernels.bits import bit_count
from crewsolve.kernels.jit import kernel
from crewsolve.thegame._rows import Rows, leaf_penalty, list_unplayed, row_length
from crewsolve.thegame._table import PENALTY, Numbers, Rules, Table


class Own(NamedTuple):
    """What the own value of a turn is worked out from."""

    is_asked: bool
    capacity: np.ndarray  # [direction, slot] cards that a pile showing the slot would take
    takes: np.ndarray  # [direction, slot] hand places among them
    rows: Rows
    numbers: Numbers
    table: Table
    rules: Rules
    size: int  # of the hand
    slots: np.ndarray  # [pile] what the piles show after the turn


@kernel
def own_value(own: Own, chain: np.ndarray, steps: np.ndarray) -> int:
    """The value after the first `steps` of each pile's chain of hand places: the higher, the better."""
    ups, slots, laid = own.rules.up, own.slots, 0
    for pile in range(len(slots)):
        slots[pile] = chain[pile, steps[pile] - 1] if steps[pile] else own.size + pile
        for step in range(steps[pile]):
            laid |= 1 << chain[pile, step]
    if own.numbers.kind >= PENALTY:
        count, deck = list_unplayed(own.rows.cards, own.rows.place_of, own.table.status)
        width = row_length(count)
        return -leaf_penalty(
            own.rows, count, width, own.numbers, own.table, slots[:ups], slots[ups:], laid, own.rules, deck
        )
    value = 0
    for pile in range(len(slots)):
        direction, slot = 0 if pile < ups else 1, slots[pile]
        kept = own.capacity[direction, slot] - bit_count(own.takes[direction, slot] & laid)
        value += own.numbers.weights[pile] * kept
    return value
