"""Counting true literals, all rows of a matrix at once: Sinz's sequential counter (2005), both directions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    now, earlier = reached[:, :, 1:], reached[:, :, :-1]
    literal = literals[:, None, 1:]
    return reached, [
        rows(-reached[:, 0, 0], literals[:, 0]),
        rows(reached[:, 0, 0], -literals[:, 0]),
        rows(-reached[:, 1:, 0]),
        rows(-earlier, now),
        rows(-now, earlier, literal),
        rows(-literal[:, 0], now[:, 0]),
        rows(-literal, -earlier[:, :-1], now[:, 1:]),
        rows(-now[:, 1:], earlier[:, :-1]),
    ]


def between(literals: Ints, low: Sequence[int], high: Sequence[int], first: int) -> tuple[int, Blocks]:
    """At least low[i] and at most high[i] of row i; also the first number free after the helpers.

    Bounds that no assignment meets become a contradiction, not an error.
    """
    n = literals.shape[1]
    at_least, at_most = np.maximum(low, 0), np.minimum(high, n)
    if (at_least > at_most).any():
        return first + 1, [np.array([[first], [-first]], dtype=np.int32)]
    if n == 0 or ((at_least == 0) & (at_most == n)).all():
        return first, []
    reached, blocks = counter(literals, min(n, int(at_most.max()) + 1), first)
    needed, capped = np.flatnonzero(at_least > 0), np.flatnonzero(at_most < n)
    blocks.append(rows(reached[needed, at_least[needed] - 1, -1]))
    blocks.append(rows(-reached[capped, at_most[capped], -1]))
    return first + reached.size, blocks
