"""The replay of a line found by search: the rules and goals once more, sharing nothing with the search.

Single results are replayed by the simulator itself; this is its compiled twin for batches, tested against it.
"""

from __future__ import annotations

from crewsolve.kernels.board import (
    ANYTIME,
    COUNTED,
    HANDS,
    OWNED,
    ROOM,
    SEATS,
    SUIT_OF,
    SUITS,
    Masks,
)
from crewsolve.kernels.jit import kernel


@kernel
def line_wins(board: Masks, leader: int, tricks: int, line: Masks, won: Masks) -> bool:
    """Whether the line, from before the first card to the last trick, is legal and meets all goals.

    `won` gets the cards that each seat wins.
    """
    seats = board[SEATS]
    hands = board[HANDS : HANDS + seats].copy()
    won[:] = 0
    for trick in range(tricks):
        cards = line[trick * seats : (trick + 1) * seats]
        led = board[SUIT_OF + cards[0]]
        strongest, winner, taken = -1, leader, 0
        for place in range(seats):
            seat = (leader + place) % seats
            card = cards[place]
            suit = board[SUIT_OF + card]
            if hands[seat] >> card & 1 == 0:
                return False
            if suit != led and hands[seat] & board[SUITS + led] and not (board[ANYTIME] and suit == 0):
                return False
            hands[seat] ^= 1 << card
            taken |= 1 << card
            strength = card + 64 if suit == 0 else card if suit == led else -1
            if strength > strongest:
                strongest, winner = strength, seat
        won[winner] |= taken
        leader = winner
    return _goals_met(board, won)


@kernel
def _goals_met(board: Masks, won: Masks) -> bool:
    """Whether every seat has won its own cards, and of the counted ones no more than its room, all in all."""
    everything = 0
    for seat in range(won.size):
        if board[OWNED + seat] & ~won[seat]:
            return False
        counted, share = won[seat] & board[COUNTED], 0
        while counted:
            counted &= counted - 1
            share += 1
        if board[COUNTED] and share > board[ROOM + seat]:
            return False
        everything |= won[seat]
    return board[COUNTED] & ~everything == 0
