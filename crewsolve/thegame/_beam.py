"""A beam search over positions of equally many laid cards, on a known deck."""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._sides import fits


@kernel
def _score(penalty: np.ndarray, tops: np.ndarray, ups: int, laid: np.ndarray, product: np.ndarray) -> float:
    """The penalty of all unplayed cards."""
    n = len(laid)
    for card in range(n):
        product[card] = 1.0 - laid[card]
    for pile in range(len(tops)):
        direction, top = 0 if pile < ups else 1, tops[pile]
        for card in range(n):
            product[card] *= penalty[direction, top, card]
    total = 0.0
    for card in range(n):
        total += product[card]
    return total


@kernel
def _is_same(tops: np.ndarray, laid: np.ndarray, turns: np.ndarray, a: int, b: int) -> bool:
    """Tell whether two positions are equal."""
    if turns[a] != turns[b]:
        return False
    for pile in range(tops.shape[1]):
        if tops[a, pile] != tops[b, pile]:
            return False
    for card in range(laid.shape[1]):
        if laid[a, card] != laid[b, card]:
            return False
    return True


@kernel
def _select(
    scores: np.ndarray, count: int, width: int, tops: np.ndarray, laid: np.ndarray, turns: np.ndarray
) -> np.ndarray:
    """The best different positions, as many as the beam holds; equal ones have equal scores."""
    ranked = np.argsort(scores[:count], kind="mergesort")
    chosen, kept = np.empty(min(width, count), np.int64), 0
    for place in range(count):
        candidate = ranked[place]
        is_new, back = True, place - 1
        while is_new and back >= 0 and scores[ranked[back]] == scores[candidate]:
            is_new = not _is_same(tops, laid, turns, ranked[back], candidate)
            back -= 1
        if is_new:
            chosen[kept] = candidate
            kept += 1
            if kept == width:
                break
    return chosen[:kept]


@kernel
def beam(
    order: np.ndarray,
    ups: int,
    downs: int,
    turn: int,
    hand: int,
    trick: int,
    penalty: np.ndarray,
    width: int,
    long_turns: bool,
) -> np.ndarray:
    """The moves of a win as card * piles + pile, with the cards laid before their turn; or nothing.

    Turns end as soon as they may, or, with `long_turns`, also later, up to twice the minimum length.
    """
    n, piles = len(order), ups + downs
    most = width * hand * piles * (2 if long_turns else 1)
    tops, laid, turns = (
        np.zeros((width, piles), np.int64),
        np.zeros((width, n), np.int8),
        np.zeros(width, np.int64),
    )
    new_tops, new_laid, new_turns = (
        np.zeros((most, piles), np.int64),
        np.zeros((most, n), np.int8),
        np.zeros(most, np.int64),
    )
    scores, product = np.zeros(most), np.zeros(n)
    trail = np.zeros((3, n, width), np.int64)  # parent, move and start of the turn
    froms, codes = np.zeros(most, np.int64), np.zeros(most, np.int64)
    for pile in range(piles):
        tops[0, pile] = 0 if pile < ups else n + 1
    alive = 1
    for step in range(n):
        count = 0
        for state in range(alive):
            since = step - turns[state]
            may_end = since >= turn and turns[state] + hand < n
            may_stay = not may_end or (long_turns and since < 2 * turn - 1)
            for ends in range(2):
                if (ends == 1 and not may_end) or (ends == 0 and not may_stay):
                    continue
                begun = step if ends == 1 else turns[state]
                for place in range(min(n, begun + hand)):
                    card = order[place]
                    if laid[state, card]:
                        continue
                    for pile in range(piles):
                        if not fits(pile < ups, tops[state, pile], card + 1, trick):
                            continue
                        new_tops[count] = tops[state]
                        new_laid[count] = laid[state]
                        new_turns[count] = begun
                        new_tops[count, pile] = card + 1
                        new_laid[count, card] = 1
                        scores[count] = _score(penalty, new_tops[count], ups, new_laid[count], product)
                        froms[count], codes[count] = state, card * piles + pile
                        count += 1
        if count == 0:
            return np.zeros((2, 0), np.int64)
        chosen = _select(scores, count, width, new_tops, new_laid, new_turns)
        alive = len(chosen)
        for state in range(alive):
            source = chosen[state]
            tops[state], laid[state], turns[state] = new_tops[source], new_laid[source], new_turns[source]
            trail[0, step, state], trail[1, step, state] = froms[source], codes[source]
            trail[2, step, state] = new_turns[source]
    line, state = np.zeros((2, n), np.int64), 0
    for step in range(n - 1, -1, -1):
        line[0, step], line[1, step] = trail[1, step, state], trail[2, step, state]
        state = trail[0, step, state]
    return line
