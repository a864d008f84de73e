"""Scored playouts: from any moment of the play phase to the end of the game, with fixed tasks."""

from __future__ import annotations

from typing import Any

import numpy as np

from crewsolve.kernels.bits import bit_count, random_bit
from crewsolve.kernels.game import COUNT, LOST, OPEN, TRICKS_LEFT, WON, all_owed, put
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.policies import choose


@kernel
def roll(table: Any, seats: int, suits: Any, anytime: bool, policy: int, rng: Any) -> int:
    """Play the table to the end of the game by a policy; returns WON or LOST and leaves the last table."""
    status = OPEN
    while status == OPEN:
        status = put(table, seats, choose(policy, table, seats, suits, anytime, rng), suits)
    return status


@kernel
def score_moves(
    tables: Any,
    moves: int,
    seats: int,
    suits: Any,
    anytime: bool,
    policy: int,
    rounds: int,
    strict: bool,
    rng: Any,
    scores: Any,
) -> None:
    """Score every card of `moves` by `rounds` rollouts from each of `tables`.

    Row i of `scores` belongs to the i-th lowest card: games won, tasks left to do, tricks played, summed.
    `strict` counts the tasks done in the trick that loses the game as left.
    """
    words = tables.shape[1]
    work = np.empty(words, np.int64)
    row = 0
    rest = moves
    while rest:
        card = rest & -rest
        rest ^= card
        for t in range(tables.shape[0]):
            for _ in range(rounds):
                work[:] = tables[t]
                owed = all_owed(work, seats)
                status = put(work, seats, card, suits)
                while status == OPEN:
                    if work[2 * seats + COUNT] == 0:
                        owed = all_owed(work, seats)
                    status = put(work, seats, choose(policy, work, seats, suits, anytime, rng), suits)
                if status == WON:
                    scores[row, 0] += 1
                if not (strict and status == LOST):
                    owed = all_owed(work, seats)
                scores[row, 1] += bit_count(owed)
                scores[row, 2] += tables[t, 2 * seats + TRICKS_LEFT] - work[2 * seats + TRICKS_LEFT]
        row += 1


@kernel
def deal_blindly(table: Any, seats: int, seat: int, hidden: int, rng: Any, out: Any) -> None:
    """Fill the rows of `out` with the table, its hidden cards dealt at random to the other hands."""
    for row in range(out.shape[0]):
        out[row, :] = table
        rest = hidden
        for other in range(seats):
            if other == seat:
                continue
            wanted = bit_count(table[other])
            hand = 0
            for _ in range(wanted):
                card = random_bit(rest, rng)
                rest ^= card
                hand |= card
            out[row, other] = hand
