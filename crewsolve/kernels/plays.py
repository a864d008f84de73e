"""Counting legal plays: perft, by playing every card but the last, which is only counted.

On an explicit stack, because numba does not keep compiled functions that call themselves.
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.bits import bit_count
from crewsolve.kernels.board import Masks
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.playouts import following, suit_mask_of

# Columns of a row: whose turn it is, the trick so far, the cards not yet tried and the one that lies.
SEAT, PLACED, LED, BEST, WINNER, TRICKS, LEFT, CARD = range(8)
"""`LED` is the mask of the led suit, `BEST` the card that wins so far, `WINNER` its seat."""

ROW = 8


@kernel
def count_plays(hands: Masks, suits: Masks, anytime: bool, root: Masks, depth: int) -> int:
    """The sequences of `depth` legal cards from the trick of `root` on; `hands` are left as they were."""
    if depth == 0 or root[TRICKS] == 0:
        return 1
    stack = np.zeros((depth, ROW), np.int64)
    stack[0] = root
    stack[0, LEFT] = _legal(hands, suits, anytime, stack[0])
    if depth == 1:
        return bit_count(stack[0, LEFT])
    ply, total = 0, 0
    while ply >= 0:
        row = stack[ply]
        if row[CARD]:
            hands[row[SEAT]] ^= row[CARD]
        row[CARD] = row[LEFT] & -row[LEFT]
        if row[CARD] == 0:
            ply -= 1
            continue
        row[LEFT] ^= row[CARD]
        hands[row[SEAT]] ^= row[CARD]
        after = stack[ply + 1]
        play_card(hands.size, suits, row, after)
        if after[TRICKS] == 0:
            total += 1
            continue
        cards = _legal(hands, suits, anytime, after)
        if ply + 2 == depth:
            total += bit_count(cards)
            continue
        after[LEFT], after[CARD] = cards, 0
        ply += 1
    return total


@kernel
def _legal(hands: Masks, suits: Masks, anytime: bool, row: Masks) -> int:
    hand = hands[row[SEAT]]
    return following(hand, row[LED], suits[0], anytime) if row[PLACED] else hand


@kernel
def play_card(seats: int, suits: Masks, row: Masks, after: Masks) -> None:
    """Fill the row after the card of this one."""
    seat, placed, card = row[SEAT], row[PLACED], row[CARD]
    led, best, winner = row[LED], row[BEST], row[WINNER]
    if placed == 0:
        led, best, winner = suit_mask_of(card, suits), card, seat
    elif card & (led | suits[0]) and card > best:
        best, winner = card, seat
    if placed + 1 == seats:
        after[SEAT], after[PLACED], after[TRICKS] = winner, 0, row[TRICKS] - 1
        return
    after[SEAT], after[PLACED], after[TRICKS] = seat + 1 if seat + 1 < seats else 0, placed + 1, row[TRICKS]
    after[LED], after[BEST], after[WINNER] = led, best, winner
