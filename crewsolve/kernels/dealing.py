"""Random deals in bulk: the draws of `crewsolve.randomness` and `crewsolve.deal`, on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from crewsolve.kernels.jit import kernel

Words = Any  # a one-dimensional uint64 array

HOLDER, FIRST, DRAWN = 0, 1, 2
"""How the leader is found: the highest rocket's holder, seat 0, or drawn."""


@kernel
def _below(raw: Words, place: int, n: int) -> Any:
    """A number below n and the place of the next word, which is -1 where the words do not suffice."""
    bound = np.uint64(n)
    top = np.uint64(0xFFFFFFFFFFFFFFFF)
    excess = (top % bound + np.uint64(1)) % bound  # 2^64 mod n
    while place < raw.size:
        value = raw[place]
        place += 1
        if excess == np.uint64(0) or value <= top - excess:
            return np.int64(value % bound), place
    return 0, -1


@kernel
def deal_cards(
    raw: Words, size: int, colour_cards: int, tasks: int, leader_rule: int, hands: Any, drawn: Any, work: Any
) -> int:
    """Deal to `hands` and draw the task cards; returns the leader, -1 where `raw` does not suffice."""
    seats, place = hands.size, 0
    for card in range(size):
        work[card] = card
    for i in range(size - 1, 0, -1):
        j, place = _below(raw, place, i + 1)
        if place < 0:
            return -1
        work[i], work[j] = work[j], work[i]
    hands[:] = 0
    for i in range(size):
        hands[i % seats] |= 1 << work[i]
    leader = 0
    if leader_rule == DRAWN:
        leader, place = _below(raw, place, seats)
        if place < 0:
            return -1
    elif leader_rule == HOLDER:
        for seat in range(seats):
            if hands[seat] >> (size - 1) & 1:
                leader = seat
    for card in range(colour_cards):
        work[card] = card
    for i in range(tasks):
        j, place = _below(raw, place, colour_cards - i)
        if place < 0:
            return -1
        j += i
        work[i], work[j] = work[j], work[i]
        drawn[i] = work[i]
    return leader
