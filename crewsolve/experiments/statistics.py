"""Statistics of counts: intervals for a share, exact tests, and the price of many comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

from crewsolve.errors import CrewError

Interval = tuple[float, float]


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval (1927) for the share behind `successes` of `trials`.

    >>> [round(end, 4) for end in wilson(9997, 10000)]
    [0.9991, 0.9999]
    """
    _check(successes, trials, confidence)
    if trials == 0:
        return 0.0, 1.0
    from scipy.stats import norm

    z = float(norm.ppf((1 + confidence) / 2))
    share, weight = successes / trials, z * z / trials
    centre = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    # The ends at 0 and 1 are exact in the formula, but not in floats.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high


def clopper_pearson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """The exact interval of Clopper and Pearson (1934): it covers at least as often as it says.

    >>> [round(end, 4) for end in clopper_pearson(0, 10)]
    [0.0, 0.3085]
    """
    _check(successes, trials, confidence)
    if trials == 0:
        return 0.0, 1.0
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(beta.ppf(tail, successes, trials - successes + 1))
    high = 1.0 if successes == trials else float(beta.ppf(1 - tail, successes + 1, trials - successes))
    return low, high


INTERVALS: dict[str, Callable[..., Interval]] = {"wilson": wilson, "clopper-pearson": clopper_pearson}
"""Intervals by name; the first is the default."""


def fisher(successes: int, trials: int, other_successes: int, other_trials: int) -> float:
    """The two-sided p-value of Fisher's exact test that two samples have the same share behind them.

    >>> round(fisher(8, 10, 1, 6), 4)
    0.035
    """
    _check(successes, trials, 0.95)
    _check(other_successes, other_trials, 0.95)
    from scipy.stats import fisher_exact

    table = [
        [successes, trials - successes],
        [other_successes, other_trials - other_successes],
    ]
    return min(1.0, float(fisher_exact(table).pvalue))


def mcnemar(first_only: int, second_only: int) -> float:
    """The exact two-sided p-value for paired results, from the pairs in which just one side won.

    Under the null hypothesis each such pair falls to either side like a fair coin.

    >>> mcnemar(1, 7)
    0.0703125
    """
    if min(first_only, second_only) < 0:
        raise CrewError(f"pairs cannot be negative: {first_only} and {second_only}")
    pairs = first_only + second_only
    if pairs == 0:
        return 1.0
    from fractions import Fraction
    from math import comb

    tail = sum(comb(pairs, k) for k in range(min(first_only, second_only) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**pairs)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values (1979), in the order given: compare each with the level for the whole family.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def _check(successes: int, trials: int, confidence: float) -> None:
    if not 0 <= successes <= trials:
        raise CrewError(f"{successes} successes in {trials} trials")
    if not 0 < confidence < 1:
        raise CrewError(f"confidence {confidence}: it lies between 0 and 1")
