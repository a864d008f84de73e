"""Every encoding of "at most k" has the right models and, where a formula is known, the right size."""

from __future__ import annotations

from math import comb

import pytest

from crewsolve.encodings import METHODS
from crewsolve.encodings.at_most import AT_MOST
from crewsolve.encodings.formula import MAX_CLAUSES, Formula
from crewsolve.errors import TooLarge
from tests.encodings.models import projections

SIZES = [(n, k) for n in range(1, 8) for k in range(n + 1)]


def _formula(encoding: str, n: int, k: int) -> tuple[Formula, list[int]]:
    formula = Formula(encoding=encoding)
    variables = [formula.variable("x", i) for i in range(n)]
    formula.extend("at_most", formula.at_most(variables, k))
    return formula, variables


@pytest.mark.parametrize("encoding", AT_MOST)
@pytest.mark.parametrize("n, k", SIZES)
def test_at_most_k_has_the_right_number_of_models(encoding: str, n: int, k: int) -> None:
    formula, variables = _formula(encoding, n, k)
    models = projections(formula, variables)
    assert len(models) == sum(comb(n, i) for i in range(k + 1))
    assert all(len(model) <= k for model in models)


@pytest.mark.parametrize("encoding", AT_MOST)
def test_at_most_fewer_than_none_is_a_contradiction(encoding: str) -> None:
    formula, variables = _formula(encoding, 3, -1)
    assert projections(formula, variables) == set()


@pytest.mark.parametrize("n, k", SIZES)
def test_binomial_has_one_clause_for_every_k_plus_one_literals(n: int, k: int) -> None:
    formula, _ = _formula("binomial", n, k)
    assert len(formula.clauses) == comb(n, k + 1) == AT_MOST["binomial"].size(n, k)
    assert formula.variables == n


@pytest.mark.parametrize("encoding", [name for name in AT_MOST if name not in ("binomial", "native")])
@pytest.mark.parametrize("n, k", [(10, 1), (16, 4), (32, 8), (36, 9)])
def test_size_bounds_the_clauses(encoding: str, n: int, k: int) -> None:
    formula, _ = _formula(encoding, n, k)
    assert 0 < len(formula.clauses) <= AT_MOST[encoding].size(n, k) < MAX_CLAUSES


def test_two_counts_share_no_helper_variable() -> None:
    for encoding in AT_MOST:
        formula = Formula(encoding=encoding)
        first = [formula.variable("x", i) for i in range(5)]
        formula.extend("a", formula.at_most(first, 2))
        second = [formula.variable("y", i) for i in range(5)]
        formula.extend("b", formula.at_most(second, 2))
        assert len(projections(formula, first + second)) == 16 * 16, encoding


def test_every_encoding_is_a_method() -> None:
    assert {f"cnf:{encoding}" for encoding in AT_MOST} <= METHODS.keys()


def test_every_encoding_of_pysat_is_there() -> None:
    from pysat.card import EncType

    offered = {name for name, value in vars(EncType).items() if isinstance(value, int)}
    assert offered - AT_MOST.keys() == {"pairwise"}  # which is binomial at k = 1, its only bound


def test_a_formula_that_cannot_fit_is_refused_with_the_estimate() -> None:
    formula = Formula(encoding="binomial")
    with pytest.raises(TooLarge, match="112,195,200 clauses"):
        formula.require_room([(32, 8)] * 4, what="32 free tasks")
    Formula(encoding="totalizer").require_room([(32, 8)] * 4, what="32 free tasks")
