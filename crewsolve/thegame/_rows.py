"""Rows of penalties: what each unplayed card costs on a pile, or on all piles of a direction.

A row has one number for each unplayed card, in their order; laid cards have no place in it, so rows become
shorter as the game goes on. Behind the last card follow zeros, up to a whole number of machine vectors.

The penalty of a card is the product of its penalties over the piles: one factor for the ascending side times
one for the descending side. Each product is rounded to a common grid and added as an integer, so that sums do
not depend on the order of the cards and equal positions compare equal.

Inner functions take plain arrays: taking arrays out of tuples in a loop would cost more than the loop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._bits import float_bits
from crewsolve.thegame._table import BRIDGES, HELD, IN_DECK, LAID, Numbers, Rules, Table
from crewsolve.thegame.values import Reading

VECTOR = 16
"""Rows are filled up to a multiple of this."""


class Rows(NamedTuple):
    """The rows of one turn."""

    cards: np.ndarray  # [index] the unplayed cards in order
    place_of: np.ndarray  # [card] where an unplayed card stands in the rows
    slots: np.ndarray  # [direction, slot, index] penalties on a pile that shows the slot
    needs: np.ndarray  # [direction, slot] hand places that some bridge of it needs
    spare: np.ndarray  # [3, index]


@kernel
def row_length(size: int) -> int:
    """Room for a row of so many cards."""
    return -(-size // VECTOR) * VECTOR


def make_rows(size: int, slots: int) -> Rows:
    """Rows for a game with so many cards."""
    length = row_length(size)
    return Rows(
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros((2, slots, length)),
        np.zeros((2, slots), np.int64),
        np.zeros((3, length)),
    )


@kernel
def list_unplayed(cards: np.ndarray, index: np.ndarray, status: np.ndarray) -> tuple[int, int]:
    """List the unplayed cards; returns their number and how many of them are still to be drawn."""
    count, deck = 0, 0
    for card in range(len(status)):
        if status[card] != LAID:
            cards[count], index[card] = card, count
            count += 1
            deck += status[card] == IN_DECK
    return count, deck


@kernel
def total_penalty(left: np.ndarray, i: int, right: np.ndarray, j: int, width: int, magic: float) -> int:
    """The sum of the products of row i and row j in units of the grid, a whole number.

    Adding `magic` leaves the rounded product in the low bits of the float, where an integer sum picks it up.
    Rows are named by number because cutting one out of its array would take as long as adding it up.
    """
    zero = float_bits(magic)
    total = 0
    for k in range(width):
        total += float_bits(left[i, k] * right[j, k] + magic) - zero
    return total


@kernel
def bridge_row(
    row: np.ndarray,
    index: np.ndarray,
    status: np.ndarray,
    place: np.ndarray,
    is_up: bool,
    top: int,
    trick: int,
    penalties: np.ndarray,
    reading: Reading,
) -> int:
    """Overwrite the penalties of the cards that one backwards trick could recover (Dietrich 3.5.3).

    Walks from the card of the direct trick towards the top, counting the bridges that reach at least as far:
    those that need a single card from the deck, those that need two, and whether one is held completely.
    Returns the hand places that some bridge needs.
    """
    n = len(status)
    toward = 1 if is_up else -1
    onward = 1 if reading.slip else toward
    single, double, held, needs = 0, 0, False, 0
    for distance in range(trick, 0, -1):
        near = top - 1 - toward * distance
        if not 0 <= near < n or status[near] == LAID:
            continue
        far = near + onward * trick
        is_direct = far == top - 1
        if reading.direct if is_direct else (0 <= far < n and status[far] != LAID):
            near_held, far_held = status[near] == HELD, is_direct or status[far] == HELD
            held |= near_held and far_held and (reading.held or is_direct)
            single += near_held != far_held
            double += not near_held and not far_held
            if near_held:
                needs |= 1 << place[near]
            if far_held and not is_direct:
                needs |= 1 << place[far]
        if distance < trick:
            row[index[near]] = 1.0 if held else penalties[single, double]
    return needs


@kernel
def mark(status: np.ndarray, hand: np.ndarray, cards: int, new: int) -> None:
    """Lay cards of the hand, or take them back."""
    place = 0
    while cards:
        if cards & 1:
            status[hand[place]] = new
        cards >>= 1
        place += 1


@kernel
def fill_slot(
    row: np.ndarray, cards: np.ndarray, index: np.ndarray, count: int, penalty: np.ndarray,
    status: np.ndarray, place: np.ndarray, top: int, is_up: bool, has_bridges: bool, trick: int,
    bridge: np.ndarray, reading: Reading,
) -> int:  # fmt: skip
    """The penalties of all cards on a pile that shows `top`; returns the needed hand places."""
    direction = 0 if is_up else 1
    for k in range(count):
        row[k] = penalty[direction, top, cards[k]]
    for k in range(count, len(row)):
        row[k] = 0.0
    if has_bridges and 1 <= top <= len(status):
        return bridge_row(row, index, status, place, is_up, top, trick, bridge, reading)
    return 0


@kernel
def fill_slots(
    rows: Rows, count: int, width: int, numbers: Numbers, table: Table, size: int, rules: Rules, deck: int
) -> None:
    """The rows of all slots in both directions; a card of the hand is only ever shown when it is laid."""
    hand, shown, status, place = table.hand, table.shown, table.status, table.place
    slots, needs, cards, index = rows.slots, rows.needs, rows.cards, rows.place_of
    penalty, bridge, trick = numbers.penalty, numbers.bridge[deck], rules.trick
    has_bridges = numbers.kind == BRIDGES
    for direction in range(2):
        first = size if direction == 0 else size + rules.up
        last = size + rules.up if direction == 0 else size + rules.up + rules.down
        for slot in range(last):
            if size <= slot < first:
                continue
            if slot < size:
                status[hand[slot]] = LAID
            needs[direction, slot] = fill_slot(
                slots[direction, slot, :width], cards, index, count, penalty, status, place, shown[slot],
                direction == 0, has_bridges, trick, bridge, numbers.reading,
            )  # fmt: skip
            if slot < size:
                status[hand[slot]] = HELD
                slots[direction, slot, index[hand[slot]]] = 0.0


@kernel
def leaf_penalty(
    rows: Rows, count: int, width: int, numbers: Numbers, table: Table, up_slots: np.ndarray,
    down_slots: np.ndarray, laid: int, rules: Rules, deck: int,
) -> int:  # fmt: skip
    """The penalty of a leaf from scratch: where one move breaks a bridge of another's pile, or for itself."""
    hand, shown, status, place = table.hand, table.shown, table.status, table.place
    cards, index, factor = rows.cards, rows.place_of, rows.spare[2, :width]
    slot_rows, bridge, trick = rows.slots, numbers.bridge[deck], rules.trick
    mark(status, hand, laid, LAID)
    for direction in range(2):
        product, slots = rows.spare[direction, :width], up_slots if direction == 0 else down_slots
        for k in range(width):
            product[k] = 1.0 if k < count and status[cards[k]] != LAID else 0.0
        for pile in range(rules.up if direction == 0 else rules.down):
            slot = slots[pile]
            for k in range(width):
                factor[k] = slot_rows[direction, slot, k]
            if numbers.kind == BRIDGES and 1 <= shown[slot] <= len(status):
                bridge_row(
                    factor, index, status, place, direction == 0, shown[slot], trick, bridge, numbers.reading
                )  # fmt: skip
            for k in range(width):
                product[k] *= factor[k]
    mark(status, hand, laid, HELD)
    return total_penalty(rows.spare, 0, rows.spare, 1, width, numbers.magic)
