"""The turn with the least penalty (Dietrich 3.4 and 3.5), at any depth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._rows import (
    Rows,
    bridge_row,
    fill_slots,
    leaf_penalty,
    list_unplayed,
    make_rows,
    mark,
    row_length,
    total_penalty,
)
from crewsolve.thegame._sides import Choice, Search, Side, consider
from crewsolve.thegame._table import HELD, LAID, Numbers, Rules, Table


class PenaltyRoom(NamedTuple):
    """Scratch space of the penalties."""

    rows: Rows
    up_rows: np.ndarray  # [entry, index] products over the side; 0 for laid cards
    down_rows: np.ndarray
    up_needs: np.ndarray  # [entry] hand places that some bridge of the side needs
    down_needs: np.ndarray
    least: np.ndarray  # [0, index] lower bound of the factors of the descending side


def make_penalty_room(size: int, slots: int, entries: int) -> PenaltyRoom:
    """Scratch space for so many entries on each side."""
    length = row_length(size)
    return PenaltyRoom(
        make_rows(size, slots),
        np.zeros((entries, length)),
        np.zeros((entries, length)),
        np.zeros(entries, np.int64),
        np.zeros(entries, np.int64),
        np.zeros((1, length)),
    )


@kernel
def _fill_side(
    entry_rows: np.ndarray, needs: np.ndarray, side: Side, last: int, is_up: bool, piles: int, rows: Rows,
    count: int, width: int, numbers: Numbers, table: Table, size: int, trick: int, deck: int,
) -> None:  # fmt: skip
    """The product rows of all entries of a side, each with its own cards laid."""
    direction = 0 if is_up else 1
    side_cards, side_slots, index = side.cards, side.slots, rows.place_of
    hand, shown, status, place = table.hand, table.shown, table.status, table.place
    slot_rows, slot_needs, spare = rows.slots[direction], rows.needs[direction], rows.spare[2, :width]
    bridge, reading = numbers.bridge[deck], numbers.reading
    for entry in range(last):
        laid, needed = side_cards[entry], 0
        for k in range(width):
            entry_rows[entry, k] = 1.0 if k < count else 0.0
        for pile in range(piles):
            slot = side_slots[entry, pile]
            needed |= slot_needs[slot]
            if slot_needs[slot] & laid:
                mark(status, hand, laid, LAID)
                for k in range(width):
                    spare[k] = slot_rows[slot, k]
                # Only a pile that shows a card has bridges, and every card they reach is written anew.
                bridge_row(spare, index, status, place, is_up, shown[slot], trick, bridge, reading)
                mark(status, hand, laid, HELD)
                for k in range(width):
                    entry_rows[entry, k] *= spare[k]
            else:
                for k in range(width):
                    entry_rows[entry, k] *= slot_rows[slot, k]
        for mine in range(size):
            if laid >> mine & 1:
                entry_rows[entry, index[hand[mine]]] = 0.0
        needs[entry] = needed


@kernel
def _fill_least(least: np.ndarray, rows: np.ndarray, first: int, last: int, width: int) -> None:
    """The smallest factor of each card over some entries of the descending side."""
    for k in range(width):
        least[0, k] = rows[first, k] if first < last else 0.0
    for j in range(first + 1, last):
        for k in range(width):
            least[0, k] = min(least[0, k], rows[j, k])


@kernel
def best_penalty(
    room: PenaltyRoom, numbers: Numbers, table: Table, rules: Rules, search: Search, choice: Choice
) -> bool:
    """Choose the turn with the least penalty; tells whether there is one."""
    rows, up, down, size, longest, ranks = (
        room.rows,
        search.up,
        search.down,
        search.size,
        search.longest,
        search.ranks,
    )
    count, deck = list_unplayed(rows.cards, rows.place_of, table.status)
    width = row_length(count)
    fill_slots(rows, count, width, numbers, table, size, rules, deck)
    up_rows, down_rows, up_needs, down_needs = room.up_rows, room.down_rows, room.up_needs, room.down_needs
    _fill_side(
        up_rows, up_needs, up, search.up_count, True, rules.up, rows, count, width, numbers, table, size,
        rules.trick, deck,
    )  # fmt: skip
    _fill_side(
        down_rows, down_needs, down, search.down_count, False, rules.down, rows, count, width, numbers, table,
        size, rules.trick, deck,
    )  # fmt: skip
    up_cards, down_cards, up_layers, down_layers = up.cards, down.cards, up.layers, down.layers
    turn, magic, least = rules.turn, numbers.magic, room.least
    # The moves of the best leaf are worked out only when a tie or the end asks for them.
    found, pending, best, best_i, best_j = False, False, 0, 0, 0
    for up_size in range(longest + 1):
        first, last = down_layers[max(turn - up_size, 0)], down_layers[longest - up_size + 1]
        _fill_least(least, down_rows, first, last, width)
        for i in range(up_layers[up_size], up_layers[up_size + 1]):
            # No factor is negative and rounding keeps the order, so the bound holds exactly.
            if found and total_penalty(up_rows, i, least, 0, width, magic) > best:
                continue
            for j in range(first, last):
                if up_cards[i] & down_cards[j]:
                    continue
                value = total_penalty(up_rows, i, down_rows, j, width, magic)
                if found and value > best:
                    continue
                if up_needs[i] & down_cards[j] or down_needs[j] & up_cards[i]:
                    # A card of one side breaks a bridge of the other: that can only raise the penalty.
                    value = leaf_penalty(
                        rows, count, width, numbers, table, up.slots[i], down.slots[j],
                        up_cards[i] | down_cards[j], rules, deck,
                    )  # fmt: skip
                if found and value == best:
                    if pending:
                        consider(choice, up, best_i, down, best_j, ranks, search.own, turn, False)
                    consider(choice, up, i, down, j, ranks, search.own, turn, True)
                    pending = False
                elif not found or value < best:
                    found, pending, best, best_i, best_j = True, True, value, i, j
    if pending:
        consider(choice, up, best_i, down, best_j, ranks, search.own, turn, False)
    return found
