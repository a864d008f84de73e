"""Goals in clauses: what must be achieved, said on the facts of a play and nothing else.

A new kind of goal is one function and one row of `GOALS`; the rules of play are not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from crewsolve.encodings.at_most import Clause
from crewsolve.encodings.facts import Facts
from crewsolve.tasks import WinCard, WinShare

Clauses = Iterator[Clause]


def require_goals(facts: Facts) -> None:
    """Add all goals of the deal to its formula."""
    for goal in facts.deal.tasks.goals():
        for rule in GOALS[type(goal)]:
            facts.formula.extend(rule.__name__, rule(goal, facts))


def task_card_is_won_by_its_owner(goal: WinCard, facts: Facts) -> Clauses:
    """¬x_{t,c} ∨ w_t^p for the task c of seat p (equation 9, first part): T clauses for each task."""
    for trick in facts.tricks:
        yield [-facts.played(trick, goal.card), facts.wins(goal.seat, trick)]


def task_card_is_played(goal: WinCard, facts: Facts) -> Clauses:
    """⋁_t x_{t,c} (equation 9, second part): one clause for each task.

    It says something new only where hands differ in size, so that a card can stay in a hand.
    """
    yield [facts.played(trick, goal.card) for trick in facts.tricks]


def _has(goal: WinShare, facts: Facts, seat: int) -> list[int]:
    """o_c^p (equation 12) for all cards c of the goal: seat p has c as a task."""
    return [facts.formula.variable("has_task", seat, card) for card in goal.cards]


def no_seat_has_too_many_tasks(goal: WinShare, facts: Facts) -> Clauses:
    """At most n_p of the o_c^p (equation 13, first part): C(n, n_p + 1) clauses for each seat if binomial."""
    n = len(goal.cards)
    facts.formula.require_room(
        ((n, count) for count in goal.counts),
        what=f"{n} free tasks with counts {','.join(map(str, goal.counts))}",
    )
    for seat in facts.seats:
        yield from facts.formula.at_most(_has(goal, facts, seat), goal.counts[seat])


def every_task_has_a_seat(goal: WinShare, facts: Facts) -> Clauses:
    """⋁_p o_c^p (equation 13, second part): one clause for each task."""
    yield from map(list, zip(*(_has(goal, facts, seat) for seat in facts.seats), strict=True))


def tasks_are_won_by_their_seats(goal: WinShare, facts: Facts) -> Clauses:
    """¬o_c^p ∨ ¬x_{t,c} ∨ w_t^p (equation 15, first part): P·T clauses for each task."""
    for seat in facts.seats:
        for card, has in zip(goal.cards, _has(goal, facts, seat), strict=True):
            for trick in facts.tricks:
                yield [-has, -facts.played(trick, card), facts.wins(seat, trick)]


def every_task_is_played(goal: WinShare, facts: Facts) -> Clauses:
    """⋁_t x_{t,c} (equation 15, second part): one clause for each task."""
    for card in goal.cards:
        yield [facts.played(trick, card) for trick in facts.tricks]


GOALS: dict[type, tuple[Callable[[Any, Facts], Clauses], ...]] = {
    WinCard: (task_card_is_won_by_its_owner, task_card_is_played),
    WinShare: (
        no_seat_has_too_many_tasks,
        every_task_has_a_seat,
        tasks_are_won_by_their_seats,
        every_task_is_played,
    ),
}
"""Kind of goal -> the rules that state it."""
