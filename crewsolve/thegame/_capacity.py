"""The turn with the highest capacity (Dietrich 3.1 to 3.3), at any depth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.kernels.bits import bit_count
from crewsolve.kernels.jit import kernel
from crewsolve.thegame._sides import Choice, Search, Side, consider, fits
from crewsolve.thegame._table import LAID, PERCEIVED, REAL, Numbers, Rules, Table


class CapacityRoom(NamedTuple):
    """Scratch space of the capacities."""

    capacity: np.ndarray  # [direction, slot] cards that a pile showing the slot would take
    takes: np.ndarray  # [direction, slot] hand places among them
    up_value: np.ndarray  # [entry]
    down_value: np.ndarray  # [entry]


def make_capacity_room(slots: int, entries: int) -> CapacityRoom:
    """Scratch space for so many entries on each side."""
    shape = (2, slots)
    return CapacityRoom(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(entries, np.int64),
        np.zeros(entries, np.int64),
    )


@kernel
def count_capacities(
    room: CapacityRoom, kind: int, table: Table, size: int, piles: int, trick: int, n: int
) -> None:
    """Fill in what each slot would take in either direction, before anything of the turn is laid."""
    for direction in range(2):
        is_up = direction == 0
        for slot in range(size + piles):
            top = table.shown[slot]
            places = 0
            if kind == PERCEIVED:
                room.capacity[direction, slot] = n - top if is_up else top - 1
            else:
                total = 0
                for card in range(top, n) if is_up else range(top - 1):
                    total += table.status[card] != LAID
                back = top - trick - 1 if is_up else top + trick - 1
                if trick > 0 and 0 <= back < n and table.status[back] != LAID:
                    total += 1
                room.capacity[direction, slot] = total
                for place in range(size):
                    if fits(is_up, top, table.shown[place], trick):
                        places |= 1 << place
            room.takes[direction, slot] = places


@kernel
def _value_side(
    room: CapacityRoom,
    values: np.ndarray,
    side: Side,
    count: int,
    direction: int,
    weights: np.ndarray,
    first_pile: int,
    piles: int,
) -> None:
    """The capacity of each entry for its own piles, without the cards that it lays itself."""
    for entry in range(count):
        value = 0
        for pile in range(piles):
            slot = side.slots[entry, pile]
            laid = bit_count(room.takes[direction, slot] & side.cards[entry])
            value += weights[first_pile + pile] * (room.capacity[direction, slot] - laid)
        values[entry] = value


@kernel
def _lost_to(
    room: CapacityRoom,
    side: Side,
    entry: int,
    direction: int,
    weights: np.ndarray,
    first_pile: int,
    piles: int,
    cards: int,
) -> int:
    """What cards laid on the other side take from the capacity of an entry."""
    lost = 0
    for pile in range(piles):
        lost += weights[first_pile + pile] * bit_count(room.takes[direction, side.slots[entry, pile]] & cards)
    return lost


@kernel
def best_capacity(
    room: CapacityRoom, numbers: Numbers, table: Table, rules: Rules, search: Search, choice: Choice
) -> bool:
    """Choose the turn with the highest (weighted) capacity; tells whether there is one."""
    up, down, longest, ranks = search.up, search.down, search.longest, search.ranks
    ups, downs, turn, weights = rules.up, rules.down, rules.turn, numbers.weights
    count_capacities(room, numbers.kind, table, search.size, ups + downs, rules.trick, rules.size)
    _value_side(room, room.up_value, up, search.up_count, 0, weights, 0, ups)
    _value_side(room, room.down_value, down, search.down_count, 1, weights, ups, downs)
    # The moves of the best leaf are worked out only when a tie or the end asks for them.
    found, pending, best, best_i, best_j = False, False, 0, 0, 0
    for up_size in range(longest + 1):
        first, last = down.layers[max(turn - up_size, 0)], down.layers[longest - up_size + 1]
        for i in range(up.layers[up_size], up.layers[up_size + 1]):
            for j in range(first, last):
                if up.cards[i] & down.cards[j]:
                    continue
                value = room.up_value[i] + room.down_value[j]
                # The cards of one side leave the capacity of the other too: that can only lower the value.
                if found and value < best:
                    continue
                if numbers.kind == REAL:
                    value -= _lost_to(room, up, i, 0, weights, 0, ups, down.cards[j])
                    value -= _lost_to(room, down, j, 1, weights, ups, downs, up.cards[i])
                if found and value == best:
                    if pending:
                        consider(choice, up, best_i, down, best_j, ranks, search.own, turn, False)
                    consider(choice, up, i, down, j, ranks, search.own, turn, True)
                    pending = False
                elif not found or value > best:
                    found, pending, best, best_i, best_j = True, True, value, i, j
    if pending:
        consider(choice, up, best_i, down, best_j, ranks, search.own, turn, False)
    return found
