"""What the exact counters and the sampler gain over doing it as printed, as ratios in one run.

Drawing: determinizations of a view of the real game, in batches and one by one, against Algorithm 1 (a new
count for every card and hand). Counting: the closed sums of losing deals against the printed nested sums.

    python -m benchmarks.counting
"""

from __future__ import annotations

import time
from collections.abc import Callable

from crewsolve.cards import Deck
from crewsolve.claims.claim import QUICK
from crewsolve.claims.losing_deals import printed_s1, printed_s2, printed_s3, printed_s4
from crewsolve.deal import random_deal
from crewsolve.position import Position
from crewsolve.proofs.determinizations import Hidden, cards_of, probability
from crewsolve.proofs.losing_games import count_losing
from crewsolve.proofs.sampling import Sampler
from crewsolve.randomness import Stream
from crewsolve.view import View


def main() -> None:
    """Print the table."""
    hidden = Hidden.of_view(mid_game_view())
    stream = Stream(1)
    sampler = Sampler(hidden)
    one_by_one = seconds(lambda: algorithm_1(hidden, stream), 3)
    print("drawing a determinization".ljust(44) + "per second".rjust(12) + "ratio".rjust(10))
    row("Algorithm 1, card by card", one_by_one, one_by_one)
    row("Sampler.sample", seconds(lambda: sampler.sample(stream), 2000), one_by_one)
    row("Sampler.sample_many", seconds(lambda: sampler.sample_many(10_000, stream), 5) / 10_000, one_by_one)
    printed = seconds(lambda: [part(QUICK) for part in (printed_s1, printed_s2, printed_s3, printed_s4)], 3)
    print("\n" + "counting losing deals of 36 cards".ljust(44) + "per second".rjust(12) + "ratio".rjust(10))
    row("the printed nested sums", printed, printed)
    row("count_losing", seconds(lambda: count_losing(Deck.parse("4x9")), 500), printed)


def mid_game_view() -> View:
    """What a seat knows after seven tricks of random play, voids and all."""
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=3, key=(5, 2))
    stream, position = Stream(5), Position.of(deal)
    for _ in range(7 * deal.seats):
        position = position.play(stream.sample(list(position.legal), 1)[0])
    return View.of(position, (deal.leader + 1) % deal.seats)


def algorithm_1(hidden: Hidden, stream: Stream) -> tuple[int, ...]:
    """Algorithm 1 of de Jong 2021: each card to a hand with its exact probability."""
    for card in cards_of(hidden.cards):
        shares = [probability(hidden, card, hand) for hand in range(len(hidden.sizes))]
        whole = 1
        for share in shares:
            whole *= share.denominator
        drawn, hand = stream.below(whole), 0
        while drawn >= shares[hand] * whole:
            drawn -= int(shares[hand] * whole)
            hand += 1
        hidden = hidden.given(card, hand)
    return hidden.may


def seconds(action: Callable[[], object], times: int) -> float:
    """CPU seconds of one call."""
    action()
    started = time.process_time()
    for _ in range(times):
        action()
    return (time.process_time() - started) / times


def row(name: str, each: float, reference: float) -> None:
    """Print one line of the table."""
    print(f"{name:<44}{1 / each:>12,.0f}{reference / each:>10,.1f}")


if __name__ == "__main__":
    main()
