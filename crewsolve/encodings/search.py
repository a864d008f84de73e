"""`search`: exact depth-first search on bit masks, compiled by numba.

This module turns a position into the arrays of the kernel, lets the kernel run in slices, and turns its
stack back into cards. How the search works and why it is exact: docs/search.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crewsolve.cards import MAX_BITS, Card
from crewsolve.encodings.method import Answer, Limits
from crewsolve.errors import UnknownName
from crewsolve.kernels import search as kernels
from crewsolve.kernels.board import Board, link_kin
from crewsolve.kernels.jit import mark_ready
from crewsolve.kernels.table import Table, enlarge
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.tasks import FixedTasks, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        plays = line_of(position, stack)
        return Answer(Verdict.WINNABLE, "search", plays, statistics=statistics)


def _decide(position: Position, board: Board, stack: kernels.Stack, limits: Limits) -> tuple[int, int, int]:
    """Status, nodes and table size after short dives with noise and, if need be, the whole search."""
    table, used = new_table(TABLE_BITS[0]), 0
    hands, room = board.hands.copy(), board.room.copy()
    for number, (nodes, noise) in enumerate((*RESTARTS, (0, 0))):
        board.hands[:], board.room[:] = hands, room
        set_root(stack, position, number, noise)
        before = used
        while not limits.expired:
            step = nodes or SLICE
            if limits.nodes is not None:
                step = min(step, limits.nodes - used)
            status = kernels.run(board, stack, table, step)
            used = before + int(stack.state[kernels.NODES])
            if status != kernels.OPEN or (limits.nodes is not None and used >= limits.nodes):
                return status, used, table.cards.size
            if nodes:
                break
            if used > table.cards.size // 2 < 1 << TABLE_BITS[1] - 1:
                table = _grown(table)
    return kernels.OPEN, used, table.cards.size


def new_table(bits: int) -> Table:
    """An empty table of lost positions with 2^bits places."""
    return Table(*(np.zeros(1 << bits, np.int64) for _ in range(3)))


def _grown(table: Table) -> Table:
    larger = new_table(int(table.cards.size).bit_length() + 1)
    enlarge(table, larger, 1)
    return larger


def board_of(position: Position) -> Board:
    """The arrays of a position for the kernel."""
    deal = position.deal
    seats, deck = deal.seats, deal.deck
    in_play = position.deal.deck.set(position.current.cards).mask
    for mask in position.hand_masks:
        in_play |= mask
    owned, room = np.zeros(seats, np.int64), np.full(seats, MAX_BITS + 1, np.int64)
    must = deal.tasks.cards.mask & in_play
    counted = 0
    if isinstance(deal.tasks, FixedTasks):
        owned[:] = [deal.tasks.owned_mask(seat) & in_play for seat in range(seats)]
    else:
        counted = must
        won = [(mask & deal.tasks.cards.mask).bit_count() for mask in position.won_masks]
        room[:] = [count - taken for count, taken in zip(deal.tasks.counts, won, strict=True)]
    forbidden = np.array([0 if counted else must & ~int(mask) for mask in owned], np.int64)
    suit_of = np.zeros(MAX_BITS + 1, np.int64)
    suit_of[: deck.size] = [card.suit for card in deck.cards]
    board = Board(
        np.array(deck.suit_masks, np.int64), suit_of, np.array(position.hand_masks, np.int64),
        int(deal.rules.trumps_anytime), must, counted, forbidden, owned, room,
        np.zeros(MAX_BITS + 1, np.int64),
    )  # fmt: skip
    link_kin(board)
    return board


def stack_of(position: Position) -> kernels.Stack:
    """An empty stack with room for every card still to be played."""
    return kernels.new_stack(sum(m.bit_count() for m in position.hand_masks), position.deal.seats)


def set_root(stack: kernels.Stack, position: Position, number: int, noise: int) -> None:
    """Put the position into the first frame of the stack, for dive `number`."""
    current, deck = position.current, position.deal.deck
    frame: NDArray[np.int64] = stack.frames[0]
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
    stack.state[:] = 0
    stack.state[kernels.STAMP] = 1
    stack.state[kernels.RANDOM] = 12345 + number
    stack.state[kernels.NOISE] = noise


def line_of(position: Position, stack: kernels.Stack) -> tuple[Card, ...]:
    """The cards on the stack, and after them any legal ones to the last trick."""
    deck = position.deal.deck
    plays = []
    for ply in range(int(stack.state[kernels.PLY])):
        number = int(stack.frames[ply, kernels.NEXT]) - 1
        plays.append(deck.card(int(stack.moves[ply, number])))
    after = position.after(plays)
    while not after.over:
        card = next(iter(after.legal))
        plays.append(card)
        after = after.play(card)
    return tuple(plays)
