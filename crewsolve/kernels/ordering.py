"""Which card to try first: no verdict depends on it, only how soon a winning line is found.

Cards that a task needs are kept (assets), cards in its way are shed (obstacles).
"""

from __future__ import annotations

import numpy as np

from crewsolve.kernels.bits import above, bit_count, lowest, top_bit
from crewsolve.kernels.board import (
    BLAME,
    COUNTED,
    FORBIDDEN,
    GAINS,
    HANDS,
    MUST,
    NOISE,
    OWNED,
    PLACES,
    RANDOM,
    ROOM,
    SEATS,
    SUIT_COUNT,
    SUIT_OF,
    SUITS,
    WEIGHTS,
    WINNERS,
    Masks,
    legal,
)
from crewsolve.kernels.jit import kernel

FREE = 32
TUNED = np.zeros(PLACES, np.int64)
TUNED[:22] = 29, 7, 10, 43, -1, 1, -1, 2, 15, 6, 8, -2, 6, 6, 12, 4, 1, 10, 4, 0, 22, 60
TUNED[FREE : FREE + 7] = 68, 17, 3, -1, 0, 10, 5
"""Weights found by random search for few nodes on winnable deals; those from `FREE` on are for free tasks."""


@kernel
def value_winners(board: Masks, seat: int, placed: int, led: int, table: int, live: int) -> None:
    """What it is worth that each seat wins this trick."""
    seats = board[SEATS]
    weights = board[WEIGHTS + (FREE if board[COUNTED] else 0) :]
    for w in range(seats):
        gain = 0
        if board[WINNERS + w]:
            tasks = board[OWNED + w]
            if board[COUNTED]:
                tasks = board[COUNTED] if board[ROOM + w] else 0
            gain = weights[0] * bit_count(table & tasks)
            if tasks & live:
                gain += weights[1]
            other = seat
            for _ in range(seats - placed - 1):
                other = other + 1 if other + 1 < seats else 0
                if legal(board, other, led) & tasks:
                    gain += weights[2]
        board[GAINS + w] = gain


@kernel
def rate(board: Masks, seat: int, bit: int, live: int) -> int:
    """How promising a card is; noise, where wanted, comes from a generator of its own."""
    weights = board[WEIGHTS + (FREE if board[COUNTED] else 0) :]
    score = -1000
    for w in range(board[SEATS]):
        if board[WINNERS + w] & bit:
            score = max(score, board[GAINS + w])
    if bit & board[MUST]:
        score += weights[3]
    suit = board[SUITS + board[SUIT_OF + lowest(bit)]] & live
    rank = bit_count(suit & (bit - 1)) - bit_count(suit & above(bit))
    if board[OWNED + seat] & live or (board[ROOM + seat] and board[COUNTED]):
        score += rank * weights[4]
    else:
        score += rank * weights[5]
    if bit & board[SUITS]:
        score += weights[6]
    if board[NOISE]:
        board[RANDOM] = (board[RANDOM] * 1103515245 + 12345) & 0x7FFFFFFF
        score += (board[RANDOM] >> 12) % board[NOISE]
    return score


@kernel
def value_cards(board: Masks, values: Masks, live: int) -> None:
    """Give every card the sum of what the open tasks think of playing it."""
    for card in range(64):
        values[card] = 0
    most = 1
    tasks = board[MUST] & live
    while tasks:
        most = max(most, board[BLAME + lowest(tasks)])
        tasks &= tasks - 1
    for owner in range(board[SEATS]):
        tasks = board[OWNED + owner] & live
        while tasks:
            card = tasks & -tasks
            tasks ^= card
            factor = 8 + board[WEIGHTS + 21] * board[BLAME + lowest(card)] // most
            if board[HANDS + owner] & card:
                _own_task(board, values, owner, card, factor)
            else:
                _other_task(board, values, owner, card, factor)
    for card in range(64):
        values[card] >>= 3


@kernel
def _own_task(board: Masks, values: Masks, owner: int, card: int, factor: int) -> None:
    """A task in its owner's hand: others must follow below it or have nothing left to follow with."""
    weights = board[WEIGHTS:]
    suit = board[SUITS + board[SUIT_OF + lowest(card)]]
    usable = ~board[FORBIDDEN + owner]
    for other in range(board[SEATS]):
        if other != owner:
            theirs = board[HANDS + other] & suit
            lower = theirs & usable & (card - 1)
            add(values, theirs & above(card), factor * (weights[7] if lower else weights[8]))
            if lower:
                add(values, lower, factor * (-weights[9] // bit_count(lower)))
            else:
                add(values, theirs & (card - 1), factor * (weights[10]))
    add(values, board[HANDS + owner] & suit & ~card, factor * (weights[11]))
    values[lowest(card)] += factor * weights[20]


@kernel
def _other_task(board: Masks, values: Masks, owner: int, card: int, factor: int) -> None:
    """A task in another hand: the owner keeps a card above it, or gets ready to ruff."""
    weights = board[WEIGHTS:]
    suit = board[SUITS + board[SUIT_OF + lowest(card)]]
    usable = ~board[FORBIDDEN + owner]
    hand = board[HANDS + owner]
    higher = hand & suit & usable & above(card)
    if higher:
        add(values, higher, factor * (-weights[12] // bit_count(higher)))
        top = top_bit(higher)
        for other in range(board[SEATS]):
            if other != owner and board[HANDS + other] & card == 0:
                theirs = board[HANDS + other] & suit
                if theirs & usable & (top - 1):
                    add(values, theirs & above(top), factor * (weights[13]))
                else:
                    add(values, theirs, factor * (weights[14]))
        return
    add(values, hand & suit, factor * (weights[15]))
    add(values, hand & usable & board[SUITS], factor * (-weights[16]))
    values[lowest(card)] += factor * weights[18]
    for other in range(board[SEATS]):
        if board[HANDS + other] & card:
            for s in range(1, board[SUIT_COUNT]):
                theirs = board[HANDS + other] & board[SUITS + s]
                if theirs and theirs & card == 0:
                    add(values, theirs, factor * (weights[17] // bit_count(theirs)))


@kernel
def add(values: Masks, cards: int, amount: int) -> None:
    """Add an amount to the value of some cards."""
    while cards:
        values[lowest(cards)] += amount
        cards &= cards - 1
