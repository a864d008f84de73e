"""Intervals and exact tests against their definitions, computed by brute force."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.errors import CrewError
from crewsolve.experiments.statistics import INTERVALS, clopper_pearson, fisher, holm, mcnemar, wilson


def binomial_tail(n: int, k: int, p: float) -> float:
    """The probability of k or more successes."""
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


@settings(deadline=None)
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_clopper_pearson_inverts_the_binomial_tails(counts: tuple[int, int]) -> None:
    k, n = counts
    low, high = clopper_pearson(k, n)
    assert low == 0 if k == 0 else binomial_tail(n, k, low) == pytest.approx(0.025)
    assert high == 1 if k == n else 1 - binomial_tail(n, k + 1, high) == pytest.approx(0.025)


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_ends_solve_the_score_equation(counts: tuple[int, int]) -> None:
    k, n = counts
    for end in wilson(k, n):
        if 0 < end < 1:
            score = (k / n - end) ** 2 / (end * (1 - end) / n)
            assert score == pytest.approx(1.959963984540054**2)


@pytest.mark.parametrize("interval", INTERVALS.values(), ids=INTERVALS)
@settings(deadline=None)
@given(st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_hold_their_share_and_mirror(interval: object, counts: tuple[int, int]) -> None:
    k, n = counts
    low, high = interval(k, n)  # type: ignore[operator]
    assert 0 <= low <= (k / n if n else 0) <= high <= 1 or n == 0
    mirrored = interval(n - k, n)  # type: ignore[operator]
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high))


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))
def test_fisher_adds_up_the_tables_that_are_no_more_likely(a: int, b: int, c: int, d: int) -> None:
    n, m, wins = a + b, c + d, a + c
    weights = [comb(n, k) * comb(m, wins - k) for k in range(wins + 1) if k <= n and wins - k <= m]
    seen = comb(n, a) * comb(m, c)
    exact = Fraction(sum(weight for weight in weights if weight <= seen), sum(weights))
    assert fisher(a, n, c, m) == pytest.approx(float(exact), rel=1e-6)


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_is_the_two_sided_sign_test(b: int, c: int) -> None:
    from scipy.stats import binomtest

    expected = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(expected) == mcnemar(c, b)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_rejects_exactly_what_the_stepwise_procedure_rejects(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.2):
        rejected: set[int] = set()
        for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
            if p_values[i] * (len(p_values) - rank) > level:
                break
            rejected.add(i)
        assert {i for i, p in enumerate(adjusted) if p <= level} == rejected


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(CrewError, match="3 successes in 2 trials"):
        wilson(3, 2)
    with pytest.raises(CrewError, match="confidence"):
        clopper_pearson(1, 2, confidence=1.0)
    with pytest.raises(CrewError, match="negative"):
        mcnemar(-1, 3)
