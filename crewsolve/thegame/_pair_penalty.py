"""The two moves with the least penalty, for the common case: turns of two cards, no extra depth, few piles.

Two moves on one pile are worth what the second is worth alone, less the first card: no sum is needed. For two
moves on different piles the products over the untouched piles are formed once. Bridges that a move breaks on
another's pile can only raise the penalty, so they are looked at only where the penalty without them is low
enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.kernels.bits import lowest
from crewsolve.kernels.jit import kernel
from crewsolve.thegame._bits import float_bits
from crewsolve.thegame._pairs import link_hand
from crewsolve.thegame._rows import (
    Rows,
    fill_slots,
    leaf_penalty,
    list_unplayed,
    make_rows,
    row_length,
    total_penalty,
)
from crewsolve.thegame._sides import fits
from crewsolve.thegame._table import Numbers, Rules, Table

MOST_PILES = 2
"""Piles of a direction: with more, the order of the factors would matter for the rounding."""

_NONE = 1 << 62


class PairRoom(NamedTuple):
    """Scratch space of the pairs."""

    rows: Rows
    sides: np.ndarray  # [pile, place, index] product over the pile's direction with that card on the pile
    rest: np.ndarray  # [direction, index] product over the piles of a direction as they lie
    pairs: np.ndarray  # [0, index] product of two rows
    least: np.ndarray  # [0, index] smallest factor of a pile over its moves
    legal: np.ndarray  # [pile] hand places that the pile takes
    takes: np.ndarray  # [direction, place] hand places that a pile showing that card takes
    alone: np.ndarray  # [pile, place] penalty with that move alone
    slots: np.ndarray  # [pile] what the piles show in the leaf under comparison
    best: np.ndarray  # penalty and rank key of the kept pair, its places and piles


def make_pair_room(rules: Rules) -> PairRoom:
    """Scratch space for the pairs of a game."""
    piles, length = rules.up + rules.down, row_length(rules.size)
    return PairRoom(
        make_rows(rules.size, rules.hand + piles),
        np.zeros((piles, rules.hand, length)),
        np.zeros((2, length)),
        np.zeros((1, length)),
        np.zeros((1, length)),
        np.zeros(piles, np.int64),
        np.zeros((2, rules.hand), np.int64),
        np.zeros((piles, rules.hand), np.int64),
        np.zeros(piles, np.int64),
        np.zeros(6, np.int64),
    )


class Turn(NamedTuple):
    """The sizes of one turn."""

    size: int  # cards in hand
    unplayed: int
    width: int  # numbers in a row
    deck: int  # cards still to be drawn


@kernel
def _pair_penalty(
    left: np.ndarray, i: int, right: np.ndarray, j: int, rest: np.ndarray, other: int, spare: np.ndarray,
    width: int, magic: float,
) -> int:  # fmt: skip
    """The penalty of two rows: of both directions (`other` < 0), or of one, with the rest of the other.

    (a b) c is rounded like (a c) b only by luck: bounds are formed as the values are.
    """
    if other < 0:
        return total_penalty(left, i, right, j, width, magic)
    for k in range(width):
        spare[0, k] = left[i, k] * right[j, k]
    return total_penalty(spare, 0, rest, other, width, magic)


@kernel
def fill_least(least: np.ndarray, rows: np.ndarray, places: int, width: int) -> None:
    """The smallest factor of each card over the rows of some hand places."""
    for k in range(width):
        least[0, k] = np.inf
    while places:
        place = lowest(places)
        places &= places - 1
        for k in range(width):
            least[0, k] = min(least[0, k], rows[place, k])


@kernel
def _fill_products(
    sides: np.ndarray, rest: np.ndarray, slots: np.ndarray, size: int, width: int, count: int, ups: int
) -> None:
    """The products over each direction: as the piles lie, and with one card laid on one of them."""
    piles = len(sides)
    for direction in range(2):
        first, last = (0, ups) if direction == 0 else (ups, piles)
        for k in range(width):
            rest[direction, k] = 1.0 if k < count else 0.0
        for pile in range(first, last):
            for k in range(width):
                rest[direction, k] *= slots[direction, size + pile, k]
            other = first + last - 1 - pile  # the pile itself where it is the only one
            for place in range(size):
                for k in range(width):
                    sides[pile, place, k] = slots[direction, place, k]
                if other != pile:
                    for k in range(width):
                        sides[pile, place, k] *= slots[direction, size + other, k]


@kernel
def _value_alone(
    alone: np.ndarray, legal: np.ndarray, sides: np.ndarray, rest: np.ndarray, shown: np.ndarray, size: int,
    width: int, ups: int, trick: int, magic: float,
) -> None:  # fmt: skip
    """The penalty after each single move, allowed or not, and the places that each pile takes."""
    for pile in range(len(legal)):
        is_up, places, mine = pile < ups, 0, sides[pile]
        for place in range(size):
            if fits(is_up, shown[size + pile], shown[place], trick):
                places |= 1 << place
            alone[pile, place] = total_penalty(mine, place, rest, 1 if is_up else 0, width, magic)
        legal[pile] = places


@kernel
def _breaks(
    slots: np.ndarray, needs: np.ndarray, size: int, ups: int, place: int, pile: int, second: int, target: int
) -> bool:
    """Fill in the slots of a leaf; tells whether one of its moves takes a card that a bridge needs."""
    needed = 0
    for other in range(len(slots)):
        slots[other] = place if other == pile else size + other
        if other == target:
            slots[other] = second
        needed |= needs[0 if other < ups else 1, slots[other]]
    return needed & (1 << place | 1 << second) != 0


@kernel
def _keep(
    best: np.ndarray, value: int, ranks: np.ndarray, place: int, pile: int, second: int, target: int
) -> None:
    """Keep two moves when their penalty is less than the kept one's, or equal and their ranks come first."""
    one, two = ranks[place, pile], ranks[second, target]
    if pile != target and two < one:
        one, two, place, pile, second, target = two, one, second, target, place, pile
    key = one * ranks.size + two
    if value < best[0] or (value == best[0] and key < best[1]):
        best[0], best[1] = value, key
        best[2], best[3], best[4], best[5] = place, pile, second, target


@kernel
def _compare_stacked(
    room: PairRoom, numbers: Numbers, table: Table, rules: Rules, ranks: np.ndarray, turn: Turn
) -> None:
    """Look at all pairs of moves on one pile."""
    best, sides, rest, alone, takes, legal = (
        room.best,
        room.sides,
        room.rest,
        room.alone,
        room.takes,
        room.legal,
    )
    slots, needs, place_of, hand = room.slots, room.rows.needs, room.rows.place_of, table.hand
    magic, zero, ups, size = numbers.magic, float_bits(numbers.magic), rules.up, turn.size
    for pile in range(len(legal)):
        way = 0 if pile < ups else 1
        for second in range(size):
            firsts = legal[pile] & takes[1 - way, second]
            while firsts:
                place = lowest(firsts)
                firsts &= firsts - 1
                k = place_of[hand[place]]
                cost = float_bits(sides[pile, second, k] * rest[1 - way, k] + magic) - zero
                value = alone[pile, second] - cost
                if value > best[0]:
                    continue
                # The first card lies beneath the second: only the second is a slot.
                if _breaks(slots, needs, size, ups, place, -1, second, pile):
                    value = leaf_penalty(
                        room.rows, turn.unplayed, turn.width, numbers, table, slots[:ups], slots[ups:],
                        1 << place | 1 << second, rules, turn.deck,
                    )  # fmt: skip
                _keep(best, value, ranks, place, pile, second, pile)


@kernel
def _compare_apart(
    room: PairRoom, numbers: Numbers, table: Table, rules: Rules, ranks: np.ndarray, turn: Turn
) -> None:
    """Look at all pairs of moves on two piles; a first move falls when no partner can help it enough."""
    best, sides, rest, legal, rows = room.best, room.sides, room.rest, room.legal, room.rows.slots
    slots, needs, least, pairs = room.slots, room.rows.needs, room.least, room.pairs
    magic, ups, size, width = numbers.magic, rules.up, turn.size, turn.width
    for pile in range(len(legal)):
        for target in range(len(legal) - 1, pile, -1):
            way, is_mixed = 0 if pile < ups else 1, (pile < ups) != (target < ups)
            mine, partners = sides[pile], sides[target]
            other = -1 if is_mixed else 1 - way
            if not is_mixed:
                mine, partners = rows[way], rows[way]
            fill_least(least, partners, legal[target], width)
            for place in range(size):
                if not legal[pile] >> place & 1:
                    continue
                # No factor is negative and rounding keeps the order, so the bound holds exactly.
                if _pair_penalty(mine, place, least, 0, rest, other, pairs, width, magic) > best[0]:
                    continue
                seconds = legal[target] & ~(1 << place)
                while seconds:
                    second = lowest(seconds)
                    seconds &= seconds - 1
                    value = _pair_penalty(mine, place, partners, second, rest, other, pairs, width, magic)
                    if value > best[0]:
                        continue
                    if _breaks(slots, needs, size, ups, place, pile, second, target):
                        value = leaf_penalty(
                            room.rows, turn.unplayed, width, numbers, table, slots[:ups], slots[ups:],
                            1 << place | 1 << second, rules, turn.deck,
                        )  # fmt: skip
                    _keep(best, value, ranks, place, pile, second, target)


@kernel
def best_penalty_pair(
    room: PairRoom, numbers: Numbers, table: Table, size: int, rules: Rules, ranks: np.ndarray
) -> bool:
    """Find the two moves with the least penalty for `room.best`; tells whether there are two."""
    rows, best, shown = room.rows, room.best, table.shown
    count, deck = list_unplayed(rows.cards, rows.place_of, table.status)
    width = row_length(count)
    fill_slots(rows, count, width, numbers, table, size, rules, deck)
    _fill_products(room.sides, room.rest, rows.slots, size, width, count, rules.up)
    _value_alone(
        room.alone,
        room.legal,
        room.sides,
        room.rest,
        shown,
        size,
        width,
        rules.up,
        rules.trick,
        numbers.magic,
    )
    link_hand(shown, size, rules.trick, room.takes)
    best[0], best[1] = _NONE, -1
    turn = Turn(size, count, width, deck)
    _compare_stacked(room, numbers, table, rules, ranks, turn)
    _compare_apart(room, numbers, table, rules, ranks, turn)
    return best[1] >= 0
