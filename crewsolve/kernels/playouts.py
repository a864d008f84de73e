"""Random playouts: the hot loop of every Monte Carlo player.

The kernel knows the rules of play only: the led suit is followed, the highest rocket or else the highest
card of the led suit wins. `suit_of[i]` is the mask of the suit of the card with bit i; the bit order of
`crewsolve.cards` makes the highest strong bit the winner of a trick.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from crewsolve.kernels.bits import random_bit
from crewsolve.kernels.jit import kernel


@njit(inline="always")
def following(hand: int, led_suit: int, rockets: int, anytime: bool) -> int:
    """The cards that may be played on a trick of `led_suit` (a mask)."""
    follow = hand & led_suit
    if follow == 0:
        return hand
    if anytime:
        return follow | (hand & rockets)
    return follow


@njit(inline="always")
def suit_mask_of(bit: int, suits: Any) -> int:
    """The mask of the suit that holds this card."""
    for s in range(suits.shape[0]):
        if bit & suits[s]:
            return suits[s]
    return 0


@kernel
def play_out(hands: Any, leader: int, tricks: int, suits: Any, anytime: bool, rng: Any, record: Any) -> int:
    """Play uniformly random legal cards to the last trick; `hands` is used up.

    The cards go to `record` where it has room. Returns the seat that wins the last trick.
    """
    seats = hands.shape[0]
    rockets = suits[0]
    recording = record.shape[0] > 0
    place = 0
    for _ in range(tricks):
        card = random_bit(hands[leader], rng)
        hands[leader] ^= card
        led_suit = suit_mask_of(card, suits)
        strong = led_suit | rockets
        best, winner = card, leader
        if recording:
            record[place] = card
            place += 1
        seat = leader
        for _ in range(seats - 1):
            seat += 1
            if seat == seats:
                seat = 0
            hand = hands[seat]
            card = random_bit(following(hand, led_suit, rockets, anytime), rng)
            hands[seat] = hand ^ card
            if card & strong and card > best:
                best, winner = card, seat
            if recording:
                record[place] = card
                place += 1
        leader = winner
    return leader


@kernel
def play_out_many(
    hands: Any, leader: int, tricks: int, suits: Any, anytime: bool, count: int, rng: Any
) -> int:
    """Play `count` full random playouts from the same hands; returns a checksum of the last winners."""
    work = np.empty_like(hands)
    record = np.empty(0, np.int64)
    total = 0
    for _ in range(count):
        work[:] = hands
        total += play_out(work, leader, tricks, suits, anytime, rng, record)
    return total
