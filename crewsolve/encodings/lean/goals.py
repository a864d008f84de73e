"""Goals on the facts of a play, and what follows from them for every winning play.

A new kind of goal is one function, one labelling and one row of `GOALS`. The clauses beyond the goal itself
are consequences of it: no winning play violates them, but a solver would have to find them trick by trick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from crewsolve.encodings.lean.counting import accumulator, counter, within
from crewsolve.encodings.lean.formula import LeanFormula
from crewsolve.encodings.lean.variables import Ints, Table, rows
from crewsolve.encodings.lean.waits import nothing_happens_too_early, waits_of
from crewsolve.tasks import Goal, WinCard, WinShare

Needs = list[int]
"""How many of the tricks to come each seat must win at least."""

TIGHT = 1
"""Tricks to spare up to which counting them pays: it halves the time there, and costs a tenth elsewhere."""


def win_cards(formula: LeanFormula, goals: Sequence[WinCard]) -> Needs:
    """Each seat wins its cards; returns the tricks it needs: its task cards of one hand take one each."""
    table = formula.table
    card, owner = _open_tasks(table, goals)
    x, holder = table.plays, table.holder
    formula.add("task_card_is_won_by_its_owner", [rows(-x[card], table.wins[owner])])
    formula.add("task_card_is_played", [x[card]])
    own = card[holder[card] == owner]
    formula.add("task_card_of_the_owner_wins_itself", [rows(-x[own], table.best[own])])
    task, loser = _hopeless_pairs(table, card, owner)
    formula.add("owner_plays_no_hopeless_card", [rows(-x[task], -x[loser])])
    waits = waits_of(table, owners(table, goals))
    formula.add("nothing_happens_too_early", nothing_happens_too_early(waits))
    of_hand = np.zeros((table.seats, table.seats), dtype=np.int32)
    np.add.at(of_hand, (owner, holder[card]), 1)
    return of_hand.max(axis=1).tolist()


def _open_tasks(table: Table, goals: Sequence[WinCard]) -> tuple[Ints, Ints]:
    """Row and owner of the task cards not yet won."""
    found = [(table.row[bit], goal.seat) for goal in goals
             if (bit := goal.card_mask.bit_length() - 1) in table.row]  # fmt: skip
    card, owner = np.array(found, dtype=np.int32).reshape(-1, 2).T
    return card, owner


def _hopeless_pairs(table: Table, card: Ints, owner: Ints) -> tuple[Ints, Ints]:
    """Task cards in another hand, with the cards of their owner that can never win them.

    A lower card of the same suit does not beat the task, and a trick with a task of somebody else is not
    the owner's to win.
    """
    owner_of = np.full(len(table.cards), -1, dtype=np.int32)
    owner_of[card] = owner
    other = np.arange(len(table.cards))
    mine = (table.holder == owner[:, None]) & (table.holder[card] != owner)[:, None]
    lower = (table.suit == table.suit[card][:, None]) & (other < card[:, None])
    foreign = (owner_of >= 0) & (owner_of != owner[:, None])
    task, loser = np.nonzero(mine & (lower | foreign))
    return card[task], loser.astype(np.int32)


def win_share(formula: LeanFormula, goals: Sequence[WinShare]) -> Needs:
    """All cards are won and no seat wins too many; a trick holds at most one task of each hand."""
    needs = [0] * formula.table.seats
    for goal in goals:
        needs = [max(pair) for pair in zip(needs, _win_share(formula, goal), strict=True)]
    return needs


def _win_share(formula: LeanFormula, goal: WinShare) -> Needs:
    table = formula.table
    card = np.array([row for bit, row in table.row.items() if goal.cards.mask >> bit & 1], dtype=np.int32)
    won = table.position.won_masks
    high = [
        count - (mask & goal.cards.mask).bit_count() for count, mask in zip(goal.counts, won, strict=True)
    ]
    low = [max(0, len(card) - sum(high) + room) for room in high]
    formula.add("task_card_is_played", [table.plays[card]])
    if len(card):
        worth = _tasks_of_each_trick(formula, card)
        thresholds = min(len(card), max(high) + 1)
        shares = formula.define(
            "tasks_add_up", accumulator(table.wins, worth, thresholds, formula.variables + 1)
        )
        formula.add("no_seat_wins_too_many_tasks", within(shares[:, :, -1], low, high))
    hands = max(1, len(set(table.holder[card].tolist())))
    return [-(-least // hands) for least in low]


def _tasks_of_each_trick(formula: LeanFormula, card: Ints) -> Ints:
    """Variables [k, t]: k+1 or more of these cards are in trick t."""
    table = formula.table
    has_one = formula.fresh(table.seats, table.tricks)
    blocks = [rows(-table.plays[card], has_one[table.holder[card]])]
    for seat in range(table.seats):
        blocks.append(rows(-has_one[seat], *table.plays[card[table.holder[card] == seat]]))
    formula.add("seat_plays_a_task_card", blocks)
    reached = formula.define("tasks_of_each_trick", counter(has_one.T, table.seats, formula.variables + 1))
    return reached[:, :, -1].T


def owners(table: Table, goals: Sequence[WinCard]) -> Ints:
    """The seat that must win each card, -1 for none."""
    labels = np.full(len(table.cards), -1, dtype=np.int32)
    card, owner = _open_tasks(table, goals)
    labels[card] = owner
    return labels


def shares(table: Table, goals: Sequence[WinShare]) -> Ints:
    """A bit for each of the goals that counts the card."""
    bits = [sum(1 << i for i, goal in enumerate(goals) if goal.cards.mask >> bit & 1)
            for bit in table.cards.tolist()]  # fmt: skip
    return np.array(bits, dtype=np.int32)


class Kind(NamedTuple):
    """A kind of goal: its clauses, and a label for each card such that equal ones are alike to the goals.

    Cards are alike if exchanging them in a play changes nothing for the goals, whatever the order of tricks.
    """

    require: Callable[[LeanFormula, Any], Needs]
    label: Callable[[Table, Any], Ints]


GOALS: dict[type, Kind] = {WinCard: Kind(win_cards, owners), WinShare: Kind(win_share, shares)}


def require_goals(formula: LeanFormula, goals: Sequence[Goal]) -> Ints:
    """Add all goals and the tricks they take; returns a matrix of labels, one row for each kind of goal."""
    table = formula.table
    needs, labels = [0] * table.seats, [np.zeros(len(table.cards), dtype=np.int32)]
    for kind in sorted({type(goal) for goal in goals}, key=lambda kind: kind.__name__):
        chosen = [goal for goal in goals if type(goal) is kind]
        needs = [max(pair) for pair in zip(needs, GOALS[kind].require(formula, chosen), strict=True)]
        labels.append(GOALS[kind].label(table, chosen))
    spare = table.tricks - sum(needs)
    if spare <= TIGHT:
        reached = formula.define(
            "tricks_add_up",
            counter(table.wins, min(table.tricks, max(needs) + max(spare, 0) + 1), formula.variables + 1),
        )
        high = [need + spare for need in needs]
        formula.add("each_seat_wins_the_tricks_it_needs", within(reached[:, :, -1], needs, high))
    return np.array(labels)
