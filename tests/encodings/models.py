"""Counting models exactly, projected onto the variables that matter."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pysat.solvers import Solver

from crewsolve.encodings.formula import Formula


def projections(formula: Formula, variables: Collection[int]) -> set[frozenset[int]]:
    """The distinct sets of true `variables` over all models of a formula, counts included."""
    found: set[frozenset[int]] = set()
    with Solver(name="minicard", bootstrap_with=formula.clauses) as solver:
        for literals, bound in formula.counts:
            solver.add_atmost(literals, bound)
        for variable in variables:
            solver.add_clause([variable, -variable])
        while solver.solve():
            model = frozenset(solver.get_model())
            found.add(frozenset(v for v in variables if v in model))
            solver.add_clause([-v if v in model else v for v in variables] or [1, -1])
            if not variables:
                break
    return found


def count_all_models(clauses: Sequence[Sequence[int]]) -> int:
    """The number of models over all variables."""
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        return sum(1 for _ in solver.enum_models())
