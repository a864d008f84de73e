"""How long things must wait in every winning play: lower bounds on the trick, found before any search.

A trick that a seat p wins holds only cards that are nobody's task or p's own: the cards *usable* for p. So
when card e of p wins a trick of suit s, every other seat either follows with a usable card that e beats, or
has no card of s left, which takes as many tricks as it holds cards of s, and longer where these are tasks
that must wait themselves. The bounds rise together until nothing changes. A solver would have to find each of
them by a pigeonhole argument, which is where clauses are weakest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crewsolve.encodings.lean.variables import Blocks, Ints, Table, rows

NEVER = 99
"""A trick beyond the last."""

ROUNDS = 6
"""Bounds hold after every round, so stopping early is sound; nearly all deals are stable after three."""


@dataclass(frozen=True)
class Ways:
    """Ways to win a trick, one row each: card `card` of seat `seat` in a trick of the suit of row `suit`."""

    table: Table
    owner: Ints

    @cached_property
    def card(self) -> Ints:
        """The winning card: each card in its own suit, each rocket also in every colour."""
        return self._pairs[:, 0]

    @cached_property
    def suit(self) -> Ints:
        """The row of the led suit."""
        return self._pairs[:, 1]

    @cached_property
    def _pairs(self) -> Ints:
        table = self.table
        own = list(enumerate(table.suit_row.tolist()))
        colours = [row for row, suit in enumerate(table.suits) if suit]
        ruffs = [(card, row) for card in np.flatnonzero(table.is_rocket).tolist() for row in colours]
        return np.array(own + ruffs, dtype=np.int32)

    @cached_property
    def seat(self) -> Ints:
        """The winner."""
        return self.table.holder[self.card]

    @cached_property
    def tasks(self) -> Ints:
        """The cards that have an owner."""
        return np.flatnonzero(self.owner >= 0).astype(np.int32)

    @cached_property
    def is_ruff(self) -> NDArray[np.bool_]:
        """Whether a rocket wins a trick of a colour."""
        return self.suit != self.table.suit_row[self.card]

    @cached_property
    def usable(self) -> NDArray[np.bool_]:
        """[way, card]: the card may be in a trick of the way's winner."""
        return (self.owner < 0) | (self.owner == self.seat[:, None])

    @cached_property
    def follows(self) -> NDArray[np.bool_]:
        """[way, card]: the card may be played by another seat without being void in the led suit."""
        cards = np.arange(len(self.table.cards))
        lower = cards < self.card[:, None]
        of_suit = self.table.suit_row == self.suit[:, None]
        allowed = of_suit & (lower | self.is_ruff[:, None])
        if self.table.position.deal.rules.trumps_anytime:
            allowed |= self.is_ruff[:, None] & self.table.is_rocket & lower
        return allowed & self.usable

    @cached_property
    def discards(self) -> NDArray[np.bool_]:
        """[way, card]: the card may be played by another seat that is void in the led suit."""
        strange = self.table.suit_row != self.suit[:, None]
        weak = ~self.table.is_rocket | (np.arange(len(self.table.cards)) < self.card[:, None])
        weak &= ~self.table.is_rocket | self.table.is_rocket[self.card][:, None]
        return strange & weak & self.usable


@dataclass(frozen=True)
class Waits:
    """The first trick at which each card can be played, each way can win, each suit of a seat is used up.

    `task` is [task, way]: when its owner can win the task in that way.
    """

    ways: Ways
    card: Ints
    way: Ints
    void: Ints
    task: Ints


def waits_of(table: Table, owner: Ints) -> Waits:
    """The bounds for tasks with these owners, -1 for cards that are no task."""
    ways = Ways(table, owner)
    card = np.zeros(len(table.cards), dtype=np.int32)
    for _ in range(ROUNDS):
        void = _void(table, card)
        seats = _seats(ways, card, void)
        task = _winning(ways, card, void, seats)
        later = card.copy()
        if len(ways.tasks):
            later[ways.tasks] = np.maximum(card[ways.tasks], task.min(axis=1))
        if (later == card).all():
            break
        card = later
    return Waits(ways, card, seats.max(axis=1), void, task)


def _void(table: Table, card: Ints) -> Ints:
    """[seat, suit]: when a seat can have played all its cards of a suit, each in its own time."""
    void = np.zeros((table.seats, len(table.suits)), dtype=np.int32)
    for (seat, suit), waiting in zip(table.holdings, _split(table, card), strict=True):
        done = 0
        for first in sorted(waiting):
            done = max(done, first) + 1
        void[seat, suit] = min(done, NEVER)
    return void


def _split(table: Table, card: Ints) -> list[list[int]]:
    """The values of the cards by holding."""
    parts: list[list[int]] = [[] for _ in table.holdings]
    for holding, value in zip(table.holding.tolist(), card.tolist(), strict=True):
        parts[holding].append(value)
    return parts


def _seats(ways: Ways, card: Ints, void: Ints) -> Ints:
    """[way, seat]: when the seat can take its part in the way."""
    table = ways.table
    following = np.where(ways.follows, card, NEVER)
    discarding = np.where(ways.discards, card, NEVER)
    waits = np.empty((len(ways.card), table.seats), dtype=np.int32)
    for seat in range(table.seats):
        held = table.holder == seat
        discard = np.maximum(discarding[:, held].min(axis=1, initial=NEVER), void[seat, ways.suit])
        waits[:, seat] = np.minimum(following[:, held].min(axis=1, initial=NEVER), discard)
    free = table.position.deal.rules.trumps_anytime
    ruff = np.where(ways.is_ruff & (not free), void[ways.seat, ways.suit], 0)
    own = np.where(ways.usable[np.arange(len(ways.card)), ways.card], card[ways.card], NEVER)
    waits[np.arange(len(ways.card)), ways.seat] = np.maximum(own, ruff)
    return waits


def _winning(ways: Ways, card: Ints, void: Ints, seats: Ints) -> Ints:
    """[task, way]: when its owner can win the task in that way."""
    table, tasks = ways.table, ways.tasks
    holder = table.holder[tasks]
    itself = ways.card == tasks[:, None]
    discard = np.maximum(card[tasks][:, None], void[holder[:, None], ways.suit])
    placed = np.where(ways.discards[:, tasks].T, discard, NEVER)
    placed = np.where(ways.follows[:, tasks].T, card[tasks][:, None], placed)
    rest = seats[None, :, :].repeat(len(tasks), axis=0)
    rest[np.arange(len(tasks)), :, holder] = np.where(itself, seats[:, holder].T, placed)
    when = rest.max(axis=2)
    mine = (ways.seat == ways.owner[tasks][:, None]) & (itself | (holder != ways.owner[tasks])[:, None])
    result: Ints = np.where(mine, when, NEVER)
    return result


def nothing_happens_too_early(waits: Waits) -> Blocks:
    """The bounds as clauses: too early for a card, for a way to win, for a way to win a task, for a void.

    While a seat cannot be void in a suit it follows it.
    """
    ways = waits.ways
    table, tricks = ways.table, np.arange(ways.table.tricks)
    card, trick = np.nonzero(tricks < waits.card[:, None])
    blocks = [rows(-table.plays[card, trick])]
    way, trick = np.nonzero(tricks < waits.way[:, None])
    won, led = table.best[ways.card[way], trick], table.led[ways.suit[way], trick]
    rocket = table.is_rocket[ways.card[way]]
    blocks += [rows(-won[~rocket]), rows(-won[rocket], -led[rocket])]
    return blocks + _early_tasks(table, waits) + _early_voids(table, waits)


def _early_tasks(table: Table, waits: Waits) -> Blocks:
    ways, tasks = waits.ways, waits.ways.tasks
    when = waits.task
    known = np.maximum(waits.card[tasks][:, None], waits.way)
    possible = ways.seat == ways.owner[tasks][:, None]
    tricks = np.arange(table.tricks)
    new = possible[:, :, None] & (tricks < when[:, :, None]) & (tricks >= known[:, :, None])
    task, way, trick = np.nonzero(new)
    played, won, led = (
        table.plays[tasks[task], trick], table.best[ways.card[way], trick], table.led[ways.suit[way], trick]
    )  # fmt: skip
    rocket = table.is_rocket[ways.card[way]]  # it may win other suits, so the led suit must be said
    return [rows(-played[~rocket], -won[~rocket]), rows(-played[rocket], -won[rocket], -led[rocket])]


def _early_voids(table: Table, waits: Waits) -> Blocks:
    if table.position.deal.rules.trumps_anytime:
        return []
    seat, suit = np.array(table.holdings).T
    holding, trick = np.nonzero(np.arange(table.tricks) < waits.void[seat, suit][:, None])
    return [rows(-table.led[suit[holding], trick], table.follows[holding, trick])]
