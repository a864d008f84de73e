"""How equal turns are told apart: every move has a rank, and the turn whose ranks come first is played.

The published strategies say only "argmax"; the rule is a parameter here because it changes the results.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._random import shuffle

FIRST, LAST, BY_PILE, RANDOM = 0, 1, 2, 3

TIES: dict[str, int] = {"first": FIRST, "last": LAST, "by-pile": BY_PILE, "random": RANDOM}
"""The rules by name: by card and then pile, the reverse, by pile and then card, a fresh shuffle each turn."""


@kernel
def rank_moves(
    ranks: np.ndarray, codes: np.ndarray, stream: np.ndarray, ties: int, size: int, piles: int
) -> None:
    """Give every move (hand place, pile) its rank for one turn."""
    total = size * piles
    if ties == RANDOM:
        shuffle(stream, codes[:total])
    for place in range(size):
        for pile in range(piles):
            code = place * piles + pile
            if ties == LAST:
                code = total - 1 - code
            elif ties == BY_PILE:
                code = pile * size + place
            elif ties == RANDOM:
                code = codes[code]
            ranks[place, pile] = code
