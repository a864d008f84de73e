"""The two best moves by capacity, for the common case: turns of two cards and no extra depth.

A pair of moves on different piles is worth the sum of what each gains alone, but for the cards that one
takes out of reach of the other's pile: those are lost anyway. Two moves on one pile are worth what the second
gains, less the first card. Gains and sets of hand places are worked out once a turn; most pairs then fall to
a bound, and the few that are left are compared by value and, where equal, by rank.

Inner functions take plain arrays: taking arrays out of tuples would cost more than the comparison.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.bits import lowest
from crewsolve.kernels.jit import kernel


@kernel
def link_hand(hand: np.ndarray, size: int, trick: int, takes: np.ndarray) -> None:
    """Fill takes[direction, place]: the hand places that a pile showing that card takes, in either direction.

    A card fits on an ascending pile that shows another exactly when that one fits on a descending pile that
    shows the first.
    """
    whole, back = (1 << size) - 1, 0
    for place in range(size):
        takes[0, place] = whole & ~((2 << place) - 1)
        takes[1, place] = (1 << place) - 1
        if trick > 0:
            while hand[back] < hand[place] - trick:
                back += 1
            if hand[back] == hand[place] - trick:
                takes[0, place] |= 1 << back
                takes[1, back] |= 1 << place


@kernel
def count_capacities(
    shown: np.ndarray,
    capacity: np.ndarray,
    is_real: bool,
    live: np.ndarray,
    above: np.ndarray,
    trick: int,
    n: int,
) -> None:
    """Fill capacity[direction, slot]: how many cards a pile takes that shows the (shifted) card of the slot.

    live[shifted card + trick] is 1 for unplayed cards and 0 for all else, margins of a trick included.
    """
    has_trick = 1 if trick > 0 else 0
    for slot in range(len(shown)):
        top = shown[slot]
        if is_real:
            capacity[0, slot] = above[min(top, n)] + has_trick * live[top]
            capacity[1, slot] = above[0] - above[max(top - 1, 0)] + has_trick * live[top + 2 * trick]
        else:
            capacity[0, slot] = n - top
            capacity[1, slot] = top - 1


@kernel
def value_moves(
    gains: np.ndarray,
    worth: np.ndarray,
    legal: np.ndarray,
    most: np.ndarray,
    capacity: np.ndarray,
    weights: np.ndarray,
    is_real: bool,
    shown: np.ndarray,
    size: int,
    ups: int,
    trick: int,
) -> None:
    """Value every single move.

    gains[pile, place] is what the move adds to the value, worth[place] what the card is worth to all piles
    now, legal[pile] the set of hand places that it takes, most[pile] the highest gain among them.
    """
    for place in range(size):
        worth[place] = 0
    for pile in range(len(legal)):
        top, places, charge = shown[len(worth) + pile], 0, weights[pile] if is_real else 0
        way, back = (1, top - trick) if pile < ups else (-1, top + trick)
        if trick == 0:
            back = -1
        for place in range(size):
            card = shown[place]
            is_legal = 1 if ((card - top) * way > 0) | (card == back) else 0
            places |= is_legal << place
            worth[place] += is_legal * charge
        legal[pile] = places
    for pile in range(len(legal)):
        direction, weight, charge = 0 if pile < ups else 1, weights[pile], weights[pile] if is_real else 0
        now, highest, places = capacity[direction, len(worth) + pile], -(1 << 60), legal[pile]
        for place in range(size):
            is_legal = places >> place & 1
            gain = weight * (capacity[direction, place] - now) - worth[place] + is_legal * charge
            gains[pile, place] = gain
            highest = max(highest, gain if is_legal else -(1 << 60))
        most[pile] = highest


@kernel
def _best_apart(
    gains: np.ndarray,
    legal: np.ndarray,
    most: np.ndarray,
    takes: np.ndarray,
    weights: np.ndarray,
    is_real: bool,
    ups: int,
    ranks: np.ndarray,
    out: np.ndarray,
) -> tuple[int, int]:
    """Write the best two moves on different piles to `out`; returns their value and their key.

    The key orders pairs of moves by their ranks; it is below 0 when there is no pair.
    """
    best, best_key = -(1 << 60), -1
    for pile in range(len(legal)):
        for target in range(pile + 1, len(legal)):
            slack = weights[pile] + weights[target] if is_real else 0
            if most[pile] + most[target] + slack < best:
                continue
            first_way, second_way = 0 if pile < ups else 1, 0 if target < ups else 1
            firsts = legal[pile]
            while firsts:
                place = lowest(firsts)
                firsts &= firsts - 1
                gain = gains[pile, place]
                if gain + most[target] + slack < best:
                    continue
                seconds = legal[target] & ~(1 << place)
                while seconds:
                    second = lowest(seconds)
                    seconds &= seconds - 1
                    value = gain + gains[target, second]
                    if value + slack < best:
                        continue
                    if is_real:
                        # Each card was charged to the other's pile as it lies now: charge it as it will lie.
                        kept = (legal[target] >> place & 1) - (takes[second_way, second] >> place & 1)
                        value += weights[target] * kept
                        kept = (legal[pile] >> second & 1) - (takes[first_way, place] >> second & 1)
                        value += weights[pile] * kept
                    one, two = ranks[place, pile], ranks[second, target]
                    key = min(one, two) * ranks.size + max(one, two)
                    if value > best or (value == best and key < best_key):
                        best, best_key = value, key
                        out[0], out[1], out[2], out[3] = place, pile, second, target
                        if two < one:
                            out[0], out[1], out[2], out[3] = second, target, place, pile
    return best, best_key


@kernel
def best_pair(
    gains: np.ndarray,
    worth: np.ndarray,
    legal: np.ndarray,
    most: np.ndarray,
    takes: np.ndarray,
    weights: np.ndarray,
    is_real: bool,
    size: int,
    ups: int,
    ranks: np.ndarray,
    out: np.ndarray,
) -> bool:
    """Write hand places and piles of the best two moves to `out`; tells whether there are two."""
    best, best_key = _best_apart(gains, legal, most, takes, weights, is_real, ups, ranks, out)
    for pile in range(len(legal)):
        way, weight = 0 if pile < ups else 1, weights[pile]
        for second in range(size):
            if gains[pile, second] < best:
                continue
            firsts = legal[pile] & takes[1 - way, second]
            while firsts:
                place = lowest(firsts)
                firsts &= firsts - 1
                value = gains[pile, second]
                if is_real:
                    value -= worth[place] - weight + weight * (takes[way, second] >> place & 1)
                key = ranks[place, pile] * ranks.size + ranks[second, pile]
                if value > best or (value == best and key < best_key):
                    best, best_key = value, key
                    out[0], out[1], out[2], out[3] = place, pile, second, pile
    return best_key >= 0


@kernel
def first_move(legal: np.ndarray, ranks: np.ndarray, out: np.ndarray) -> bool:
    """Write the legal move that comes first to `out`; tells whether there is one."""
    found = -1
    for pile in range(len(legal)):
        places = legal[pile]
        while places:
            place = lowest(places)
            places &= places - 1
            if found < 0 or ranks[place, pile] < found:
                found = ranks[place, pile]
                out[0], out[1] = place, pile
    return found >= 0
