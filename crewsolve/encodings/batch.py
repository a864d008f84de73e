"""Arrays of deals for the kernel: made from deals or drawn at random, decided without an object per deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from crewsolve.cards import MAX_BITS, Deck
from crewsolve.deal import Deal, check_request, usual_leader
from crewsolve.encodings.boards import Ints, pattern_of
from crewsolve.errors import BadDeal, WrongPlayout
from crewsolve.kernels import batch as kernels
from crewsolve.kernels.dealing import DRAWN, FIRST, HOLDER, deal_cards
from crewsolve.kernels.jit import mark_ready
from crewsolve.kernels.search import LOST, OPEN, WON
from crewsolve.kernels.table import COLUMNS
from crewsolve.result import Verdict
from crewsolve.rules import OFFICIAL, Rules
from crewsolve.tasks import FixedTasks, FreeTasks, round_robin

VERDICTS = {LOST: Verdict.UNWINNABLE, WON: Verdict.WINNABLE, OPEN: Verdict.UNKNOWN}
NODES = 3_000
"""Cards played for one deal before it is left open: the bulk of what search decides is decided by then."""

_TABLE_BITS = 14
_LEADER_RULES = {"holder": HOLDER, "first": FIRST, "drawn": DRAWN}
_RAW_WORDS = 128  # at most 62 draws to shuffle, 1 for the leader, 63 for tasks; hardly ever one more


@dataclass(frozen=True, slots=True)
class Batch:
    """Deals of one deck, number of seats and rules, one row for each; nothing has been played.

    `owned` are the fixed tasks of each seat; `counted` the free ones, of which each seat wins at most `room`.
    """

    deck: Deck
    rules: Rules
    hands: Ints
    leaders: Ints
    owned: Ints
    counted: Ints
    room: Ints

    @classmethod
    def of(cls, deals: Sequence[Deal]) -> Batch:
        """The arrays of some deals, which must share deck, seats and rules and be unplayed."""
        first = deals[0]
        for deal in deals:
            if (deal.deck, deal.seats, deal.rules, deal.played) != (first.deck, first.seats, first.rules, ()):
                raise BadDeal("a batch holds unplayed deals of one deck, number of seats and rules")
        count, seats = len(deals), first.seats
        owned, counted = np.zeros((count, seats), np.int64), np.zeros(count, np.int64)
        room = np.full((count, seats), MAX_BITS, np.int64)
        for number, deal in enumerate(deals):
            if isinstance(deal.tasks, FixedTasks):
                for card, owner in deal.tasks.owners:
                    owned[number, owner] |= deal.deck.bit(card)
            else:
                counted[number] = deal.tasks.cards.mask
                room[number] = np.minimum(deal.tasks.counts, MAX_BITS)
        hands = np.array([[hand.mask for hand in deal.hands] for deal in deals], np.int64)
        leaders = np.array([deal.leader for deal in deals], np.int64)
        return cls(first.deck, first.rules, hands, leaders, owned, counted, room)

    def __len__(self) -> int:
        return len(self.leaders)

    def deal(self, number: int) -> Deal:
        """One row as a deal."""
        deck, seats = self.deck, self.hands.shape[1]
        hands = tuple(deck.from_mask(int(mask)) for mask in self.hands[number])
        tasks: FixedTasks | FreeTasks
        if self.counted[number]:
            cards, counts = deck.from_mask(int(self.counted[number])), tuple(map(int, self.room[number]))
            tasks = FreeTasks(cards, counts, at_most=sum(counts) != len(cards))
        else:
            masks = [int(mask) for mask in self.owned[number]]
            owners = {card: seat for seat in range(seats) for card in deck.from_mask(masks[seat])}
            tasks = FixedTasks.of(owners, deck)
        return Deal(deck, hands, int(self.leaders[number]), tasks, self.rules)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the kernel found: status (lost, won, open) and nodes of each deal.

    Of the wins also the lines, as numbers of cards, and as masks what each seat wins by them.
    """

    statuses: Ints
    nodes: Ints
    lines: Ints
    won: Ints

    @property
    def verdicts(self) -> list[Verdict]:
        """The status of each deal as a verdict."""
        return [VERDICTS[status] for status in self.statuses.tolist()]

    @property
    def stages(self) -> list[str]:
        """The stage that decided each deal; `static` where no card had to be played, empty where open."""
        return [
            "" if status == OPEN else "search" if nodes else "static"
            for status, nodes in zip(self.statuses.tolist(), self.nodes.tolist(), strict=True)
        ]


class _Table:
    """One table of lost positions for all batches of the process; stamps tell their deals apart."""

    def __init__(self) -> None:
        self.places: Ints = np.zeros((1 << _TABLE_BITS, COLUMNS), np.int64)
        self.stamp = 1

    def stamps(self, count: int) -> int:
        """The first of `count` new stamps."""
        first, self.stamp = self.stamp, self.stamp + count
        return first


@cache
def _table() -> _Table:
    return _Table()


def decide_batch(batch: Batch, *, nodes: int = NODES) -> Decisions:
    """Static tests and search for every deal of a batch; wins have been replayed by the compiled replay."""
    count, seats = batch.hands.shape
    table = _table()
    statuses, used = np.zeros(count, np.int64), np.zeros(count, np.int64)
    lines, won = np.full((count, max(1, batch.deck.size)), -1, np.int64), np.zeros((count, seats), np.int64)
    kernels.decide_all(
        pattern_of(batch.deck, seats, batch.rules), batch.hands, batch.leaders, batch.owned, batch.counted,
        batch.room, nodes, table.places, table.stamps(count), statuses, used, lines, won,
    )  # fmt: skip
    mark_ready("batch")
    wrong = np.flatnonzero(statuses == kernels.WRONG)
    if wrong.size:
        raise WrongPlayout(f"search gives a wrong line for {batch.deal(int(wrong[0]))}")
    return Decisions(statuses, used, lines, won)


def random_batch(
    deck: Deck,
    *,
    seats: int,
    tasks: int,
    free: bool = False,
    leader: str | None = None,
    rules: Rules = OFFICIAL,
    keys: Iterable[Sequence[int]],
) -> Batch:
    """The deals of `random_deal` for many keys, as arrays.

    >>> batch = random_batch(Deck.parse("2x3+2"), seats=2, tasks=2, keys=[(1, 0), (1, 1)])
    >>> from crewsolve.deal import random_deal
    >>> batch.deal(1) == random_deal(batch.deck, seats=2, tasks=2, key=(1, 1))
    True
    """
    from numpy.random import PCG64, SeedSequence

    check_request(deck, seats, tasks, leader)
    rule = _LEADER_RULES[leader or usual_leader(deck)]
    keys = list(keys)
    hands, leaders = np.zeros((len(keys), seats), np.int64), np.zeros(len(keys), np.int64)
    drawn, work = np.zeros((len(keys), max(1, tasks)), np.int64), np.zeros(MAX_BITS + 1, np.int64)
    for number, key in enumerate(keys):
        words = _RAW_WORDS
        while True:
            raw = PCG64(SeedSequence(key)).random_raw(words)
            leaders[number] = deal_cards(
                raw, deck.size, deck.colour_cards, tasks, rule, hands[number], drawn[number], work
            )
            if leaders[number] >= 0:
                break
            words *= 2
    return Batch(deck, rules, hands, leaders, *_tasks_of(drawn[:, :tasks], leaders, seats, free))


def _tasks_of(drawn: Ints, leaders: Ints, seats: int, free: bool) -> tuple[Ints, Ints, Ints]:
    """Owned, counted and room for the drawn task cards: task i is for seat (leader + i) mod seats."""
    count, tasks = drawn.shape
    owned, counted = np.zeros((count, seats), np.int64), np.zeros(count, np.int64)
    room = np.full((count, seats), MAX_BITS, np.int64)
    bits = np.int64(1) << drawn
    if free:
        counted |= np.bitwise_or.reduce(bits, axis=1)
        if tasks:
            room[:] = [round_robin(tasks, seats, int(leader)) for leader in leaders]
    else:
        for i in range(tasks):
            np.bitwise_or.at(owned, (np.arange(count), (leaders + i) % seats), bits[:, i])
    return owned, counted, room
