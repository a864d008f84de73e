"""Counting true literals, all rows of a matrix at once: Sinz's sequential counter (2005), both directions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from crewsolve.encodings.lean.variables import Blocks, Ints, rows


def counter(literals: Ints, thresholds: int, first: int) -> tuple[Ints, Blocks]:
    """Variables `reached[i, k, j]`, from number `first` on, and their meaning in clauses.

    They say that k+1 or more of the first j+1 literals of row i hold. For R rows of n literals and K
    thresholds: R·K·n variables and fewer than 4·R·K·n clauses.

    >>> reached, blocks = counter(np.array([[1, 2, 3]]), 2, 4)
    >>> reached[0].tolist()
    [[4, 5, 6], [7, 8, 9]]
    """
    height, n = literals.shape
    size = height * thresholds * n
    reached = np.arange(first, first + size, dtype=np.int32).reshape(height, thresholds, n)
    return reached, counted_evenly(literals, reached)


def counted_evenly(literals: Ints, reached: Ints) -> Blocks:
    """The meaning of `reached[row, k, t]`: more than k literals of the row hold up to place t."""
    height, thresholds, n = reached.shape
    below = np.arange(-1, height * thresholds - 1)
    below[::thresholds] = -1
    return counted(literals.repeat(thresholds, axis=0), reached.reshape(-1, n), below)


def counted(literals: Ints, reached: Ints, below: NDArray[np.intp]) -> Blocks:
    """The meaning of rows of counts: row i has what row `below[i]` of the same literals has, and one more.

    A row with nothing below it (-1) says that one or more of its literals hold so far.
    """
    first, more = np.flatnonzero(below < 0), np.flatnonzero(below >= 0)
    now, earlier, literal = reached[:, 1:], reached[:, :-1], literals[:, 1:]
    one_less = earlier[below[more]]
    return [
        rows(-reached[first, 0], literals[first, 0]),
        rows(reached[first, 0], -literals[first, 0]),
        rows(-reached[more, 0]),
        rows(-earlier, now),
        rows(-now, earlier, literal),
        rows(-literal[first], now[first]),
        rows(-literal[more], -one_less, now[more]),
        rows(-now[more], one_less),
    ]


def accumulator(wins: Ints, worth: Ints, thresholds: int, first: int) -> tuple[Ints, Blocks]:
    """Variables `has[p, k, t]`, from number `first` on: before trick t seat p has gained k+1 or more.

    A trick t gains its winner k+1 or more where `worth[k, t]` holds. Counting along the tricks, not along the
    cards, is what lets a solver see early that a share cannot be met. For P seats, K thresholds, T tricks:
    P·K·(T + 1) variables and about (2·P + 2)·P·K·T clauses.
    """
    seats, tricks = wins.shape
    size = seats * thresholds * (tricks + 1)
    has = np.arange(first, first + size, dtype=np.int32).reshape(seats, thresholds, tricks + 1)
    before, after, winner = has[:, :, :-1], has[:, :, 1:], wins[:, None]
    blocks = [rows(-has[:, :, 0]), rows(-before, after), rows(-after, before, winner)]
    for gain, reached in enumerate(worth, 1):
        step = min(gain, thresholds)
        blocks += [
            rows(-winner, -reached, after[:, step - 1 : step]),
            rows(-winner, -reached, -before[:, : thresholds - step], after[:, step:]),
            rows(-winner, -reached, -before[:, thresholds - step :], after[:, -1:]),
        ]
    for gain, more in enumerate(worth[:thresholds]):
        blocks.append(rows(-after[:, gain:], more, before[:, : thresholds - gain]))
    most = min(len(worth), thresholds)
    blocks.append(rows(-after[:, most:], before[:, : thresholds - most]))
    return has, blocks


def within(reached: Ints, low: Sequence[int], high: Sequence[int]) -> Blocks:
    """At least low[i] and at most high[i], where `reached[i, k]` means k+1 or more.

    Thresholds beyond the last one are never reached. Bounds that nothing meets become a contradiction.
    """
    at_least, at_most = np.maximum(low, 0), np.array(high)
    thresholds = reached.shape[1]
    if (at_least > np.minimum(at_most, thresholds)).any():
        return [reached[:1, :1], -reached[:1, :1]]
    needed, capped = np.flatnonzero(at_least > 0), np.flatnonzero(at_most < thresholds)
    return [rows(reached[needed, at_least[needed] - 1]), rows(-reached[capped, at_most[capped]])]
