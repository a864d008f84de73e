"""The board: one flat array of masks and numbers that the search plays on, and the rules of play on it.

Each block of `board` has a place for every seat, suit or card: `board[HANDS + seat]`. One array instead of
many keeps the calls between kernels cheap.

Play: `SUITS` (mask of suit s, rockets at 0), `SUIT_OF` (suit of each card), `HANDS` (cards left, changed by
the search), `ANYTIME` (the house rule). Goals: `MUST` are the cards that have to be won at all, `FORBIDDEN`
those that may not lie in a trick won by a seat, `OWNED` those that this seat alone may win; of the cards in
`COUNTED` a seat may still win `ROOM` (changed by the search). `KIN` of a card are the cards of its suit and
hand that no goal tells apart from it.
"""

from __future__ import annotations

from typing import Any

from crewsolve.kernels.bits import lowest
from crewsolve.kernels.jit import kernel

Masks = Any  # a one-dimensional int64 array
Grid = Any  # a two-dimensional one

PLACES = 64
HANDS, FORBIDDEN, OWNED, ROOM, SUITS, SUIT_OF, KIN = (PLACES * block for block in range(7))
# Scratch of the kernels: cards by winner and their worth, tasks by time, blame, weights, tasks a trick needs.
WINNERS, GAINS, LATE, BLAME, WEIGHTS, LEAST = (PLACES * block for block in range(7, 13))
SEATS, SUIT_COUNT, ANYTIME, MUST, COUNTED = range(PLACES * 13, PLACES * 13 + 5)
PLY, NODES, RANDOM, NOISE, STAMP, USED = range(PLACES * 13 + 5, PLACES * 13 + 11)
WAITS = PLACES * 14  # 32 places for the suits of each seat
BOARD = PLACES * 14 + PLACES * 32
KEPT = PLACES * 14  # what a fresh start restores


@kernel
def set_goals(board: Masks, in_play: int) -> None:
    """Derive `MUST`, `FORBIDDEN` and `KIN` from `OWNED` and `COUNTED`, for the cards in play."""
    must = board[COUNTED]
    for seat in range(board[SEATS]):
        board[OWNED + seat] &= in_play
        must |= board[OWNED + seat]
    for seat in range(board[SEATS]):
        board[FORBIDDEN + seat] = must & ~board[OWNED + seat] & ~board[COUNTED]
    board[MUST] = must
    link_kin(board)


@kernel
def legal(board: Masks, seat: int, led: int) -> int:
    """The cards a seat may play on a trick of suit `led`."""
    hand = board[HANDS + seat]
    following = hand & board[SUITS + led]
    if following == 0:
        return hand
    if board[ANYTIME]:
        return following | (hand & board[SUITS])
    return following


@kernel
def in_hands(board: Masks) -> int:
    """All cards that are in a hand."""
    live = 0
    for seat in range(board[SEATS]):
        live |= board[HANDS + seat]
    return live


@kernel
def link_kin(board: Masks) -> None:
    """Fill `KIN`: cards of one suit and hand that no goal tells apart."""
    for suit in range(board[SUIT_COUNT]):
        for seat in range(board[SEATS]):
            left = board[HANDS + seat] & board[SUITS + suit]
            while left:
                card = lowest(left)
                group = left & _alike(board[MUST], card) & _alike(board[COUNTED], card)
                for winner in range(board[SEATS]):
                    group &= _alike(board[FORBIDDEN + winner], card)
                left &= ~group
                rest = group
                while rest:
                    board[KIN + lowest(rest)] = group
                    rest &= rest - 1


@kernel
def _alike(mask: int, card: int) -> int:
    """The cards that are in the mask if `card` is, or out of it if `card` is."""
    return mask if mask >> card & 1 else ~mask
