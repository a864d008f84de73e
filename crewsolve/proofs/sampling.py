"""Uniform random determinizations, thousands a second (what de Jong's Algorithm 1 draws, faster).

Algorithm 1 places card after card, each with its exact probability. Here the exact table of
`determinizations` first draws how many cards of each class every hand gets, then which ones: the same
uniform distribution with a few draws per class. All choices are exact integers from `Stream`.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING

from crewsolve.errors import BadDeal, TooLarge
from crewsolve.proofs.determinizations import Hidden, Table, cards_of
from crewsolve.randomness import Stream
from crewsolve.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BITS = 63
"""Batches are arrays of signed 64-bit masks and weights."""


class Sampler:
    """Draws determinizations uniformly; build it once for what is known, then draw as often as needed.

    >>> sampler = Sampler(Hidden((1, 1, 1), (0b110, 0b111, 0b011)))
    >>> sampler.count, sampler.sample(Stream(1))
    (3, (4, 2, 1))
    """

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden
        self._table = Table(hidden)
        if self.count == 0:
            raise BadDeal("no distribution gives every hand its number of cards: there is nothing to draw")
        self._totals = [self._running_totals(number) for number in range(len(self._table.steps))]
        self._batch: _Batch | None = None

    @property
    def count(self) -> int:
        """The number of determinizations, each equally likely."""
        return self._table.count

    def _running_totals(self, number: int) -> list[list[int]]:
        """For every row of a step the weights of its options, added up."""
        after = self._table.weights[number + 1]
        return [
            list(accumulate(comb(rest, taken) * after[row] for taken, row in options))
            for (_, rest), options in zip(self._table.rows[number], self._table.options[number], strict=True)
        ]

    def sample(self, stream: Stream) -> tuple[int, ...]:
        """One determinization: a mask for every hand."""
        hands = [0] * len(self.hidden.sizes)
        row, left = 0, cards_of(0)
        for number, step in enumerate(self._table.steps):
            mask, holders = self.hidden.classes[step.group]
            if step.hand == holders[0]:
                left = cards_of(mask) if len(holders) == 1 else stream.shuffled(cards_of(mask))
            taken, row = self._draw(number, row, stream)
            for card in left[:taken]:
                hands[step.hand] |= 1 << card
            left = left[taken:]
        return tuple(hands)

    def _draw(self, number: int, row: int, stream: Stream) -> tuple[int, int]:
        options = self._table.options[number][row]
        if len(options) == 1:
            return options[0]
        totals = self._totals[number][row]
        return options[bisect_right(totals, stream.below(totals[-1]))]

    def sample_many(self, n: int, stream: Stream) -> NDArray[np.int64]:
        """`n` determinizations as an array of masks, one row each and one column per hand.

        Draws in another order than `sample` does, so the two give different (equally uniform) rows.
        """
        import numpy as np

        if self.hidden.cards.bit_length() > MAX_BITS:
            raise TooLarge(f"masks of more than {MAX_BITS} cards do not fit an array: draw them one by one")
        if any(sum(row[-1] for row in rows if row) >> MAX_BITS for rows in self._totals):
            return np.array([self.sample(stream) for _ in range(n)], np.int64).reshape(n, -1)
        if self._batch is None:
            self._batch = _Batch(self._table, self._totals)
        return self._batch.sample(n, stream)


def sample_many(known: View | Hidden, n: int, stream: Stream) -> NDArray[np.int64]:
    """`n` uniform determinizations of a view as an array of masks, a column per seat (the own hand too)."""
    hidden = Hidden.of_view(known) if isinstance(known, View) else known
    return Sampler(hidden).sample_many(n, stream)


class _Batch:
    """The table as flat arrays: all options of a step in one line, found by one binary search."""

    def __init__(self, table: Table, totals: list[list[list[int]]]) -> None:
        import numpy as np

        self.hidden = table.hidden
        self.steps = table.steps
        # Where every state has one option there is nothing to draw: option i is that of row i.
        self.forced = [all(len(row) == 1 for row in options) for options in table.options]
        self.bounds, self.bases, self.ends, self.taken, self.following = [], [], [], [], []
        for rows, options in zip(totals, table.options, strict=True):
            bounds = [row[-1] if row else 0 for row in rows]
            bases = [0, *accumulate(bounds)][:-1]
            flat = [option for row in options for option in row]
            ends = [base + total for base, row in zip(bases, rows, strict=True) for total in row]
            self.bounds.append(np.array(bounds, np.uint64))
            self.bases.append(np.array(bases, np.int64))
            self.ends.append(np.array(ends, np.int64))
            self.taken.append(np.array([taken for taken, _ in flat], np.int64))
            self.following.append(np.array([row for _, row in flat], np.int64))

    def sample(self, n: int, stream: Stream) -> NDArray[np.int64]:
        import numpy as np

        hands = np.zeros((n, len(self.hidden.sizes)), np.int64)
        rows = np.zeros(n, np.int64)
        used = np.zeros(n, np.int64)
        everyone = np.arange(n)
        for number, step in enumerate(self.steps):
            mask, holders = self.hidden.classes[step.group]
            if step.hand == holders[0]:
                prefix = _prefix_masks(mask, n, stream, shuffled=len(holders) > 1)
                used = np.zeros(n, np.int64)
            taken, rows = self._draw(number, rows, stream)
            hands[:, step.hand] += prefix[everyone, used + taken] - prefix[everyone, used]
            used = used + taken
        return hands

    def _draw(
        self, number: int, rows: NDArray[np.int64], stream: Stream
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        if self.forced[number]:
            option = rows
        else:
            place = _below(self.bounds[number][rows], stream).astype(np.int64) + self.bases[number][rows]
            option = np.searchsorted(self.ends[number], place, side="right")
        return self.taken[number][option], self.following[number][option]


def _prefix_masks(mask: int, n: int, stream: Stream, *, shuffled: bool) -> NDArray[np.int64]:
    """For n random orders of the cards of a mask, the masks of the first 0, 1, … cards."""
    import numpy as np

    bits = np.array([1 << card for card in cards_of(mask)], np.int64)
    orders = np.tile(bits, (n, 1))
    if shuffled and len(bits) > 1:
        choices = np.arange(len(bits), 1, -1).astype(np.uint64)
        picks = _below(np.tile(choices, n), stream).reshape(n, -1).astype(np.int64)
        everyone = np.arange(n)
        for place in range(len(bits) - 1):
            other = place + picks[:, place]
            orders[everyone, other], orders[:, place] = orders[:, place], orders[everyone, other].copy()
    prefix = np.zeros((n, len(bits) + 1), np.int64)
    np.cumsum(orders, axis=1, out=prefix[:, 1:])
    return prefix


def _below(bounds: NDArray[np.uint64], stream: Stream) -> NDArray[np.uint64]:
    """Uniform numbers below each bound: `Stream.below` for a whole array, redrawing what it would redraw."""
    import numpy as np

    values = stream.raws(len(bounds))
    last_run = np.uint64(2**64 - 1) - (np.uint64(2**64 - 1) - bounds + np.uint64(1)) % bounds
    redraw = values > last_run
    while redraw.any():
        values[redraw] = stream.raws(int(redraw.sum()))
        redraw = values > last_run
    return values % bounds
