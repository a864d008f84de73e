"""perft counts what a naive twin and hand derivations count."""

from __future__ import annotations

import subprocess
import sys
from math import factorial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import IllegalPlay
from crewsolve.position import Position
from crewsolve.simulator import perft, perft_split
from crewsolve.solving import plays
from tests import naive
from tests.strategies import deals
from tests.uncompiled import with_and_without_numba


def golden() -> list[tuple[str, int, int]]:
    """The (deal, depth, count) triples of the text file."""
    triples, deal = [], ""
    path = Path(__file__).parent / "data" / "perft.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "deal":
            deal = rest
        elif kind == "perft":
            depth, count = map(int, rest.split())
            triples.append((deal, depth, count))
    return triples


def explained(deal: Deal, depth: int) -> str:
    """The deal as one line and the count for each first card, as chess programs tell a mismatch."""
    split = "\n".join(f"{card}: {count}" for card, count in perft_split(deal, depth).items())
    return f"{deal}\n{split}"


@pytest.mark.parametrize(("line", "depth", "count"), golden())
def test_golden_numbers(line: str, depth: int, count: int) -> None:
    deal = Deal.parse(line)
    assert perft(deal, depth) == count, explained(deal, depth)
    assert naive.perft(deal, depth) == count


@settings(deadline=None, max_examples=300)
@given(deals(max_cards=14), st.integers(0, 7))
def test_perft_agrees_with_the_naive_twin(deal: Deal, depth: int) -> None:
    assert perft(deal, depth) == naive.perft(deal, depth), explained(deal, depth)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_perft_agrees_with_the_naive_twin_on_full_decks(key: int, seats: int, rockets: bool) -> None:
    deck = Deck(4, 9, 4 if rockets else 0)
    deal = random_deal(deck, seats=seats, tasks=0, key=(key,))
    assert perft(deal, 4) == naive.perft(deal, 4), explained(deal, 4)


@settings(deadline=None, max_examples=100)
@given(deals(max_cards=10), st.integers(1, 5))
def test_the_split_adds_up_and_has_the_legal_cards(deal: Deal, depth: int) -> None:
    split = perft_split(deal, depth)
    assert list(split) == list(Position.of(deal).legal)
    for card, count in split.items():
        assert count == perft(deal.after(card), depth - 1)


@pytest.mark.parametrize(("seats", "cards"), [(1, 4), (2, 3), (3, 3), (4, 2)])
def test_one_suit_gives_all_orders(seats: int, cards: int) -> None:
    deal = random_deal(Deck(1, seats * cards), seats=seats, tasks=0, key=(1,))
    assert perft(deal, seats * cards) == factorial(cards) ** seats


@settings(deadline=None, max_examples=200)
@given(deals(max_cards=10))
def test_exactly_the_legal_cards_can_be_played(deal: Deal) -> None:
    position = Position.of(deal)
    for card in deal.deck.cards:
        if card in position.legal:
            assert position.play(card).played == (*position.played, card)
        else:
            with pytest.raises(IllegalPlay, match=str(card)):
                position.play(card)


@settings(deadline=None, max_examples=300)
@given(deals(max_cards=14), st.integers(0, 8))
def test_the_compiled_count_is_that_of_the_simulator(deal: Deal, depth: int) -> None:
    assert plays._count(Position.of(deal), depth) == perft(deal, depth), explained(deal, depth)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", ["4x9+4", "5x9", "6x9+6"])
def test_full_decks_are_counted_by_the_kernel_as_by_the_simulator(deck: str, seats: int) -> None:
    deal = random_deal(Deck.parse(deck), seats=seats, tasks=0, key=(5, seats))
    assert plays._most(Position.of(deal), 6) > plays.FEW
    assert plays.perft(deal, 6) == perft(deal, 6), explained(deal, 6)
    split = plays.perft_split(deal, 6)
    assert split == perft_split(deal, 6) and list(split) == list(Position.of(deal).legal)


def test_few_plays_load_no_kernel() -> None:
    code = (
        "import sys; from crewsolve import Deal, perft; "
        "print(perft(Deal.parse(sys.argv[1]), 4), 'numba' in sys.modules)"
    )
    line = "2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0"
    run = subprocess.run([sys.executable, "-c", code, line], capture_output=True, text=True, check=True)
    assert run.stdout == "12 False\n"


TWIN = """
import json
from crewsolve.cards import Deck
from crewsolve.deal import random_deal
from crewsolve.position import Position
from crewsolve.solving.plays import _count
found = []
for index, text in enumerate(["2x4+2", "3x4", "4x9+4"]):
    deal = random_deal(Deck.parse(text), seats=3, tasks=2, key=(5, index))
    for _ in range(3):
        found += [_count(Position.of(deal), depth) for depth in range(6)]
        deal = deal.after(next(iter(Position.of(deal).legal)))
print(json.dumps(found))
"""


def test_plain_python_counts_the_same() -> None:
    compiled, plain = with_and_without_numba(TWIN)
    assert compiled == plain and compiled.count(",") == 53


def test_depth_eight_of_a_full_deal_is_within_reach() -> None:
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=5, key=(3, 0))
    assert perft(deal, 8) == 174_078  # the sum over all first tricks of perft 4 from there, checked below
    by_tricks = 0
    stack = [Position.of(deal)]
    while stack:
        position = stack.pop()
        if len(position.played) == 4:
            by_tricks += naive.perft(deal.after(*position.played), 4)
        else:
            stack += [position.play(card) for card in position.legal]
    assert by_tricks == 174_078
