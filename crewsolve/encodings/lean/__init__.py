"""`cnf:lean`: the rules of play in O(N·T) clauses, with the consequences that help a solver most.

`variables` numbers what can happen, `play` states the rules, `goals` what must be achieved, `symmetry` keeps
one of the plays that differ only by exchanging alike cards.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from crewsolve.encodings.lean.formula import LeanFormula
from crewsolve.encodings.lean.goals import require_goals
from crewsolve.encodings.lean.play import RULES_OF_PLAY
from crewsolve.encodings.lean.symmetry import lower_of_alike_cards_first
from crewsolve.encodings.lean.variables import Table
from crewsolve.position import Position
from crewsolve.tasks import Status

__all__ = ["LeanFormula", "lean_formula", "lean_play"]


def lean_play(position: Position, *, kind: type[LeanFormula] = LeanFormula) -> LeanFormula:
    """The rules of play from a position on: one model for each way to play it to the end."""
    formula = kind(Table.of(position))
    if not position.over:
        for rule in RULES_OF_PLAY:
            formula.add(rule.__name__, rule(formula.table))
    return formula


def lean_formula(position: Position, *, kind: type[LeanFormula] = LeanFormula) -> LeanFormula:
    """The whole formula of a position: satisfiable exactly if it can be won."""
    with _collector_paused():
        return _lean_formula(position, kind)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """No sweeps while thousands of short lists are made, none of which can be garbage yet."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _lean_formula(position: Position, kind: type[LeanFormula]) -> LeanFormula:
    formula = lean_play(position, kind=kind)
    if position.outcome is Status.FAILED:
        lost = formula.fresh(1, 1)
        formula.add("a_goal_has_failed", [lost, -lost])
    elif not position.over:
        labels = require_goals(formula, position.deal.tasks.goals())
        formula.add("lower_of_alike_cards_first", lower_of_alike_cards_first(formula.table, labels))
    return formula
