"""Of plays that differ only by exchanging alike cards, keep one.

Two cards c < d of one hand and suit with equal labels are alike from trick t on, if every card between them
has been played before t: exchanging them in the rest of a play changes neither what is legal, nor who
wins, nor what the goals see. So if c and d are both unplayed, d need not be played to trick t. All these
exclusions hold together: each exchange puts a lower card into the first trick it changes, so the winning
play whose tricks, as tuples of cards by seat, come first in lexicographic order violates none of them.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from crewsolve.encodings.lean.variables import Blocks, Ints, Table, rows


def lower_of_alike_cards_first(table: Table, labels: Ints) -> Blocks:
    """¬plays(d, t) ∨ before(c, t) ∨ ¬(all cards between them are gone): at most T clauses for each pair."""
    gone, blocks = table.before, []
    by_distance: dict[int, list[tuple[int, int]]] = {}
    for c, d in alike_pairs(table, labels):
        by_distance.setdefault(d - c, []).append((c, d))
    for distance, pairs in by_distance.items():
        lower, higher = np.array(pairs).T
        if distance == 1:
            blocks.append(rows(-table.plays[higher, 0]))
        between = (-gone[lower + step] for step in range(1, distance))
        blocks.append(rows(-table.plays[higher, 1:], gone[lower], *between))
    return blocks


def alike_pairs(table: Table, labels: Ints) -> list[tuple[int, int]]:
    """The pairs of cards of one holding with equal labels; cards on the table stay there."""
    kinds: dict[tuple[int, ...], list[int]] = {}
    for row, key in enumerate(zip(table.holding.tolist(), *labels.tolist(), strict=True)):
        if row not in table.running:
            kinds.setdefault(key, []).append(row)
    return [pair for alike in kinds.values() for pair in combinations(alike, 2)]
