"""Monte Carlo tree search over both phases of a game: taking tasks, then playing cards.

A state is a table of `crewsolve.kernels.game` followed by the words of the task phase:

    hands[P], owed[P], WORDS of the table, UNTAKEN, PICKER, picks[P]

A move is the mask of one card: a task to take while any is untaken, else a card to play. Nobody plays
against anybody, so every level of the tree maximises the same score (Witteveen, Algorithms 5 and 6).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from crewsolve.kernels.bits import bit_count, random_below, random_bit
from crewsolve.kernels.game import LOST, OPEN, WON, WORDS, all_owed, legal_cards, put
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.rollouts import roll

UNTAKEN, PICKER, PICKS = 0, 1, 2
"""Words of the task phase after the table."""

STANDARD, SMART = 0, 1
"""Scoring: 1 for a win; or 100 for a win and else the number of tasks done."""

WIN_SCORE = 100


@njit(inline="always")
def moves_of(state: Any, seats: int, suits: Any, anytime: bool) -> int:
    """The moves of a state that is not decided."""
    untaken = state[2 * seats + WORDS + UNTAKEN]
    if untaken:
        return untaken
    return legal_cards(state, seats, suits, anytime)


@kernel
def take(state: Any, seats: int, task: int) -> None:
    """Give a task to the seat that picks, and pass the pick on to the next seat that has picks left."""
    p = 2 * seats + WORDS
    picker = state[p + PICKER]
    state[seats + picker] |= task
    state[p + UNTAKEN] ^= task
    state[p + PICKS + picker] -= 1
    for _ in range(seats):
        picker = picker + 1 if picker + 1 < seats else 0
        if state[p + PICKS + picker] > 0:
            break
    state[p + PICKER] = picker


@njit(inline="always")
def move(state: Any, seats: int, card: int, suits: Any) -> int:
    """Make a move of either phase; returns OPEN, WON or LOST."""
    if state[2 * seats + WORDS + UNTAKEN]:
        take(state, seats, card)
        return OPEN
    return put(state, seats, card, suits)


@kernel
def finish(state: Any, seats: int, suits: Any, anytime: bool, policy: int, rng: Any) -> int:
    """Take what is untaken at random and play on by the rollout policy."""
    p = 2 * seats + WORDS
    while state[p + UNTAKEN]:
        take(state, seats, random_bit(state[p + UNTAKEN], rng))
    return roll(state, seats, suits, anytime, policy, rng)


@njit(inline="always")
def score(state: Any, seats: int, status: int, scoring: int, total: int) -> int:
    """The score of a finished game with `total` tasks."""
    if scoring == STANDARD:
        return 1 if status == WON else 0
    if status == WON:
        return WIN_SCORE
    return total - bit_count(all_owed(state, seats))


@kernel
def pure(
    root: Any, seats: int, suits: Any, anytime: bool, policy: int, scoring: int, total: int, playouts: int,
    rng: Any, value: Any, visits: Any,
) -> None:  # fmt: skip
    """Pure Monte Carlo: `playouts` games of random moves, scored for their first move (by bit number)."""
    state = np.empty_like(root)
    moves = moves_of(root, seats, suits, anytime)
    for _ in range(playouts):
        state[:] = root
        card = random_bit(moves, rng)
        status = move(state, seats, card, suits)
        if status == OPEN:
            status = finish(state, seats, suits, anytime, policy, rng)
        place = bit_count(card - 1)
        value[place] += score(state, seats, status, scoring, total)
        visits[place] += 1


@kernel
def _select(
    node: int, first: Any, count: Any, value: Any, visits: Any, exploration: float, scale: float, rng: Any
) -> int:
    """The child with the largest upper confidence bound; an unvisited one, drawn at random, comes first."""
    fresh = 0
    chosen = -1
    for child in range(first[node], first[node] + count[node]):
        if visits[child] == 0:
            fresh += 1
            if random_below(rng, fresh) == 0:
                chosen = child
    if fresh:
        return chosen
    best = -1.0
    log_visits = math.log(visits[node])
    for child in range(first[node], first[node] + count[node]):
        n = visits[child]
        bound = value[child] / n * scale + exploration * math.sqrt(log_visits / n)
        if bound > best:
            best, chosen = bound, child
    return chosen


@kernel
def uct(
    root: Any, seats: int, suits: Any, anytime: bool, policy: int, scoring: int, total: int, playouts: int,
    exploration: float, rng: Any, value_out: Any, visits_out: Any,
) -> None:  # fmt: skip
    """Tree search with upper confidence bounds; adds the root moves' values and visits by bit number."""
    room = playouts * 12 + 64
    first = np.zeros(room, np.int64)
    count = np.zeros(room, np.int64)
    card_of = np.zeros(room, np.int64)
    value = np.zeros(room, np.int64)
    visits = np.zeros(room, np.int64)
    path = np.empty(256, np.int64)
    state = np.empty_like(root)
    scale = 1.0 / WIN_SCORE if scoring == SMART else 1.0
    used = 1
    for _ in range(playouts):
        state[:] = root
        node, depth, status = 0, 0, OPEN
        path[0] = 0
        while status == OPEN and count[node]:
            node = _select(node, first, count, value, visits, exploration, scale, rng)
            status = move(state, seats, card_of[node], suits)
            depth += 1
            path[depth] = node
        if status == OPEN:
            moves = moves_of(state, seats, suits, anytime)
            if used + bit_count(moves) <= room:
                first[node] = used
                while moves:
                    card_of[used] = moves & -moves
                    moves &= moves - 1
                    used += 1
                count[node] = used - first[node]
            status = finish(state, seats, suits, anytime, policy, rng)
        gained = score(state, seats, status, scoring, total)
        for i in range(depth + 1):
            value[path[i]] += gained
            visits[path[i]] += 1
    for child in range(first[0], first[0] + count[0]):
        place = bit_count(card_of[child] - 1)
        value_out[place] += value[child]
        visits_out[place] += visits[child]


__all__ = ["LOST", "OPEN", "SMART", "STANDARD", "WON", "finish", "move", "moves_of", "pure", "take", "uct"]
