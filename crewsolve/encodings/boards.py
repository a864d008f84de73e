"""From positions to the flat arrays of the search kernel, and from its stack back to cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crewsolve.cards import MAX_BITS, Card, Deck
from crewsolve.kernels import board as b
from crewsolve.kernels import search as kernels
from crewsolve.kernels.batch import finish
from crewsolve.kernels.ordering import TUNED
from crewsolve.position import Position
from crewsolve.rules import Rules
from crewsolve.tasks import FixedTasks

Ints = NDArray[np.int64]


def pattern_of(deck: Deck, seats: int, rules: Rules) -> Ints:
    """The board without cards of a deck, seats and rules."""
    board = np.zeros(b.BOARD, np.int64)
    board[b.SEATS], board[b.SUIT_COUNT] = seats, deck.colours + 1
    board[b.ANYTIME] = rules.trumps_anytime
    board[b.SUITS : b.SUITS + deck.colours + 1] = deck.suit_masks
    board[b.SUIT_OF : b.SUIT_OF + deck.size] = [card.suit for card in deck.cards]
    board[b.ROOM : b.ROOM + seats] = MAX_BITS
    board[b.WEIGHTS : b.WEIGHTS + TUNED.size] = TUNED
    return board


def board_of(position: Position) -> Ints:
    """The board of a position; what has been won already no longer counts."""
    deal = position.deal
    board = pattern_of(deal.deck, deal.seats, deal.rules)
    board[b.HANDS : b.HANDS + deal.seats] = position.hand_masks
    in_play = deal.deck.set(position.current.cards).mask
    for mask in position.hand_masks:
        in_play |= mask
    for seat in range(deal.seats):
        if isinstance(deal.tasks, FixedTasks):
            board[b.OWNED + seat] = deal.tasks.owned_mask(seat)
        else:
            won = (position.won_masks[seat] & deal.tasks.cards.mask).bit_count()
            board[b.COUNTED] = deal.tasks.cards.mask & in_play
            board[b.ROOM + seat] = min(deal.tasks.counts[seat] - won, MAX_BITS)
    b.set_goals(board, in_play)
    return board


def root_of(position: Position) -> Ints:
    """The first row of the stack: the trick so far."""
    current, deck = position.current, position.deal.deck
    root = np.zeros(kernels.MOVES, np.int64)
    root[kernels.LEADER], root[kernels.PLACED] = current.leader, len(current.cards)
    root[kernels.TRICKS], root[kernels.BEST_SEAT] = position.tricks_left, -1
    if current.cards:
        led_suit = current.cards[0].suit
        strong = [card for card in current.cards if card.is_rocket or card.suit == led_suit]
        best = max(strong, key=deck.index)
        root[kernels.LED], root[kernels.BEST] = led_suit, deck.bit(best)
        root[kernels.BEST_SEAT] = (current.leader + current.cards.index(best)) % position.deal.seats
        root[kernels.ON_TABLE] = deck.set(current.cards).mask
    return root


def stack_of(position: Position) -> Ints:
    """An empty stack with room for every card still to be played."""
    return np.zeros((2 + sum(m.bit_count() for m in position.hand_masks), kernels.FRAME), np.int64)


def line_of(position: Position, board: Ints, stack: Ints) -> tuple[Card, ...]:
    """The cards on the stack of a win, and after them any legal ones to the last trick."""
    line = np.zeros(len(stack), np.int64)
    finish(board, stack, line)
    cards = position.deal.deck.cards
    return tuple(cards[number] for number in line[: board[b.PLY]].tolist())
