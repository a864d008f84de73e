"""How equal turns are told apart: every move has a rank, and the turn whose ranks come first is played.

The published strategies say only "argmax"; the rule is a parameter here because it changes the results.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._random import shuffle

FIRST, LAST, BY_PILE, RANDOM, UNSORTED, OWN = 0, 1, 2, 3, 4, 5


@kernel
def rank_moves(
    ranks: np.ndarray,
    codes: np.ndarray,
    stream: np.ndarray,
    ties: int,
    hand: np.ndarray,
    lies_at: np.ndarray,
    size: int,
    piles: int,
) -> None:
    """Give every move (hand place, pile) its rank for one turn.

    lies_at[card] tells where each card of the hand would lie in one that is never sorted; only the rules
    UNSORTED and OWN ask for it.
    """
    total = size * piles
    if ties == RANDOM:
        shuffle(stream, codes[:total])
    for place in range(size):
        before = 0
        if ties >= UNSORTED:
            for other in range(size):
                before += lies_at[hand[other]] < lies_at[hand[place]]
        for pile in range(piles):
            code = place * piles + pile
            if ties == LAST:
                code = total - 1 - code
            elif ties == BY_PILE:
                code = pile * size + place
            elif ties == RANDOM:
                code = codes[code]
            elif ties >= UNSORTED:
                code = before * piles + pile
            ranks[place, pile] = code


@kernel
def take_out(lies_at: np.ndarray, hand: np.ndarray, held: int, size: int, card: int) -> None:
    """Take a card out of the hand that is never sorted: the last of its `size` cards takes its place.

    `hand` lists at least `held` cards, those that were just taken out among them.
    """
    place = lies_at[card]
    for other in range(held):
        if lies_at[hand[other]] == size - 1:
            lies_at[hand[other]] = place
    lies_at[card] = -1
