"""Depth-first search over the cards of a trick and the tricks of a play, on an explicit stack.

The stack keeps the whole state, so that the search runs in slices of nodes and goes on where it stopped.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crewsolve.kernels.bits import above, bit_count, lowest, top_bit
from crewsolve.kernels.board import Board, Masks, in_hands, legal
from crewsolve.kernels.doom import doomed
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.table import Table, canonical, known_lost, rest_key, store_lost
from crewsolve.kernels.tricks import hopeful_cards

LOST, WON, OPEN = 0, 1, 2

# Fields of a frame.
LEADER, PLACED, LED, BEST, BEST_SEAT, ON_TABLE, TRICKS, COUNT, NEXT, KEY, REST = range(11)
FRAME = 11


class Stack(NamedTuple):
    """One frame for each card played, with the moves to try; `state` = ply, nodes, random number, noise."""

    frames: Any
    moves: Any
    scores: Any
    winners: Masks
    waits: Any
    late: Masks
    values: Any
    gains: Masks
    weights: Masks
    state: Masks


PLY, NODES, RANDOM, NOISE, STAMP = range(5)


WEIGHTS = np.array([30, 10, 10, 40, -1, 1, -8, 6, 12, 6, 8, 0, 12, 6, 10, 4, 6, 6, 4, 0, 10], np.int64)


def new_stack(cards: int, seats: int) -> Stack:
    """A stack for `cards` cards in the hands of `seats` seats."""
    plies, suits = cards + 2, 64
    return Stack(
        np.zeros((plies, FRAME), np.int64), np.zeros((plies, cards + 1), np.int64),
        np.zeros((plies, cards + 1), np.int64), np.zeros(seats, np.int64),
        np.zeros((seats, suits), np.int64), np.zeros(cards + 2, np.int64), np.zeros((plies, 64), np.int64),
        np.zeros(seats, np.int64), WEIGHTS, np.zeros(5, np.int64),
    )  # fmt: skip


@kernel
def run(board: Board, stack: Stack, table: Table, nodes: int) -> int:
    """Search on until the position is decided or `nodes` more cards have been played."""
    state = stack.state
    limit = state[NODES] + nodes
    if state[NODES] == 0:
        status = enter(board, stack, table)
        if status != OPEN:
            return status
    while True:
        ply = state[PLY]
        frame = stack.frames[ply]
        if frame[NEXT] == frame[COUNT]:
            if frame[PLACED] == 0 and frame[REST] >= 0:
                store_lost(table, state[STAMP], frame[KEY], frame[REST])
            if ply == 0:
                return LOST
            state[PLY] = ply - 1
            take_back(board, stack)
            continue
        if state[NODES] >= limit:
            return OPEN
        state[NODES] += 1
        play_next(board, stack)
        status = enter(board, stack, table)
        if status == WON:
            return WON
        if status == LOST:
            state[PLY] -= 1
            take_back(board, stack)


@kernel
def play_next(board: Board, stack: Stack) -> None:
    """Play the next move of the frame and fill the frame after it."""
    ply = stack.state[PLY]
    frame, after = stack.frames[ply], stack.frames[ply + 1]
    card = stack.moves[ply, frame[NEXT]]
    frame[NEXT] += 1
    seats = board.hands.size
    seat = (frame[LEADER] + frame[PLACED]) % seats
    bit = 1 << card
    board.hands[seat] ^= bit
    led = frame[LED] if frame[PLACED] else board.suit_of[card]
    strong = board.suits[led] | board.suits[0]
    wins = bit & strong and bit > frame[BEST]
    best = bit if wins else frame[BEST]
    best_seat = seat if wins else frame[BEST_SEAT]
    table = frame[ON_TABLE] | bit
    stack.state[PLY] = ply + 1
    if frame[PLACED] + 1 < seats:
        after[LEADER], after[PLACED], after[LED] = frame[LEADER], frame[PLACED] + 1, led
        after[BEST], after[BEST_SEAT], after[ON_TABLE] = best, best_seat, table
        after[TRICKS] = frame[TRICKS]
        return
    board.room[best_seat] -= bit_count(table & board.counted)
    after[LEADER], after[PLACED], after[LED] = best_seat, 0, 0
    after[BEST], after[BEST_SEAT], after[ON_TABLE] = 0, -1, 0
    after[TRICKS] = frame[TRICKS] - 1


@kernel
def take_back(board: Board, stack: Stack) -> None:
    """Undo the last move played from the frame that is now the last."""
    ply = stack.state[PLY]
    frame, after = stack.frames[ply], stack.frames[ply + 1]
    card = stack.moves[ply, frame[NEXT] - 1]
    seats = board.hands.size
    seat = (frame[LEADER] + frame[PLACED]) % seats
    board.hands[seat] ^= 1 << card
    if frame[PLACED] + 1 == seats:
        table = frame[ON_TABLE] | 1 << card
        board.room[after[LEADER]] += bit_count(table & board.counted)


@kernel
def enter(board: Board, stack: Stack, table: Table) -> int:
    """Judge the last frame: WON, LOST, or OPEN with its moves listed."""
    ply = stack.state[PLY]
    frame = stack.frames[ply]
    live = in_hands(board)
    if frame[PLACED] == 0:
        if live & board.must == 0:
            frame[COUNT] = frame[NEXT] = 0
            return WON
        if frame[TRICKS] == 0 or doomed(board, live, frame[TRICKS], stack.waits, stack.late):
            return LOST
        frame[KEY] = canonical(board, live)
        frame[REST] = rest_key(board, frame[LEADER])
        if frame[REST] >= 0 and known_lost(table, stack.state[STAMP], frame[KEY], frame[REST]):
            return LOST
    if frame[PLACED] == 0 or ply == 0:
        value_cards(board, stack, live)
    list_moves(board, stack, live)
    return OPEN if frame[COUNT] else LOST


@kernel
def list_moves(board: Board, stack: Stack, live: int) -> None:
    """List the moves of the last frame, the most promising first."""
    ply = stack.state[PLY]
    frame = stack.frames[ply]
    frame[COUNT] = frame[NEXT] = 0
    seat = (frame[LEADER] + frame[PLACED]) % board.hands.size
    around = live | frame[ON_TABLE]
    if frame[PLACED]:
        _add_moves(board, stack, seat, frame[LED], around)
        return
    for led in range(board.suits.size):
        if board.hands[seat] & board.suits[led]:
            _add_moves(board, stack, seat, led, around)


@kernel
def _add_moves(board: Board, stack: Stack, seat: int, led: int, around: int) -> None:
    """Insert by score the hopeful cards of a seat, one of each run of equal ones."""
    state = stack.state
    ply = state[PLY]
    frame = stack.frames[ply]
    moves, scores = stack.moves[ply], stack.scores[ply]
    cards = hopeful_cards(
        board, seat, frame[PLACED], led, frame[BEST], frame[BEST_SEAT], frame[ON_TABLE], stack.winners
    )
    value_winners(board, stack, seat, frame[PLACED], led, frame[ON_TABLE], around)
    values = stack.values[max(0, ply - frame[PLACED])]
    while cards:
        card = lowest(cards)
        bit = 1 << card
        cards ^= bit
        below = around & board.suits[board.suit_of[card]] & (bit - 1)
        if top_bit(below) & board.hands[seat] & board.kin[card]:
            continue
        score = rate(board, stack, seat, bit, around) + values[card]
        place = frame[COUNT]
        while place > 0 and scores[place - 1] < score:
            scores[place], moves[place] = scores[place - 1], moves[place - 1]
            place -= 1
        scores[place], moves[place] = score, card
        frame[COUNT] += 1


@kernel
def value_winners(
    board: Board, stack: Stack, seat: int, placed: int, led: int, table: int, live: int
) -> None:
    """What it is worth that each seat wins this trick."""
    seats = board.hands.size
    weights = stack.weights
    for w in range(seats):
        gain = 0
        if stack.winners[w]:
            tasks = board.owned[w]
            if board.counted:
                tasks = board.counted if board.room[w] else 0
            gain = weights[0] * bit_count(table & tasks)
            if tasks & live:
                gain += weights[1]
            for turn in range(1, seats - placed):
                if legal(board, (seat + turn) % seats, led) & tasks:
                    gain += weights[2]
        stack.gains[w] = gain


@kernel
def rate(board: Board, stack: Stack, seat: int, bit: int, live: int) -> int:
    """How promising a card is; noise, where wanted, comes from a generator of its own."""
    state = stack.state
    weights = stack.weights
    gain = -1000
    for w in range(board.hands.size):
        if stack.winners[w] & bit:
            gain = max(gain, stack.gains[w])
    score = gain
    if bit & board.must:
        score += weights[3]
    suit = board.suits[board.suit_of[lowest(bit)]] & live
    rank = bit_count(suit & (bit - 1)) - bit_count(suit & above(bit))
    if board.owned[seat] & live or (board.room[seat] and board.counted):
        score += rank * weights[4]
    else:
        score += rank * weights[5]
    if bit & board.suits[0]:
        score += weights[6]
    if state[NOISE]:
        state[RANDOM] = (state[RANDOM] * 1103515245 + 12345) & 0x7FFFFFFF
        score += (state[RANDOM] >> 12) % state[NOISE]
    return score


@kernel
def value_cards(board: Board, stack: Stack, live: int) -> None:
    """Assets are kept, obstacles are shed."""
    ply = stack.state[PLY]
    values = stack.values[ply]
    values[:] = 0
    weights = stack.weights
    seats = board.hands.size
    for owner in range(seats):
        tasks = board.owned[owner] & live
        usable = ~board.forbidden[owner]
        hand = board.hands[owner]
        while tasks:
            card = tasks & -tasks
            tasks ^= card
            suit = board.suits[board.suit_of[lowest(card)]]
            if hand & card:
                for other in range(seats):
                    if other != owner:
                        theirs = board.hands[other] & suit
                        lower = theirs & usable & (card - 1)
                        add(values, theirs & above(card), weights[7] if lower else weights[8])
                        if lower:
                            add(values, lower, -weights[9] // bit_count(lower))
                        else:
                            add(values, theirs & (card - 1), weights[10])
                add(values, hand & suit & ~card, weights[11])
                values[lowest(card)] += weights[20]
            else:
                higher = hand & suit & usable & above(card)
                if higher:
                    add(values, higher, -weights[12] // bit_count(higher))
                    top = top_bit(higher)
                    for other in range(seats):
                        if other != owner and board.hands[other] & card == 0:
                            theirs = board.hands[other] & suit
                            if theirs & usable & (top - 1):
                                add(values, theirs & above(top), weights[13])
                            else:
                                add(values, theirs, weights[14])
                else:
                    add(values, hand & suit, weights[15])
                    add(values, hand & usable & board.suits[0], -weights[16])
                    for other in range(seats):
                        if board.hands[other] & card:
                            for s in range(board.suits.size):
                                theirs = board.hands[other] & board.suits[s]
                                if s and theirs & card == 0 and theirs:
                                    add(values, theirs, weights[17] // bit_count(theirs))
                    values[lowest(card)] += weights[18]


@kernel
def add(values: Masks, cards: int, amount: int) -> None:
    """Add an amount to the value of some cards."""
    while cards:
        values[lowest(cards)] += amount
        cards &= cards - 1
