"""Litjens 2022, section 2.2: how many hands the other two players can have."""

from __future__ import annotations

from math import comb

from crewsolve.cards import Deck
from crewsolve.claims.claim import LITJENS, Claim, Effort, constant, expect
from crewsolve.proofs.burnside import hand_sizes
from crewsolve.proofs.determinizations import (
    Hidden,
    Table,
    count_determinizations,
    enumerate_determinizations,
)


def hidden_hands(seat: int) -> Hidden:
    """What a seat of three knows of the others in the real game, before any announcement."""
    sizes = hand_sizes(40, 3)
    others = tuple(size for s, size in enumerate(sizes) if s != seat)
    everything = (1 << sum(others)) - 1
    return Hidden(others, (everything, everything))


def _by_seat(effort: Effort) -> tuple[int, ...]:
    return tuple(count_determinizations(hidden_hands(seat)) for seat in range(3))


def _check(effort: Effort) -> str:
    for seat in range(3):
        first, second = hidden_hands(seat).sizes
        expect(
            comb(first + second, first), Table(hidden_hands(seat)).count, f"hands that seat {seat} may face"
        )
    small = Hidden((3, 3), (0b111111, 0b111111))
    expect(sum(1 for _ in enumerate_determinizations(small)), comb(6, 3), "two hands of three cards, listed")
    return (
        f"binomials against the table; list for a small deck; sizes {hand_sizes(Deck.parse('4x9+4').size, 3)}"
    )


def _cause(effort: Effort) -> str:
    known = comb(25, 12)
    expect(known, count_determinizations(_with_captain()), "hands when the captain is known")
    return (
        "40 cards make hands of 14, 13, 13: only who holds 14 faces 13 + 13; the others face 14 + 13 "
        f"(and 13 + 13 leave {known:,} where another player has announced the black 4)"
    )


def _with_captain() -> Hidden:
    """The 14-card seat when another has announced the highest rocket (card 0)."""
    everything = (1 << 26) - 1
    return Hidden((13, 13), (everything, everything & ~1))


CLAIMS = (
    Claim(
        "litjens-hands",
        LITJENS,
        "section 2.2",
        "C(26,13) · C(13,13) = 10,400,600",
        constant(10_400_600),
        lambda effort: count_determinizations(hidden_hands(0)),
        _check,
    ),
    Claim(
        "litjens-hands-any-seat",
        LITJENS,
        "section 2.2",
        "10,400,600 for every player",
        constant((10_400_600,) * 3),
        _by_seat,
        _check,
        _cause,
    ),
)
