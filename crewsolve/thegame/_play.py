"""Whole games inside a kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._capacity import CapacityRoom, best_capacity, make_capacity_room
from crewsolve.thegame._own import Own
from crewsolve.thegame._pair_games import play_pairs
from crewsolve.thegame._pair_penalty import MOST_PILES, PairRoom, best_penalty_pair, make_pair_room
from crewsolve.thegame._penalty import PenaltyRoom, best_penalty, make_penalty_room
from crewsolve.thegame._random import open_stream, shuffle
from crewsolve.thegame._ranks import OWN, rank_moves, take_out
from crewsolve.thegame._sides import Choice, Search, Side, consider, list_side, make_choice, make_side
from crewsolve.thegame._table import HELD, IN_DECK, LAID, PENALTY, Numbers, Rules, Table, make_table


class Desk(NamedTuple):
    """Everything a kernel needs room for."""

    table: Table
    up: Side
    down: Side
    capacity: CapacityRoom
    penalty: PenaltyRoom
    pairs: PairRoom
    choice: Choice
    ranks: np.ndarray  # [place, pile]
    codes: np.ndarray  # [place * piles + pile] a random order of the moves
    slots: np.ndarray  # [pile] room for what the piles show after a turn
    stream: np.ndarray


def make_desk(rules: Rules, entries: int) -> Desk:
    """Room for so many entries on each side."""
    piles = rules.up + rules.down
    slots = rules.hand + piles
    return Desk(
        make_table(rules),
        make_side(rules.up, entries),
        make_side(rules.down, entries),
        make_capacity_room(slots, entries),
        make_penalty_room(rules.size, slots, entries),
        make_pair_room(rules),
        make_choice(piles),
        np.zeros((rules.hand, piles), np.int64),
        np.zeros(rules.hand * piles, np.int64),
        np.zeros(piles, np.int64),
        np.zeros(4, np.uint64),
    )


@kernel
def _own(desk: Desk, numbers: Numbers, rules: Rules, size: int, is_asked: bool) -> Own:
    """What the own value of a turn is worked out from, if the rule for ties asks for it."""
    capacity, takes = desk.capacity.capacity, desk.capacity.takes
    return Own(is_asked, capacity, takes, desk.penalty.rows, numbers, desk.table, rules, size, desk.slots)


@kernel
def _last_moves(desk: Desk, own: Own, longest: int) -> int:
    """Choose the longest run when no full turn is left; returns its length."""
    up, down = desk.up, desk.down
    for total in range(longest, 0, -1):
        found = False
        for up_size in range(total + 1):
            for i in range(up.layers[up_size], up.layers[up_size + 1]):
                for j in range(down.layers[total - up_size], down.layers[total - up_size + 1]):
                    if up.cards[i] & down.cards[j] == 0:
                        consider(desk.choice, up, i, down, j, desk.ranks, own, total, found)
                        found = True
        if found:
            return total
    return 0


@kernel
def _draw(table: Table, size: int, order: np.ndarray, drawn: int, rules: Rules) -> tuple[int, int]:
    """Fill the sorted hand up from the deck; returns the new hand size and the number of drawn cards."""
    while size < rules.hand and drawn < len(order):
        card = order[drawn]
        place = size
        while place > 0 and table.hand[place - 1] > card:
            table.hand[place] = table.hand[place - 1]
            place -= 1
        table.hand[place] = card
        table.status[card] = HELD
        table.lies_at[card] = size
        size += 1
        drawn += 1
    return size, drawn


@kernel
def _in_pairs(numbers: Numbers, rules: Rules) -> bool:
    """Tell whether turns are the pairs that have a quicker search."""
    if rules.turn != 2 or rules.depth != 0:
        return False
    return numbers.kind < PENALTY or max(rules.up, rules.down) <= MOST_PILES


@kernel
def choose(
    desk: Desk, numbers: Numbers, rules: Rules, tops: np.ndarray, size: int, ties: int
) -> tuple[int, bool]:
    """Choose the moves of a turn; returns (their number, is it a full turn), or -1 for want of room."""
    table = desk.table
    rank_moves(
        desk.ranks, desk.codes, desk.stream, ties, table.hand, table.lies_at, size, rules.up + rules.down
    )
    for place in range(size):
        table.shown[place] = table.hand[place] + 1
        table.place[table.hand[place]] = place
    for pile in range(rules.up + rules.down):
        table.shown[size + pile] = tops[pile]
    if (
        numbers.kind >= PENALTY
        and _in_pairs(numbers, rules)
        and best_penalty_pair(desk.pairs, numbers, table, size, rules, desk.ranks)
    ):
        for move in range(2):
            desk.choice.places[move], desk.choice.piles[move] = (
                desk.pairs.best[2 + 2 * move],
                desk.pairs.best[3 + 2 * move],
            )
        return 2, True
    longest = min(rules.turn + rules.depth, size)
    up_count = list_side(desk.up, True, table.shown, 0, rules.up, size, longest, rules.trick)
    down_count = list_side(desk.down, False, table.shown, rules.up, rules.down, size, longest, rules.trick)
    if up_count < 0 or down_count < 0:
        return -1, False
    own = _own(desk, numbers, rules, size, ties == OWN)
    search = Search(desk.up, desk.down, up_count, down_count, desk.ranks, size, longest, own)
    found = False
    if size >= rules.turn and numbers.kind >= PENALTY:
        found = best_penalty(desk.penalty, numbers, table, rules, search, desk.choice)
    elif size >= rules.turn:
        found = best_capacity(desk.capacity, numbers, table, rules, search, desk.choice)
    if found:
        return rules.turn, True
    own = _own(desk, numbers, rules, size, False)  # the last moves follow no strategy
    return _last_moves(desk, own, min(longest, rules.turn - 1)), False


@kernel
def _lay(desk: Desk, size: int, length: int, tops: np.ndarray, ups: int) -> tuple[int, int]:
    """Lay the chosen moves; returns the new hand size and the number of backwards tricks."""
    table, tricks = desk.table, 0
    for move in range(length):
        card, pile = table.hand[desk.choice.places[move]], desk.choice.piles[move]
        step = card + 1 - tops[pile]
        tricks += step < 0 if pile < ups else step > 0
        tops[pile] = card + 1
        table.status[card] = LAID
        take_out(table.lies_at, table.hand, size, size - move, card)
    kept = 0
    for place in range(size):
        if table.status[table.hand[place]] != LAID:
            table.hand[kept] = table.hand[place]
            kept += 1
    return kept, tricks


@kernel
def play_game(
    order: np.ndarray, numbers: Numbers, rules: Rules, ties: int, desk: Desk, moves: np.ndarray
) -> tuple[int, int]:
    """Play one game; writes the moves as card * piles + pile and returns (cards laid, backwards tricks)."""
    n, piles = rules.size, rules.up + rules.down
    tops = np.empty(piles, np.int64)
    for pile in range(piles):
        tops[pile] = 0 if pile < rules.up else n + 1
    desk.table.status[:] = IN_DECK
    size, drawn, laid, tricks, is_full = 0, 0, 0, 0, True
    while is_full and laid < n:
        size, drawn = _draw(desk.table, size, order, drawn, rules)
        length, is_full = choose(desk, numbers, rules, tops, size, ties)
        if length < 0:
            return -1, 0
        for move in range(length):
            moves[laid + move] = desk.table.hand[desk.choice.places[move]] * piles + desk.choice.piles[move]
        size, more = _lay(desk, size, length, tops, rules.up)
        laid += length
        tricks += more
    return laid, tricks


@kernel
def play_block(
    seed: np.ndarray,
    first: int,
    numbers: Numbers,
    rules: Rules,
    ties: int,
    desk: Desk,
    laid: np.ndarray,
    tricks: np.ndarray,
    moves: np.ndarray,
) -> int:
    """Play games `first`, `first` + 1, … of a seed; returns how many were played before the room ran out."""
    order, stream = np.empty(rules.size, np.int64), desk.stream
    in_pairs = numbers.kind < PENALTY and _in_pairs(numbers, rules)
    for game in range(len(laid)):
        open_stream(seed, np.uint64(first + game), stream)
        shuffle(stream, order)
        if in_pairs:
            laid[game], tricks[game] = play_pairs(
                order, numbers.weights, numbers.kind, rules, ties, stream, desk.codes, moves[game]
            )
        else:
            laid[game], tricks[game] = play_game(order, numbers, rules, ties, desk, moves[game])
        if laid[game] < 0:
            return game
    return len(laid)
