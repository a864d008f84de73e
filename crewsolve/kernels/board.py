"""The board: what the search plays on, and the rules of play on masks."""

from __future__ import annotations

from typing import Any, NamedTuple

from crewsolve.kernels.bits import lowest
from crewsolve.kernels.jit import kernel

Masks = Any  # a one-dimensional int64 array


class Board(NamedTuple):
    """Cards and goals of one position.

    Play: `suits` (mask of suit s, rockets at 0), `suit_of` (suit of each card), `hands` (cards left, changed
    by the search), `anytime` (the house rule). Goals: `must` are the cards that have to be won at all,
    `forbidden[w]` those that may not lie in a trick won by seat w, `owned[w]` those that only w may win;
    of the cards in `counted` seat w may still win `room[w]` (changed by the search). `kin[c]` are the cards
    of the suit and hand of card c that stand for the same goals: what the canonical form may exchange.
    """

    suits: Masks
    suit_of: Masks
    hands: Masks
    anytime: int
    must: int
    counted: int
    forbidden: Masks
    owned: Masks
    room: Masks
    kin: Masks


@kernel
def legal(board: Board, seat: int, led: int) -> int:
    """The cards a seat may play on a trick of suit `led`."""
    hand = board.hands[seat]
    following = hand & board.suits[led]
    if following == 0:
        return hand
    if board.anytime:
        return following | (hand & board.suits[0])
    return following


@kernel
def in_hands(board: Board) -> int:
    """All cards that are in a hand."""
    live = 0
    for hand in board.hands:
        live |= hand
    return live


@kernel
def link_kin(board: Board) -> None:
    """Fill `kin`: cards of one suit and hand that no goal tells apart."""
    for suit in range(board.suits.size):
        for seat in range(board.hands.size):
            left = board.hands[seat] & board.suits[suit]
            while left:
                card = lowest(left)
                group = left & _alike(board.must, card) & _alike(board.counted, card)
                for winner in range(board.hands.size):
                    group &= _alike(board.forbidden[winner], card)
                left &= ~group
                rest = group
                while rest:
                    board.kin[lowest(rest)] = group
                    rest &= rest - 1


@kernel
def _alike(mask: int, card: int) -> int:
    """The cards that are in the mask if `card` is, or out of it if `card` is."""
    return mask if mask >> card & 1 else ~mask
