"""`search`: exact depth-first search on bit masks, compiled by numba.

This module turns a position into the arrays of the kernel, lets the kernel run in slices, and turns its
stack back into cards. How the search works and why it is exact: docs/search.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crewsolve.cards import MAX_BITS, Card
from crewsolve.encodings.method import Answer, Limits
from crewsolve.errors import UnknownName
from crewsolve.kernels import board as b
from crewsolve.kernels import search as kernels
from crewsolve.kernels.jit import mark_ready
from crewsolve.kernels.ordering import TUNED
from crewsolve.kernels.table import COLUMNS, enlarge
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.tasks import FixedTasks, Status

Ints = NDArray[np.int64]

RESTARTS = ((100, 0), *((200, 5 + 2 * k) for k in range(20)), *((500, 30) for _ in range(10)))
"""Nodes and noise of the first dives, made against the heavy tail of winnable deals; then all is searched."""

SLICE = 50_000
"""Nodes between two looks at the clock."""

TABLE_BITS = (14, 22)
"""The table of lost positions starts with 2^14 places and grows to 2^22 (100 MB)."""


class Search:
    """Decide by search alone; exact, and without limits only bounded by time."""

    def __init__(self, name: str, *, sat: str | None = None) -> None:
        if sat is not None:
            raise UnknownName("SAT solver of the method search, which takes none,", sat, ())
        self.name = name

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        outcome = position.outcome
        if outcome is Status.FAILED:
            return Answer(Verdict.UNWINNABLE, "search", reason="a task has already failed")
        board, stack = board_of(position), stack_of(position)
        status, nodes, table = _decide(position, board, stack, limits)
        statistics = {"nodes": nodes, "table": table}
        if status == kernels.OPEN:
            why = "the node budget is spent" if not limits.expired else "the time limit is reached"
            return Answer(Verdict.UNKNOWN, "search", reason=why, statistics=statistics)
        mark_ready("search")
        if status == kernels.LOST:
            reason = f"every line of play fails ({nodes} nodes)"
            return Answer(Verdict.UNWINNABLE, "search", reason=reason, statistics=statistics)
        plays = line_of(position, board, stack)
        return Answer(Verdict.WINNABLE, "search", plays, statistics=statistics)


def _decide(position: Position, board: Ints, stack: Ints, limits: Limits) -> tuple[int, int, int]:
    """Status, nodes and table size after short dives with noise and, if need be, the whole search."""
    table, used, fresh = new_table(TABLE_BITS[0]), 0, board.copy()
    for number, (nodes, noise) in enumerate((*RESTARTS, (0, 0))):
        board[:] = fresh
        set_root(board, stack, position, number, noise)
        before = used
        while not limits.expired:
            step = nodes or SLICE
            if limits.nodes is not None:
                step = min(step, limits.nodes - used)
            status = kernels.run(board, stack, table, step)
            used = before + int(board[b.NODES])
            if status != kernels.OPEN or (limits.nodes is not None and used >= limits.nodes):
                return status, used, table.shape[0]
            if nodes:
                break
            if used > table.shape[0] // 2 < 1 << TABLE_BITS[1] - 1:
                table = _grown(table)
    return kernels.OPEN, used, table.shape[0]


def new_table(bits: int) -> Ints:
    """An empty table of lost positions with 2^bits places."""
    return np.zeros((1 << bits, COLUMNS), np.int64)


def _grown(table: Ints) -> Ints:
    larger = new_table(int(table.shape[0]).bit_length() + 1)
    enlarge(table, larger, 1)
    return larger


def board_of(position: Position) -> Ints:
    """The board of a position for the kernel."""
    deal, deck = position.deal, position.deal.deck
    in_play = deck.set(position.current.cards).mask
    for mask in position.hand_masks:
        in_play |= mask
    board = np.zeros(b.BOARD, np.int64)
    board[b.SEATS], board[b.SUIT_COUNT] = deal.seats, deck.colours + 1
    board[b.ANYTIME] = deal.rules.trumps_anytime
    board[b.SUITS : b.SUITS + deck.colours + 1] = deck.suit_masks
    board[b.SUIT_OF : b.SUIT_OF + deck.size] = [card.suit for card in deck.cards]
    board[b.HANDS : b.HANDS + deal.seats] = position.hand_masks
    board[b.ROOM : b.ROOM + deal.seats] = MAX_BITS
    must = deal.tasks.cards.mask & in_play
    board[b.MUST] = must
    for seat in range(deal.seats):
        if isinstance(deal.tasks, FixedTasks):
            owned = deal.tasks.owned_mask(seat) & in_play
            board[b.OWNED + seat], board[b.FORBIDDEN + seat] = owned, must & ~owned
        else:
            won = (position.won_masks[seat] & deal.tasks.cards.mask).bit_count()
            board[b.COUNTED] = must
            board[b.ROOM + seat] = min(deal.tasks.counts[seat] - won, MAX_BITS)
    board[b.WEIGHTS : b.WEIGHTS + TUNED.size] = TUNED
    b.link_kin(board)
    return board


def stack_of(position: Position) -> Ints:
    """An empty stack with room for every card still to be played."""
    return np.zeros((2 + sum(m.bit_count() for m in position.hand_masks), kernels.FRAME), np.int64)


def set_root(board: Ints, stack: Ints, position: Position, number: int, noise: int) -> None:
    """Put the position into the first frame of the stack, for dive `number`."""
    current, deck = position.current, position.deal.deck
    frame = stack[0]
    frame[:] = 0
    frame[kernels.LEADER] = current.leader
    frame[kernels.PLACED] = len(current.cards)
    frame[kernels.TRICKS] = position.tricks_left
    frame[kernels.BEST_SEAT] = -1
    if current.cards:
        led_suit = current.cards[0].suit
        strong = [card for card in current.cards if card.is_rocket or card.suit == led_suit]
        best = max(strong, key=deck.index)
        frame[kernels.LED] = led_suit
        frame[kernels.BEST] = deck.bit(best)
        frame[kernels.BEST_SEAT] = (current.leader + current.cards.index(best)) % position.deal.seats
        frame[kernels.ON_TABLE] = deck.set(current.cards).mask
    board[b.PLY] = board[b.NODES] = 0
    board[b.STAMP], board[b.RANDOM], board[b.NOISE] = 1, 12345 + number, noise


def line_of(position: Position, board: Ints, stack: Ints) -> tuple[Card, ...]:
    """The cards on the stack, and after them any legal ones to the last trick."""
    deck = position.deal.deck
    plays = []
    for ply in range(int(board[b.PLY])):
        number = int(stack[ply, kernels.NEXT]) - 1
        plays.append(deck.card(int(stack[ply, kernels.MOVES + number])))
    after = position.after(plays)
    while not after.over:
        card = next(iter(after.legal))
        plays.append(card)
        after = after.play(card)
    return tuple(plays)
