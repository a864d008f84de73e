"""Random deals from the losing side of the two-player theorem, exactly uniform, and deals at its edge.

Losing deals are one in 360 on the 36-card deck, and those that lose for want of a directly winning card one
in twenty million; so they are drawn from the sums of `losing_games` instead of waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import comb

from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal
from crewsolve.errors import BadDeck
from crewsolve.proofs.losing_games import count_losing
from crewsolve.proofs.two_player import is_winnable
from crewsolve.randomness import Stream
from crewsolve.tasks import FixedTasks


def losing_deal(deck: Deck, stream: Stream, *, cause: str | None = None) -> Deal:
    """A uniform random losing deal with a task of suit B, of one part of the losing side if named."""
    counts = count_losing(deck)
    weights = [getattr(counts, name) if cause in (None, name) else 0 for name in CAUSES]
    if not sum(weights):
        raise BadDeck(f"deck {deck} has no losing deal" + (f" of kind {cause}" if cause else ""))
    return _DRAW[CAUSES[pick(weights, stream)]](deck, stream)


def edge_deal(deal: Deal, stream: Stream) -> Deal:
    """A deal one exchange of two cards away on which the theorem says the opposite; the deal if none is."""
    first, second = (list(hand) for hand in deal.hands)
    says = is_winnable(deal)
    for own, other in stream.shuffled([(a, b) for a in first for b in second]):
        swapped = deal.deck.set([own, other])
        near = Deal(deal.deck, tuple(hand ^ swapped for hand in deal.hands), deal.leader, deal.tasks)
        if is_winnable(near) != says:
            return near
    return deal


def pick(weights: Sequence[int], stream: Stream) -> int:
    """A place, each with probability proportional to its weight."""
    totals = list(accumulate(weights))
    drawn = stream.below(totals[-1])
    return next(place for place, total in enumerate(totals) if drawn < total)


def _no_minority(deck: Deck, stream: Stream) -> Deal:
    """S2: no minority in another suit; player 1 holds all cards of the task's suit up to the task."""
    v, ranks = deck.ranks, range(1, deck.ranks + 1)
    own = [0] + [comb(v, k - 1) for k in range(1, v)]
    other = [comb(v, k) if v <= 2 * k else 0 for k in range(v)]
    k_r, *others = _counts(deck, own, other, stream)
    task = 1 + pick([comb(v - t, k_r - t) if t <= k_r else 0 for t in ranks], stream)
    higher = stream.sample(ranks[task:], k_r - task)
    return _deal(deck, [[*ranks[:task], *higher], *(stream.sample(ranks, k) for k in others)], task)


def _no_majority(deck: Deck, stream: Stream) -> Deal:
    """S4: no majority in another suit; player 1 holds only cards of the task's suit below the task."""
    v, ranks = deck.ranks, range(1, deck.ranks + 1)
    own = [comb(v, k + 1) for k in range(v)]
    other = [comb(v, k) if 2 * k <= v else 0 for k in range(v)]
    k_r, *others = _counts(deck, own, other, stream)
    task = 1 + pick([comb(t - 1, k_r) for t in ranks], stream)
    lower = stream.sample(ranks[: task - 1], k_r)
    return _deal(deck, [lower, *(stream.sample(ranks, k) for k in others)], task)


def _lowest_with_minority(deck: Deck, stream: Stream) -> Deal:
    """S1: the lowest cards of every suit, the task among them, a minority in another suit."""
    v = deck.ranks
    counts = [v]
    while not any(2 * k < v for k in counts[1:]):
        counts = _counts(deck, list(range(v)), [1] * v, stream)
    return _deal(deck, [range(1, k + 1) for k in counts], 1 + stream.below(counts[0]))


def _lowest_with_majority(deck: Deck, stream: Stream) -> Deal:
    """S3: the lowest cards of every suit, the task above them, a majority in another suit."""
    v = deck.ranks
    counts = [v]
    while not any(2 * k > v for k in counts[1:]):
        counts = _counts(deck, [v - k for k in range(v)], [1] * v, stream)
    return _deal(deck, [range(1, k + 1) for k in counts], counts[0] + 1 + stream.below(v - counts[0]))


_DRAW: dict[str, Callable[[Deck, Stream], Deal]] = {
    "s1": _lowest_with_minority,
    "s2": _no_minority,
    "s3": _lowest_with_majority,
    "s4": _no_majority,
}
CAUSES = tuple(_DRAW)
"""The parts of the losing side, as in `LosingCount`."""


def _counts(deck: Deck, own: Sequence[int], other: Sequence[int], stream: Stream) -> list[int]:
    """The numbers of cards of player 1 by suit, drawn with the product of weights; the task's suit first."""
    weights = [own, *[other] * (deck.colours - 1)]
    total = (deck.size + 1) // 2
    ways = [[1] + [0] * total]  # ways[i][n]: the weight of n cards in the last suits
    for row in reversed(weights):
        after = ways[0]
        here = [sum(w * after[n - k] for k, w in enumerate(row) if k <= n) for n in range(total + 1)]
        ways.insert(0, here)
    counts, left = [], total
    for row, after in zip(weights, ways[1:], strict=True):
        counts.append(pick([w * after[left - k] if k <= left else 0 for k, w in enumerate(row)], stream))
        left -= counts[-1]
    return counts


def _deal(deck: Deck, suits: Sequence[Sequence[int]], task: int) -> Deal:
    cards = [Card(suit, rank) for suit, ranks in enumerate(suits, 1) for rank in ranks]
    first = deck.set(cards)
    hands = (first, deck.everything - first)
    return Deal(deck, hands, 0, FixedTasks.of({Card(1, task): 0}, deck))
