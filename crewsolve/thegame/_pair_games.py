"""Whole games of two-card turns by capacity, as one function of plain arrays.

At fifty thousand games a second a turn has the time of a thousand additions: nothing is worked out again
that two cards change a little, and no tuple of arrays is handed around.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._pairs import best_pair, count_capacities, first_move, link_hand, value_moves
from crewsolve.thegame._ranks import RANDOM, rank_moves, take_out
from crewsolve.thegame._table import REAL, Rules


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
    n, ups, piles, trick, is_real = rules.size, rules.up, rules.up + rules.down, rules.trick, kind == REAL
    shown = np.zeros(rules.hand + piles, np.int64)  # shifted cards: the sorted hand, then the tops
    capacity, takes = np.empty((2, rules.hand + piles), np.int64), np.empty((2, rules.hand), np.int64)
    gains, ranks = np.empty((piles, rules.hand), np.int64), np.empty((rules.hand, piles), np.int64)
    legal, most, worth = np.empty(piles, np.int64), np.empty(piles, np.int64), np.empty(rules.hand, np.int64)
    above = np.arange(n, -1, -1)  # [shifted top] unplayed cards above it
    live, pair = np.zeros(n + 2 * trick + 2, np.int64), np.empty(4, np.int64)
    lies_at = np.zeros(n + 1, np.int64)  # [shifted card]
    for card in range(1, n + 1):
        live[card + trick] = 1
    for pile in range(piles):
        shown[rules.hand + pile] = 0 if pile < ups else n + 1
    size, drawn, laid, tricks, length, ranked = 0, 0, 0, 0, 2, -1
    while length == 2 and laid < n:
        while size < rules.hand and drawn < n:
            card, place = order[drawn] + 1, size
            while place > 0 and shown[place - 1] > card:
                shown[place] = shown[place - 1]
                place -= 1
            shown[place] = card
            lies_at[card] = size
            size += 1
            drawn += 1
        if ranked != size or ties >= RANDOM:
            rank_moves(ranks, codes, stream, ties, shown, lies_at, size, piles)
            ranked = size
        count_capacities(shown, capacity, is_real, live, above, trick, n)
        value_moves(gains, worth, legal, most, capacity, weights, is_real, shown, size, ups, trick)
        link_hand(shown, size, trick, takes)
        length = 2
        if not best_pair(gains, worth, legal, most, takes, weights, is_real, size, ups, ranks, pair):
            length = 1 if first_move(legal, ranks, pair) else 0
        for move in range(length):
            card, pile = shown[pair[2 * move]], pair[2 * move + 1]
            step = card - shown[rules.hand + pile]
            tricks += step < 0 if pile < ups else step > 0
            shown[rules.hand + pile] = card
            live[card + trick] = 0
            if ties > RANDOM:
                take_out(lies_at, shown, size, size - move, card)
            if is_real:
                for top in range(card):
                    above[top] -= 1
            moves[laid] = (card - 1) * piles + pile
            laid += 1
        kept = 0
        for place in range(size):
            if live[shown[place] + trick]:
                shown[kept] = shown[place]
                kept += 1
        size = kept
    return laid, tricks
