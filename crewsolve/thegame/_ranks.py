"""How equal turns are told apart: every move has a rank, and the turn whose ranks come first is played.

The published strategies say only "argmax"; the rule is a parameter here because it changes the results.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._random import shuffle

FIRST, LAST, BY_PILE, RANDOM, DRAWN, OWN = 0, 1, 2, 3, 4, 5


@kernel
def rank_moves(
    ranks: np.ndarray,
    codes: np.ndarray,
    stream: np.ndarray,
    ties: int,
    hand: np.ndarray,
    drawn_at: np.ndarray,
    size: int,
    piles: int,
) -> None:
    """Give every move (hand place, pile) its rank for one turn.

    drawn_at[card] tells when each card of the hand was drawn; the rules DRAWN and OWN ask for it.
    """
    total = size * piles
    if ties == RANDOM:
        shuffle(stream, codes[:total])
    for place in range(size):
        older = 0
        if ties >= DRAWN:
            for other in range(size):
                older += drawn_at[hand[other]] < drawn_at[hand[place]]
        for pile in range(piles):
            code = place * piles + pile
            if ties == LAST:
                code = total - 1 - code
            elif ties == BY_PILE:
                code = pile * size + place
            elif ties == RANDOM:
                code = codes[code]
            elif ties >= DRAWN:
                code = older * piles + pile
            ranks[place, pile] = code
