"""perft: counting legal plays, compiled where there are many; the simulator's own count is the judge."""

from __future__ import annotations

from math import prod

from crewsolve import simulator
from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.position import Position

FEW = 20_000
"""Sequences that the simulator counts before the compiled kernel is loaded."""


def perft(deal: Deal, depth: int) -> int:
    """The exact number of legal card sequences of length `depth` from the position on.

    Sequences that reach the end of the play earlier count once.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    >>> [perft(deal, depth) for depth in range(5)]
    [1, 2, 4, 8, 12]
    """
    position = Position.of(deal)
    if _most(position, depth) <= FEW:
        return simulator.perft(deal, depth)
    return _count(position, depth)


def perft_split(deal: Deal, depth: int) -> dict[Card, int]:
    """`perft` split by the first card; empty once the play is over."""
    return {card: perft(deal.after(card), depth - 1) for card in Position.of(deal).legal}


def _most(position: Position, depth: int) -> int:
    """About the largest number of sequences that hands of these sizes can have."""
    sizes = sorted((mask.bit_count() for mask in position.hand_masks), reverse=True)
    turns = range(min(depth, sum(sizes)))
    return prod(max(1, sizes[turn % len(sizes)] - turn // len(sizes)) for turn in turns)


def _count(position: Position, depth: int) -> int:
    import numpy as np

    from crewsolve.kernels.plays import CARD, ROW, SEAT, TRICKS, count_plays, play_card

    deck, current = position.deal.deck, position.current
    suits = np.array(deck.suit_masks, np.int64)
    row = np.zeros(ROW, np.int64)
    row[SEAT], row[TRICKS] = current.leader, position.tricks_left
    for card in current.cards:
        row[CARD], after = deck.bit(card), np.zeros(ROW, np.int64)
        play_card(position.deal.seats, suits, row, after)
        row = after
    hands = np.array(position.hand_masks, np.int64)
    return int(count_plays(hands, suits, position.deal.rules.trumps_anytime, row, depth))
