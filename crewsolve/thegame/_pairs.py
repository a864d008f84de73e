"""The capacities once more, for the common case: turns of two cards and no extra depth.

A pair of moves on different piles is worth the sum of what each gains alone, but for the cards that one
takes out of reach of the other's pile: those are lost anyway. Two moves on one pile are worth what the second
gains, less the first card. All orders of two moves are tried in the order of their ranks, so the
first of equals wins; a first move is skipped when even the best partner cannot help it.

The whole game is one function of plain arrays: handing tuples of arrays around would take longer.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._ranks import RANDOM, rank_moves
from crewsolve.thegame._sides import fits
from crewsolve.thegame._table import HELD, IN_DECK, LAID, REAL, Rules


@njit(inline="always")
def count_above(status: np.ndarray, above: np.ndarray) -> None:
    """How many unplayed cards lie above each shifted top."""
    n = len(status)
    above[n] = 0
    for card in range(n - 1, -1, -1):
        above[card] = above[card + 1] + (status[card] != LAID)
    above[n + 1] = 0


@njit(inline="always")
def _capacity(
    is_real: bool, is_up: bool, top: int, trick: int, n: int, status: np.ndarray, above: np.ndarray
) -> int:
    """The number of cards that a pile showing `top` takes."""
    if not is_real:
        return n - top if is_up else top - 1
    total = above[top] if is_up else above[0] - above[top - 1]
    back = top - trick - 1 if is_up else top + trick - 1
    if trick > 0 and 0 <= back < n and status[back] != LAID:
        total += 1
    return total


@njit(inline="always")
def _apart(
    m: int,
    k: int,
    listed: np.ndarray,
    costs: np.ndarray,
    weights: np.ndarray,
    is_real: bool,
    hand: np.ndarray,
    ups: int,
    trick: int,
) -> int:
    """What two listed moves on different piles gain together."""
    place, pile, second, target = listed[0, m], listed[1, m], listed[0, k], listed[1, k]
    value = listed[2, m] + listed[2, k]
    if is_real:
        card, partner = hand[place] + 1, hand[second] + 1
        value += costs[place, target] + costs[second, pile]
        if fits(target < ups, partner, card, trick):
            value -= weights[target]
        if fits(pile < ups, card, partner, trick):
            value -= weights[pile]
    return value


@njit(inline="always")
def best_pair(
    gains: np.ndarray,
    costs: np.ndarray,
    listed: np.ndarray,
    weights: np.ndarray,
    kind: int,
    hand: np.ndarray,
    status: np.ndarray,
    above: np.ndarray,
    tops: np.ndarray,
    size: int,
    ups: int,
    piles: int,
    trick: int,
    ranks: np.ndarray,
    out: np.ndarray,
) -> int:
    """Choose the best two moves, or one when there are no two; writes hand places and piles to `out`.

    Returns the number of moves. gains[place, pile] is what the move adds to the value, costs[place, pile]
    what the card is worth to the pile now, listed[0 to 2] place, pile and gain of the legal moves, by rank.
    """
    is_real = kind == REAL
    count = _list_moves(
        gains, costs, listed, weights, is_real, hand, status, above, tops, size, ups, piles, trick, ranks
    )
    if count == 0:
        return 0
    top, slack = 0, 0
    for m in range(count):
        if listed[2, m] > listed[2, top]:
            top = m
    if is_real:
        for pile in range(piles):
            slack = max(slack, 2 * weights[pile])
    # A first bound from the best single move: some pair is better than `best`, whichever is found first.
    found, best = False, np.int64(-(1 << 60))
    for k in range(count):
        if listed[0, k] != listed[0, top] and listed[1, k] != listed[1, top]:
            best = max(best, _apart(top, k, listed, costs, weights, is_real, hand, ups, trick) - 1)
    for m in range(count):
        place, pile, gain = listed[0, m], listed[1, m], listed[2, m]
        if gain + listed[2, top] + slack > best:
            for k in range(m + 1, count):
                if gain + listed[2, k] + slack <= best or listed[0, k] == place or listed[1, k] == pile:
                    continue
                value = _apart(m, k, listed, costs, weights, is_real, hand, ups, trick)
                if value > best:
                    found, best = True, value
                    out[0], out[1], out[2], out[3] = place, pile, listed[0, k], listed[1, k]
        is_up, weight, card, own_cost = pile < ups, weights[pile], hand[place] + 1, 0
        if is_real:
            for other in range(piles):
                own_cost += costs[place, other]
            own_cost -= costs[place, pile]
        for second in range(size):
            value = gains[second, pile] - own_cost
            partner = hand[second] + 1
            if value < best or second == place or not fits(is_up, card, partner, trick):
                continue
            if is_real and fits(is_up, partner, card, trick):
                value -= weight
            if value > best or (found and value == best and _comes_first(ranks, place, pile, second, out)):
                found, best = True, value
                out[0], out[1], out[2], out[3] = place, pile, second, pile
    if not found:
        out[0], out[1] = listed[0, 0], listed[1, 0]
    return 2 if found else 1


@njit(inline="always")
def _comes_first(ranks: np.ndarray, place: int, pile: int, second: int, out: np.ndarray) -> bool:
    """Tell whether the moves on one pile precede those kept so far, which have an equal value."""
    first, kept = ranks[place, pile], ranks[out[0], out[1]]
    return first < kept or (first == kept and ranks[second, pile] < ranks[out[2], out[3]])


@njit(inline="always")
def _list_moves(
    gains: np.ndarray,
    costs: np.ndarray,
    listed: np.ndarray,
    weights: np.ndarray,
    is_real: bool,
    hand: np.ndarray,
    status: np.ndarray,
    above: np.ndarray,
    tops: np.ndarray,
    size: int,
    ups: int,
    piles: int,
    trick: int,
    ranks: np.ndarray,
) -> int:
    """Value every single move and list the legal ones by rank; returns their number."""
    n, total = len(status), size * piles
    if is_real:
        count_above(status, above)
    for rank in range(total):
        listed[0, rank] = -1
    for pile in range(piles):
        is_up, top, weight = pile < ups, tops[pile], weights[pile]
        now = _capacity(is_real, is_up, top, trick, n, status, above)
        for place in range(size):
            card = hand[place] + 1
            is_legal = fits(is_up, top, card, trick)
            costs[place, pile] = weight if is_real and is_legal else 0
            gains[place, pile] = weight * (_capacity(is_real, is_up, card, trick, n, status, above) - now)
            if is_legal:
                listed[0, ranks[place, pile]] = place
                listed[1, ranks[place, pile]] = pile
    if is_real:
        for place in range(size):
            worth = 0
            for pile in range(piles):
                worth += costs[place, pile]
            for pile in range(piles):
                gains[place, pile] -= worth - costs[place, pile]
    count = 0
    for rank in range(total):
        place, pile = listed[0, rank], listed[1, rank]
        if place >= 0:
            listed[0, count], listed[1, count], listed[2, count] = place, pile, gains[place, pile]
            count += 1
    return count


@kernel
def play_pairs(
    order: np.ndarray,
    weights: np.ndarray,
    kind: int,
    rules: Rules,
    ties: int,
    stream: np.ndarray,
    codes: np.ndarray,
    moves: np.ndarray,
) -> tuple[int, int]:
    """Play one game of two-card turns by capacity; see `play_game`."""
    n, ups, piles, trick = rules.size, rules.up, rules.up + rules.down, rules.trick
    tops, hand, status = np.empty(piles, np.int64), np.empty(rules.hand, np.int64), np.full(n, IN_DECK)
    gains, costs = np.empty((rules.hand, piles), np.int64), np.empty((rules.hand, piles), np.int64)
    listed, ranks = np.empty((3, rules.hand * piles), np.int64), np.empty((rules.hand, piles), np.int64)
    above, pair = np.empty(n + 2, np.int64), np.empty(4, np.int64)
    for pile in range(piles):
        tops[pile] = 0 if pile < ups else n + 1
    size, drawn, laid, tricks, length, ranked = 0, 0, 0, 0, 2, -1
    while length == 2 and laid < n:
        while size < rules.hand and drawn < n:
            place = size
            while place > 0 and hand[place - 1] > order[drawn]:
                hand[place] = hand[place - 1]
                place -= 1
            hand[place] = order[drawn]
            status[order[drawn]] = HELD
            size += 1
            drawn += 1
        if ranked != size or ties == RANDOM:
            rank_moves(ranks, codes, stream, ties, size, piles)
            ranked = size
        length = best_pair(
            gains,
            costs,
            listed,
            weights,
            kind,
            hand,
            status,
            above,
            tops,
            size,
            ups,
            piles,
            trick,
            ranks,
            pair,
        )
        for move in range(length):
            card, pile = hand[pair[2 * move]], pair[2 * move + 1]
            step = card + 1 - tops[pile]
            tricks += step < 0 if pile < ups else step > 0
            tops[pile] = card + 1
            status[card] = LAID
            moves[laid] = card * piles + pile
            laid += 1
        kept = 0
        for place in range(size):
            if status[hand[place]] != LAID:
                hand[kept] = hand[place]
                kept += 1
        size = kept
    return laid, tricks
