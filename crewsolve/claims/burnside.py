"""Witteveen, section 3.2: Theorem 3.12 with every term of its sum, and Lemma 3.13."""

from __future__ import annotations

from functools import cache
from math import comb, factorial

from crewsolve.cards import Deck
from crewsolve.claims.claim import WITTEVEEN, Claim, Effort, constant, expect
from crewsolve.proofs.burnside import CycleTerm, burnside_terms, count_deals
from crewsolve.proofs.losing_games import count_losing, enumerate_deals
from crewsolve.proofs.symmetry import sympy_terms, verify_orbits

DECK = Deck.parse("4x9")


@cache
def terms() -> dict[tuple[int, ...], CycleTerm]:
    """The terms of Burnside's sum for 36 cards, two seats, one task."""
    return {term.cycles: term for term in burnside_terms(DECK, seats=2, tasks=1)}


@cache
def terms_by_sympy() -> dict[tuple[int, ...], CycleTerm]:
    """The same by sympy's symmetric group on the cards."""
    return {term.cycles: term for term in sympy_terms(DECK, (18, 18), (1, 0))}


def _share(*cycles: tuple[int, ...]) -> int:
    return sum(terms()[c].permutations * terms()[c].fixed for c in cycles)


def _check_terms(effort: Effort) -> str:
    expect(terms_by_sympy(), terms(), "terms of Burnside's sum")
    small = effort.choose(["3x2", "4x1", "3x3", "2x4"], ["3x2", "4x1", "3x3", "2x4", "4x2", "5x2", "3x4"])
    for deck in small:
        verify_orbits(Deck.parse(deck), seats=2, tasks=1)
    return f"sympy's group acting on the cards; orbits listed for {', '.join(small)}"


def three_suits(free_cards: int) -> int:
    """8 · Σ 9 · C(9, i) · C(n, 18 - 3i) for i = 3..6, n cards being free to choose from."""
    return 8 * sum(9 * comb(9, i) * comb(free_cards, 18 - 3 * i) for i in range(3, 7))


WRONG_TERM = 469_875_168


def _cause_term(effort: Effort) -> str:
    expect(three_suits(9), _share((3, 1)), "the printed formula with C(9, 18-3i)")
    expect(three_suits(18), WRONG_TERM, "the printed number with C(18, 18-3i)")
    return "the formula is right, but was evaluated with C(18, 18-3i) for C(9, 18-3i): that gives 469,875,168"


def _cause_sum(effort: Effort) -> str:
    expect(
        _share((1, 1, 1, 1), (2, 1, 1)) + WRONG_TERM, 328_726_581_120, "the printed sum with the wrong term"
    )
    return "adds the wrong term for three suits, 469,875,168 instead of 1,536,192"


def _cause_total(effort: Effort) -> str:
    expect(328_726_581_120 // 24, 13_696_940_880, "the printed quotient")
    return (
        "divides the wrong sum 328,726,581,120 by 24; the term for three suits was computed with C(18, 18-3i)"
    )


def _check_lemma(effort: Effort) -> str:
    decks = effort.choose(["2x2", "2x3", "3x3", "2x4"], ["2x2", "2x3", "3x3", "2x4", "3x4", "2x6"])
    for deck in decks:
        listed = sum(1 for _ in enumerate_deals(Deck.parse(deck)))
        expect(listed, count_losing(Deck.parse(deck)).total, f"deals of {deck} with the task's suit fixed")
    return f"deals listed for {', '.join(decks)}"


def _check_group(effort: Effort) -> str:
    numbers = {cycles: term.permutations for cycles, term in terms_by_sympy().items()}
    expect(numbers, {cycles: term.permutations for cycles, term in terms().items()}, "sizes of the classes")
    return "elements of sympy's symmetric group counted by cycle type"


def _group(effort: Effort) -> tuple[int, ...]:
    number = {cycles: term.permutations for cycles, term in terms().items()}
    expect(sum(number.values()), factorial(4), "all permutations")
    return number[1, 1, 1, 1], number[2, 1, 1], number[3, 1], number[4,] + number[2, 2]


def _theorem(part: str, printed: str, value: object, *cycles: tuple[int, ...]) -> Claim:
    return Claim(
        f"w-theorem-3.12-{part}",
        WITTEVEEN,
        f"Theorem 3.12, {part.replace('-', ' ')}",
        printed,
        constant(value),
        lambda effort: _share(*cycles),
        _check_terms,
        {"three-suits": _cause_term, "sum": _cause_sum}.get(part),
    )


CLAIMS = (
    Claim(
        "w-theorem-3.12",
        WITTEVEEN,
        "Theorem 3.12",
        "13,696,940,880 games up to suits",
        constant(13_696_940_880),
        lambda effort: count_deals(DECK, seats=2, tasks=1).up_to_suits,
        _check_terms,
        _cause_total,
    ),
    Claim(
        "w-theorem-3.12-group",
        WITTEVEEN,
        "Theorem 3.12, permutations",
        "1 + 6 + 8 + 9 = 24",
        constant((1, 6, 8, 9)),
        _group,
        _check_group,
    ),
    _theorem("identity", "C(36,1) · C(36,18) = 326,704,870,800", 326_704_870_800, (1, 1, 1, 1)),
    _theorem("two-suits", "6 · Σ C(18,1) C(9,i) C(18,18-2i) = 1,551,835,152", 1_551_835_152, (2, 1, 1)),
    _theorem("three-suits", "8 · Σ C(9,1) C(9,i) C(9,18-3i) = 469,875,168", WRONG_TERM, (3, 1)),
    _theorem("four-suits", "9 · 0 = 0", 0, (4,), (2, 2)),
    _theorem("sum", "328,726,581,120", 328_726_581_120, (1, 1, 1, 1), (2, 1, 1), (3, 1), (4,), (2, 2)),
    Claim(
        "w-lemma-3.13",
        WITTEVEEN,
        "Lemma 3.13",
        "C(9,1) · C(36,18) = 81,676,217,700",
        constant(81_676_217_700),
        lambda effort: count_losing(DECK).total,
        _check_lemma,
    ),
)
