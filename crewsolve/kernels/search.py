"""Depth-first search over the cards of a trick and the tricks of a play, on an explicit stack.

The stack keeps the whole state, so that the search runs in slices of nodes and goes on where it stopped.
A node is a card played.
"""

from __future__ import annotations

from crewsolve.kernels.bits import bit_count, lowest, top_bit
from crewsolve.kernels.board import (
    COUNTED,
    HANDS,
    KIN,
    MUST,
    NODES,
    PLACES,
    PLY,
    ROOM,
    SEATS,
    STAMP,
    SUIT_COUNT,
    SUIT_OF,
    SUITS,
    Grid,
    Masks,
    in_hands,
)
from crewsolve.kernels.doom import doomed
from crewsolve.kernels.jit import kernel
from crewsolve.kernels.ordering import rate, value_cards, value_winners
from crewsolve.kernels.table import canonical, known_lost, rest_key, store_lost
from crewsolve.kernels.tricks import hopeful_cards, set_least

LOST, WON, OPEN = 0, 1, 2

# Columns of the stack, one row for each card played: the trick so far, the moves to try and their worth.
LEADER, PLACED, LED, BEST, BEST_SEAT, ON_TABLE, TRICKS, COUNT, NEXT, KEY, REST = range(11)
MOVES, SCORES, VALUES = 16, 16 + PLACES, 16 + 2 * PLACES
FRAME = 16 + 3 * PLACES


@kernel
def run(board: Masks, stack: Grid, table: Grid, nodes: int) -> int:
    """Search on until the position is decided or `nodes` more cards have been played."""
    limit = board[NODES] + nodes
    if board[NODES] == 0:
        status = enter(board, stack, table)
        if status != OPEN:
            return status
    while True:
        ply = board[PLY]
        if stack[ply, NEXT] == stack[ply, COUNT]:
            if stack[ply, PLACED] == 0 and stack[ply, REST] >= 0:
                store_lost(table, board[STAMP], stack[ply, KEY], stack[ply, REST])
            if ply == 0:
                return LOST
            take_back(board, stack)
            continue
        if board[NODES] >= limit:
            return OPEN
        board[NODES] += 1
        play_next(board, stack)
        status = enter(board, stack, table)
        if status == WON:
            return WON
        if status == LOST:
            take_back(board, stack)


@kernel
def play_next(board: Masks, stack: Grid) -> None:
    """Play the next move of the last row and fill the row after it."""
    ply = board[PLY]
    card = stack[ply, MOVES + stack[ply, NEXT]]
    stack[ply, NEXT] += 1
    placed, leader, best, best_seat = (
        stack[ply, PLACED],
        stack[ply, LEADER],
        stack[ply, BEST],
        stack[ply, BEST_SEAT],
    )
    seat = seat_of(board, leader, placed)
    bit = 1 << card
    board[HANDS + seat] ^= bit
    led = stack[ply, LED] if placed else board[SUIT_OF + card]
    if bit & (board[SUITS + led] | board[SUITS]) and bit > best:
        best, best_seat = bit, seat
    table = stack[ply, ON_TABLE] | bit
    tricks = stack[ply, TRICKS]
    if placed + 1 == board[SEATS]:
        board[ROOM + best_seat] -= bit_count(table & board[COUNTED])
        leader, placed, led, best, table, tricks = best_seat, -1, 0, 0, 0, tricks - 1
        best_seat = -1
    ply += 1
    board[PLY] = ply
    stack[ply, LEADER] = leader
    stack[ply, PLACED] = placed + 1
    stack[ply, LED] = led
    stack[ply, BEST] = best
    stack[ply, BEST_SEAT] = best_seat
    stack[ply, ON_TABLE] = table
    stack[ply, TRICKS] = tricks


@kernel
def seat_of(board: Masks, leader: int, placed: int) -> int:
    """The seat that plays as number `placed` of a trick."""
    seat = leader + placed
    return seat if seat < board[SEATS] else seat - board[SEATS]


@kernel
def take_back(board: Masks, stack: Grid) -> None:
    """Undo the last card played."""
    ply = board[PLY] - 1
    board[PLY] = ply
    card = stack[ply, MOVES + stack[ply, NEXT] - 1]
    placed = stack[ply, PLACED]
    board[HANDS + seat_of(board, stack[ply, LEADER], placed)] ^= 1 << card
    if placed + 1 == board[SEATS]:
        taken = (stack[ply, ON_TABLE] | 1 << card) & board[COUNTED]
        board[ROOM + stack[ply + 1, LEADER]] += bit_count(taken)


@kernel
def enter(board: Masks, stack: Grid, table: Grid) -> int:
    """Judge the last row: WON, LOST, or OPEN with its moves listed."""
    ply = board[PLY]
    live = in_hands(board)
    stack[ply, COUNT] = stack[ply, NEXT] = 0
    if stack[ply, PLACED] == 0:
        if live & board[MUST] == 0:
            return WON
        if stack[ply, TRICKS] == 0:
            return LOST
        key, rest = canonical(board, live), rest_key(board, stack[ply, LEADER])
        if rest >= 0 and known_lost(table, board[STAMP], key, rest):
            return LOST
        if doomed(board, live, stack[ply, TRICKS]):
            return LOST
        stack[ply, KEY], stack[ply, REST] = key, rest
    list_moves(board, stack, live)
    return OPEN if stack[ply, COUNT] else LOST


@kernel
def list_moves(board: Masks, stack: Grid, live: int) -> None:
    """List the moves of the last row, the most promising first."""
    ply = board[PLY]
    placed = stack[ply, PLACED]
    seat = seat_of(board, stack[ply, LEADER], placed)
    around = live | stack[ply, ON_TABLE]
    if board[COUNTED]:
        set_least(board, around, stack[ply, TRICKS])
    if placed == 0 or ply == 0:
        value_cards(board, stack[ply, VALUES:], live)
    if placed:
        _add_moves(board, stack, seat, stack[ply, LED], around)
        return
    for led in range(board[SUIT_COUNT]):
        if board[HANDS + seat] & board[SUITS + led]:
            _add_moves(board, stack, seat, led, around)


@kernel
def _add_moves(board: Masks, stack: Grid, seat: int, led: int, around: int) -> None:
    """Insert by score the hopeful cards of a seat, one of each run of equal ones."""
    ply = board[PLY]
    placed, table = stack[ply, PLACED], stack[ply, ON_TABLE]
    cards = hopeful_cards(board, seat, placed, led, stack[ply, BEST], stack[ply, BEST_SEAT], table)
    if cards == 0:
        return
    value_winners(board, seat, placed, led, table, around)
    trick_start = max(0, ply - placed)
    while cards:
        card = lowest(cards)
        bit = 1 << card
        cards ^= bit
        below = around & board[SUITS + board[SUIT_OF + card]] & (bit - 1)
        if top_bit(below) & board[HANDS + seat] & board[KIN + card]:
            continue
        score = rate(board, seat, bit, around) + stack[trick_start, VALUES + card]
        place = stack[ply, COUNT]
        while place > 0 and stack[ply, SCORES + place - 1] < score:
            stack[ply, SCORES + place] = stack[ply, SCORES + place - 1]
            stack[ply, MOVES + place] = stack[ply, MOVES + place - 1]
            place -= 1
        stack[ply, SCORES + place], stack[ply, MOVES + place] = score, card
        stack[ply, COUNT] += 1
