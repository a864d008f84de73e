"""Witteveen, section 3.3: the sums S1 to S4 with each stated bound, and Corollary 3.21."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

from crewsolve.claims.claim import WITTEVEEN, Claim, Compute, Effort, constant, expect
from crewsolve.claims.evidence import REAL, check_counts, check_share
from crewsolve.proofs.losing_games import count_losing

Suits = tuple[int, int, int, int]
"""k_r, k_a, k_b, k_c."""


def discard_room(k: int) -> int:
    """T(k) of Lemma 3.14."""
    return max(0, 2 * k - 9)


def room(k: Suits) -> int:
    """The left side of Formulas (2) and (3)."""
    return 2 * k[0] - 10 + sum(map(discard_room, k[1:]))


def splits(task: range, critical: Callable[[int], range], others: range) -> Iterator[tuple[int, Suits]]:
    """The terms of a printed sum: the rank of the task and the numbers of cards, 18 in all."""
    for t in task:
        for k_r in critical(t):
            for a, b, c in product(others, repeat=3):
                if k_r + a + b + c == 18:
                    yield t, (k_r, a, b, c)


def printed_s1(effort: Effort) -> int:
    """Formula (4) with its bounds."""
    terms = splits(range(1, 9), lambda t: range(t, 9), range(9))
    return sum(room(k) >= 0 for _, k in terms)


def printed_s2(effort: Effort, *, task: int = 3, critical: int = 3, least: int = 5, most: int = 7) -> int:
    """Formula (5) with its bounds, or with wider ones."""
    terms = splits(range(1, task + 1), lambda t: range(t, critical + 1), range(least, most + 1))
    return sum(
        comb(9 - t, k[0] - t) * comb(9, k[1]) * comb(9, k[2]) * comb(9, k[3])
        for t, k in terms
        if room(k) < 0 and max(k) <= 8
    )


def printed_s3(effort: Effort) -> int:
    """Formula (6) with its bounds."""
    terms = splits(range(1, 10), lambda t: range(t), range(9))
    return sum(max(k[1:]) >= 5 for _, k in terms)


def printed_s4(effort: Effort, *, task: int = 7, critical: int = 6, least: int = 2, most: int = 4) -> int:
    """Formula (7) with its bounds, or with wider ones."""
    terms = splits(range(task, 10), lambda t: range(critical, t), range(least, most + 1))
    return sum(
        comb(t - 1, k[0]) * comb(9, k[1]) * comb(9, k[2]) * comb(9, k[3]) for t, k in terms if max(k[1:]) <= 4
    )


def _all_splits() -> Iterator[Suits]:
    for k_r, a, b, c in product(range(10), repeat=4):
        if k_r + a + b + c == 18:
            yield k_r, a, b, c


def _bounds_s1(effort: Effort) -> tuple[int, ...]:
    """The extremes of t, k_r and k_i over all splits with room and without a whole suit, nothing assumed."""
    good = [k for k in _all_splits() if max(k) < 9 and k[0] >= 1 and room(k) >= 0]
    others = [k_i for k in good for k_i in k[1:]]
    return max(k[0] for k in good), max(k[0] for k in good), min(others), max(others)


def _bounds_s3(effort: Effort) -> tuple[int, ...]:
    good = [k for k in _all_splits() if max(k) < 9 and max(k[1:]) >= 5]
    others = [k_i for k in good for k_i in k[1:]]
    return 1 + min(k[0] for k in good), 1 + max(k[0] for k in good), min(others), max(others)


def _wide_s1(effort: Effort) -> int:
    terms = splits(range(1, 10), lambda t: range(t, 10), range(10))
    return sum(room(k) >= 0 and max(k) < 9 for _, k in terms)


def _wide_s3(effort: Effort) -> int:
    terms = splits(range(1, 10), lambda t: range(t), range(10))
    return sum(max(k[1:]) >= 5 and max(k[1:]) < 9 for _, k in terms)


def _bounds_s2(effort: Effort) -> tuple[int, ...]:
    """The extremes of t, k_r and k_i over all losing splits without room, nothing assumed."""
    good = [k for k in _all_splits() if max(k) <= 8 and k[0] >= 1 and room(k) < 0]
    others = [k_i for k in good for k_i in k[1:]]
    return max(k[0] for k in good), max(k[0] for k in good), min(others), max(others)


def _bounds_s4(effort: Effort) -> tuple[int, ...]:
    good = [k for k in _all_splits() if k[0] <= 8 and max(k[1:]) <= 4]
    others = [k_i for k in good for k_i in k[1:]]
    return min(k[0] for k in good) + 1, min(k[0] for k in good), min(others), max(others)


def _check_bounds(wide: Callable[[Effort], int], printed: Callable[[Effort], int]) -> Callable[[Effort], str]:
    def check(effort: Effort) -> str:
        expect(wide(effort), printed(effort), "the sum with all bounds dropped")
        return "the same sum without any of the bounds"

    return check


def _wide_s2(effort: Effort) -> int:
    return printed_s2(effort, task=9, critical=9, least=0, most=9)


def _wide_s4(effort: Effort) -> int:
    return printed_s4(effort, task=1, critical=0, least=0, most=9)


def _rooms_within_bounds(effort: Effort) -> tuple[int, ...]:
    """The values of the left side of Formula (3) over the bounds of S2."""
    return tuple({room(k) for _, k in splits(range(1, 4), lambda t: range(t, 4), range(5, 8))})


def _check_rooms(effort: Effort) -> str:
    expect(printed_s2(effort), count_losing(REAL).s2, "the sum without its indicator")
    return "36 - 37 = -1, as Σ 2k_i = 36 and all T(k_i) = 2k_i - 9; S2 by its closed sum"


def _steps(effort: Effort) -> tuple[int, ...]:
    """The least T(k_b) + T(k_c) where a suit has at most four cards, for k_r = 1, 2, 3."""
    pairs = [(k_r, discard_room(b) + discard_room(c)) for k_r, a, b, c in _all_splits() if a <= 4]
    return tuple(min(room for k_r, room in pairs if k_r == number) for number in (1, 2, 3))


def _check_steps(effort: Effort) -> str:
    totals = tuple(
        min(discard_room(b) + discard_room(n - b) for b in range(max(0, n - 9), min(9, n) + 1))
        for n in (8, 9, 10, 11, 12, 13)
    )
    expect(totals, (0, 1, 2, 4, 6, 8), "least T(k_b) + T(k_c) for 8 to 13 cards")
    return "least T(k_b) + T(k_c) for k_b + k_c = 8..13: 0, 1, 2, 4, 6, 8"


def _tasks_of_small_sets(effort: Effort) -> tuple[bool, ...]:
    """Section 3.4: S3 has all task values and k_r = 0, S1 neither value 9 nor k_r = 0 nor k_r = 9."""
    s1 = [(t, k) for t, k in splits(range(1, 10), lambda t: range(t, 9), range(9)) if room(k) >= 0]
    s3 = [(t, k) for t, k in splits(range(1, 10), lambda t: range(t), range(9)) if max(k[1:]) >= 5]
    return (
        {t for t, _ in s3} == set(range(1, 10)),
        any(k[0] == 0 for _, k in s3),
        9 not in {t for t, _ in s1},
        all(1 <= k[0] <= 8 for _, k in s1),
        any(0 in k[1:] for _, k in s1) and any(0 in k[1:] for _, k in s3),
    )


def _check_small_sets(effort: Effort) -> str:
    count = count_losing(REAL)
    expect((printed_s1(effort), printed_s3(effort)), (count.s1, count.s3), "sizes of the small sets")
    return "terms of the printed sums listed; their number by the closed sums"


def _losing(effort: Effort) -> tuple[int, int]:
    count = count_losing(REAL)
    return count.losing, count.total - count.losing


def _percentages(effort: Effort) -> tuple[str, str]:
    share = Fraction(_losing(effort)[0], count_losing(REAL).total)
    return f"{float(100 * share):.2f} %", f"{float(100 * (1 - share)):.2f} %"


def _check_corollary(effort: Effort) -> str:
    total = sum(part(effort) for part in (printed_s1, printed_s2, printed_s3, printed_s4))
    expect(total, _losing(effort)[0], "the four printed sums, added up")
    return f"the printed sums evaluated term by term; {check_counts(effort)}; {check_share(effort)}"


def _check_sum(name: str, printed: Compute) -> Callable[[Effort], str]:
    def check(effort: Effort) -> str:
        expect(printed(effort), getattr(count_losing(REAL), name), f"{name} as printed and closed")
        return f"the printed sum evaluated term by term; {check_counts(effort)}"

    return check


def _sum_claim(name: str, place: str, bounds: str, value: int, printed: Compute) -> Claim:
    return Claim(
        f"w-{name}",
        WITTEVEEN,
        f"formula {place}",
        f"{name.upper()} = {value:,} ({bounds})",
        constant(value),
        lambda effort: getattr(count_losing(REAL), name),
        _check_sum(name, printed),
    )


CLAIMS = (
    _sum_claim("s1", "(4)", "t = 1..8, k_r = t..8, k_i = 0..8", 2037, printed_s1),
    _sum_claim("s2", "(5)", "t = 1..3, k_r = t..3, k_i = 5..7", 112_402_080, printed_s2),
    _sum_claim("s3", "(6)", "t = 1..9, k_r = 0..t-1, k_i = 0..8", 2037, printed_s3),
    _sum_claim("s4", "(7)", "t = 7..9, k_r = 6..t-1, k_i = 2..4", 112_402_080, printed_s4),
    Claim(
        "w-s1-bounds",
        WITTEVEEN,
        "Theorem 3.17, proof",
        "t ≤ 8, k_r ≤ 8, 0 ≤ k_i ≤ 8",
        constant((8, 8, 0, 8)),
        _bounds_s1,
        _check_bounds(_wide_s1, printed_s1),
    ),
    Claim(
        "w-s2-bounds",
        WITTEVEEN,
        "Theorem 3.17, proof",
        "t ≤ 3, k_r ≤ 3, 5 ≤ k_i ≤ 7",
        constant((3, 3, 5, 7)),
        _bounds_s2,
        _check_bounds(_wide_s2, printed_s2),
    ),
    Claim(
        "w-s2-steps",
        WITTEVEEN,
        "Theorem 3.17, proof",
        "k_a ≤ 4: T(k_b) + T(k_c) ≥ 8, 6, 4 for k_r = 1, 2, 3",
        constant((8, 6, 4)),
        _steps,
        _check_steps,
    ),
    Claim(
        "w-s2-indicator",
        WITTEVEEN,
        "Theorem 3.17, note",
        "within the bounds Formula (3) is always -1",
        constant((-1,)),
        _rooms_within_bounds,
        _check_rooms,
    ),
    Claim(
        "w-s3-bounds",
        WITTEVEEN,
        "Theorem 3.20, proof",
        "1 ≤ t ≤ 9, 0 ≤ k_i ≤ 8",
        constant((1, 9, 0, 8)),
        _bounds_s3,
        _check_bounds(_wide_s3, printed_s3),
    ),
    Claim(
        "w-s4-bounds",
        WITTEVEEN,
        "Theorem 3.20, proof",
        "t ≥ 7, k_r ≥ 6, 2 ≤ k_i ≤ 4",
        constant((7, 6, 2, 4)),
        _bounds_s4,
        _check_bounds(_wide_s4, printed_s4),
    ),
    Claim(
        "w-corollary-3.21",
        WITTEVEEN,
        "Corollary 3.21",
        "224,808,234 losing, 81,451,409,466 winnable",
        constant((224_808_234, 81_451_409_466)),
        _losing,
        _check_corollary,
    ),
    Claim(
        "w-corollary-3.21-share",
        WITTEVEEN,
        "Corollary 3.21, abstract",
        "0.28 % losing, 99.72 % winnable",
        constant(("0.28 %", "99.72 %")),
        _percentages,
        _check_corollary,
    ),
    Claim(
        "w-section-3.4-sets",
        WITTEVEEN,
        "section 3.4, end",
        "S3: every task value, k_r = 0 occurs; S1: never value 9, 1 ≤ k_r ≤ 8; both: k_i = 0 occurs",
        constant((True,) * 5),
        _tasks_of_small_sets,
        _check_small_sets,
    ),
)
