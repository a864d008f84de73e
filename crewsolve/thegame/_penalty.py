"""The turn with the least penalty (Dietrich 3.4 and 3.5), at any depth.

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
from crewsolve.thegame._sides import Choice, Side, consider
from crewsolve.thegame._table import BRIDGES, HELD, IN_DECK, LAID, Numbers, Rules, Table


class PenaltyRoom(NamedTuple):
    """Scratch space of the penalties."""

    slot_rows: np.ndarray  # [direction, slot, card] penalties on a pile that shows the slot
    slot_needs: np.ndarray  # [direction, slot] hand places that some bridge of it needs
    up_rows: np.ndarray  # [entry, card] products over the side; 0 for laid cards
    down_rows: np.ndarray
    up_needs: np.ndarray  # [entry] hand places that some bridge of the side needs
    down_needs: np.ndarray
    live: np.ndarray  # [card] 1 for unplayed cards, 0 for laid ones
    least: np.ndarray  # [card] lower bound of the factors of the descending side
    spare: np.ndarray  # [3, card]


def make_penalty_room(size: int, slots: int, entries: int) -> PenaltyRoom:
    """Scratch space for so many entries on each side."""
    return PenaltyRoom(
        np.zeros((2, slots, size)),
        np.zeros((2, slots), np.int64),
        np.zeros((entries, size)),
        np.zeros((entries, size)),
        np.zeros(entries, np.int64),
        np.zeros(entries, np.int64),
        np.zeros(size),
        np.zeros(size),
        np.zeros((3, size)),
    )


@kernel
def total_penalty(up_row: np.ndarray, down_row: np.ndarray, magic: float) -> int:
    """The sum of the products in units of the grid, a whole number.

    Adding `magic` leaves the rounded product in the low bits of the float, where an integer sum picks it up.
    """
    zero = float_bits(magic)
    total = 0
    for card in range(len(up_row)):
        total += float_bits(up_row[card] * down_row[card] + magic) - zero
    return total


@kernel
def bridge_row(
    row: np.ndarray,
    status: np.ndarray,
    place: np.ndarray,
    is_up: bool,
    top: int,
    trick: int,
    penalties: np.ndarray,
    direct: bool,
) -> int:
    """Overwrite the penalties of the cards that one backwards trick could recover (Dietrich 3.5.3).

    Walks from the card of the direct trick towards the top, counting the bridges that reach at least as far:
    those that need a single card from the deck, those that need two, and whether one is held completely.
    Returns the hand places that some bridge needs.
    """
    n = len(row)
    toward = 1 if is_up else -1
    single, double, held, needs = 0, 0, False, 0
    for distance in range(trick, 0, -1):
        near = top - 1 - toward * distance
        if not 0 <= near < n or status[near] == LAID:
            continue
        far = near + toward * trick
        is_direct = distance == trick
        if direct if is_direct else (0 <= far < n and status[far] != LAID):
            near_held, far_held = status[near] == HELD, is_direct or status[far] == HELD
            held |= near_held and far_held
            single += near_held != far_held
            double += not near_held and not far_held
            if near_held:
                needs |= 1 << place[near]
            if far_held and not is_direct:
                needs |= 1 << place[far]
        if not is_direct:
            row[near] = 1.0 if held else penalties[single, double]
    return needs


@kernel
def _mark(status: np.ndarray, hand: np.ndarray, cards: int, mark: int) -> None:
    """Lay cards of the hand, or take them back."""
    place = 0
    while cards:
        if cards & 1:
            status[hand[place]] = mark
        cards >>= 1
        place += 1


@kernel
def _fill_slot(
    row: np.ndarray,
    penalty: np.ndarray,
    top: int,
    is_up: bool,
    has_bridges: bool,
    status: np.ndarray,
    place: np.ndarray,
    trick: int,
    penalties: np.ndarray,
    direct: bool,
) -> int:
    """The penalties of all cards on a pile that shows `top`; returns the needed hand places."""
    n = len(row)
    direction = 0 if is_up else 1
    for card in range(n):
        row[card] = penalty[direction, top, card]
    if has_bridges and 1 <= top <= n:
        return bridge_row(row, status, place, is_up, top, trick, penalties, direct)
    return 0


@kernel
def _fill_slots(
    room: PenaltyRoom, numbers: Numbers, table: Table, size: int, rules: Rules, deck: int
) -> None:
    """The rows of all slots in both directions."""
    hand, shown, status, place = table.hand, table.shown, table.status, table.place
    rows, needs, penalty, penalties = room.slot_rows, room.slot_needs, numbers.penalty, numbers.bridge[deck]
    has_bridges = numbers.kind == BRIDGES
    for direction in range(2):
        first = size if direction == 0 else size + rules.up
        last = size + rules.up if direction == 0 else size + rules.up + rules.down
        for slot in range(last):
            if size <= slot < first:
                continue
            # A slot of the hand is only ever shown when its card is laid.
            if slot < size:
                status[hand[slot]] = LAID
            needs[direction, slot] = _fill_slot(
                rows[direction, slot], penalty, shown[slot], direction == 0, has_bridges, status, place,
                rules.trick, penalties, numbers.direct,
            )  # fmt: skip
            if slot < size:
                status[hand[slot]] = HELD


@kernel
def _fill_side(
    rows: np.ndarray,
    needs: np.ndarray,
    side: Side,
    first: int,
    last: int,
    is_up: bool,
    piles: int,
    room: PenaltyRoom,
    numbers: Numbers,
    table: Table,
    size: int,
    trick: int,
    deck: int,
) -> None:
    """The product rows of some entries of a side, each with its own cards laid."""
    direction = 0 if is_up else 1
    side_cards, side_slots = side.cards, side.slots
    slot_rows, slot_needs, live, spare = room.slot_rows, room.slot_needs, room.live, room.spare[2]
    hand, shown, status, place = table.hand, table.shown, table.status, table.place
    penalty, penalties, direct = numbers.penalty, numbers.bridge[deck], numbers.direct
    n = len(live)
    for entry in range(first, last):
        cards, needed = side_cards[entry], 0
        if piles == 0:
            for card in range(n):
                rows[entry, card] = live[card]
        for pile in range(piles):
            slot = side_slots[entry, pile]
            own = 1 << slot if slot < size else 0
            needed |= slot_needs[direction, slot]
            if slot_needs[direction, slot] & cards & ~own:
                _mark(status, hand, cards, LAID)
                _fill_slot(spare, penalty, shown[slot], is_up, True, status, place, trick, penalties, direct)
                _mark(status, hand, cards, HELD)
                for card in range(n):
                    rows[entry, card] = spare[card] * (rows[entry, card] if pile else live[card])
            elif pile == 0:
                for card in range(n):
                    rows[entry, card] = live[card] * slot_rows[direction, slot, card]
            else:
                for card in range(n):
                    rows[entry, card] *= slot_rows[direction, slot, card]
        for mine in range(size):
            if cards >> mine & 1:
                rows[entry, hand[mine]] = 0.0
        needs[entry] = needed


@kernel
def _leaf_penalty(
    up: Side,
    i: int,
    down: Side,
    j: int,
    room: PenaltyRoom,
    numbers: Numbers,
    table: Table,
    rules: Rules,
    deck: int,
) -> int:
    """The penalty of a leaf from scratch, for leaves where one side breaks a bridge of the other."""
    cards = up.cards[i] | down.cards[j]
    hand, shown, status, place = table.hand, table.shown, table.status, table.place
    penalty, penalties = numbers.penalty, numbers.bridge[deck]
    factor, n = room.spare[2], rules.size
    _mark(status, hand, cards, LAID)
    for direction in range(2):
        product = room.spare[direction]
        for card in range(n):
            product[card] = 0.0 if status[card] == LAID else 1.0
        for pile in range(rules.up if direction == 0 else rules.down):
            slot = up.slots[i, pile] if direction == 0 else down.slots[j, pile]
            _fill_slot(
                factor, penalty, shown[slot], direction == 0, True, status, place, rules.trick, penalties,
                numbers.direct,
            )  # fmt: skip
            for card in range(n):
                product[card] *= factor[card]
    _mark(status, hand, cards, HELD)
    return total_penalty(room.spare[0], room.spare[1], numbers.magic)


@kernel
def _fill_least(least: np.ndarray, rows: np.ndarray, first: int, last: int) -> None:
    """The smallest factor of each card over some entries of the descending side."""
    for card in range(len(least)):
        least[card] = rows[first, card] if first < last else 0.0
    for j in range(first + 1, last):
        for card in range(len(least)):
            least[card] = min(least[card], rows[j, card])


@kernel
def best_penalty(
    room: PenaltyRoom,
    numbers: Numbers,
    table: Table,
    size: int,
    up: Side,
    down: Side,
    counts: tuple[int, int],
    rules: Rules,
    choice: Choice,
    ranks: np.ndarray,
    longest: int,
) -> bool:
    """Choose the turn with the least penalty; tells whether there is one."""
    deck = 0
    for card in range(rules.size):
        room.live[card] = 0.0 if table.status[card] == LAID else 1.0
        deck += table.status[card] == IN_DECK
    _fill_slots(room, numbers, table, size, rules, deck)
    up_rows, down_rows, up_needs, down_needs = room.up_rows, room.down_rows, room.up_needs, room.down_needs
    _fill_side(
        up_rows, up_needs, up, 0, counts[0], True, rules.up, room, numbers, table, size, rules.trick, deck
    )
    _fill_side(
        down_rows,
        down_needs,
        down,
        0,
        counts[1],
        False,
        rules.down,
        room,
        numbers,
        table,
        size,
        rules.trick,
        deck,
    )
    up_cards, down_cards, up_layers, down_layers = up.cards, down.cards, up.layers, down.layers
    turn, magic, least = rules.turn, numbers.magic, room.least
    # The moves of the best leaf are worked out only when a tie or the end asks for them.
    found, pending, best, best_i, best_j = False, False, 0, 0, 0
    for up_size in range(longest + 1):
        first, last = down_layers[max(turn - up_size, 0)], down_layers[longest - up_size + 1]
        _fill_least(least, down_rows, first, last)
        for i in range(up_layers[up_size], up_layers[up_size + 1]):
            # No factor is negative and rounding keeps the order, so the bound holds exactly.
            if found and total_penalty(up_rows[i], least, magic) > best:
                continue
            for j in range(first, last):
                if up_cards[i] & down_cards[j]:
                    continue
                value = total_penalty(up_rows[i], down_rows[j], magic)
                if found and value > best:
                    continue
                if up_needs[i] & down_cards[j] or down_needs[j] & up_cards[i]:
                    # A card of one side breaks a bridge of the other: that can only raise the penalty.
                    value = _leaf_penalty(up, i, down, j, room, numbers, table, rules, deck)
                if found and value == best:
                    if pending:
                        consider(choice, up, best_i, down, best_j, rules.up, ranks, turn, False)
                    consider(choice, up, i, down, j, rules.up, ranks, turn, True)
                    pending = False
                elif not found or value < best:
                    found, pending, best, best_i, best_j = True, True, value, i, j
    if pending:
        consider(choice, up, best_i, down, best_j, rules.up, ranks, turn, False)
    return found
