"""Random deals: the stream of a seed never changes, and nothing is favoured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import SeedSequence

from crewsolve.cards import Deck
from crewsolve.deal import random_deal, random_deals, task_order
from crewsolve.errors import BadDeal
from crewsolve.notation import Record, scan
from crewsolve.randomness import Stream
from crewsolve.tasks import FixedTasks, FreeTasks, round_robin
from tests.strategies import decks

REAL = Deck.parse("4x9+4")

SEED_WORDS = [17991200575022749164, 1499816425435615884, 17955344336448862159, 17306047130409700259]
GOLDEN_DEALS = list(scan(Path(__file__).parent / "data" / "golden.deals"))


def pcg64(key: tuple[int, ...]) -> Iterator[int]:
    """PCG XSL-RR 128/64 of O'Neill 2014 in whole numbers, from the state that the seed sequence gives."""
    words = SeedSequence(key).generate_state(4, np.uint64).tolist()
    start, stream = words[0] << 64 | words[1], words[2] << 64 | words[3]
    multiplier, increment, mask = 0x2360ED051FC65DA44385DF649FCCF645, stream << 1 | 1, (1 << 128) - 1
    state = ((increment + start) * multiplier + increment) & mask
    while True:
        state = (state * multiplier + increment) & mask
        folded, turn = (state >> 64 ^ state) & (1 << 64) - 1, state >> 122
        yield (folded >> turn | folded << (-turn & 63)) & (1 << 64) - 1


@pytest.mark.parametrize("key", [(0, 0), (1, 7), (2**70,)])
def test_the_raw_stream_is_pcg64(key: tuple[int, ...]) -> None:
    stream = Stream(*key)
    assert [stream.raw() for _ in range(150)] == list(islice(pcg64(key), 150))


def test_the_raw_stream_never_changes() -> None:
    """The seed sequence is numpy's; these are its words for (1, 7), by which a change would show."""
    assert SeedSequence((1, 7)).generate_state(4, np.uint64).tolist() == SEED_WORDS


@pytest.mark.parametrize("record", GOLDEN_DEALS, ids=lambda record: record.name)
def test_golden_deals_never_change(record: Record) -> None:
    golden = record.get()
    seed, index = map(int, golden.name.split("-"))
    made = random_deal(
        golden.deck, seats=golden.seats, tasks=len(golden.tasks), free=golden.tasks.is_free, key=(seed, index)
    )
    assert made == golden


def test_a_stream_does_not_depend_on_how_it_is_cut() -> None:
    stream, again = Stream(5), Stream(5)
    assert [stream.raw() for _ in range(200)] == [again.raw() for _ in range(200)]
    assert Stream(5, 1).raw() != Stream(5, 2).raw() != Stream(6, 1).raw()


def test_deal_i_of_a_seed_does_not_depend_on_the_count() -> None:
    many = list(random_deals(REAL, seats=4, tasks=5, seed=9, count=6))
    assert many[4:] == list(random_deals(REAL, seats=4, tasks=5, seed=9, start=4, count=2))
    assert many[:3] == list(islice(random_deals(REAL, seats=4, tasks=5, seed=9), 3))
    assert [deal.name for deal in many][:2] == ["9-0", "9-1"]


def test_hands_do_not_depend_on_the_tasks_and_tasks_grow_at_the_end() -> None:
    few = random_deal(REAL, seats=4, tasks=3, key=(1, 1))
    more = random_deal(REAL, seats=4, tasks=8, key=(1, 1))
    free = random_deal(REAL, seats=4, tasks=8, free=True, key=(1, 1))
    assert few.hands == more.hands == free.hands
    assert isinstance(few.tasks, FixedTasks) and isinstance(more.tasks, FixedTasks)
    assert set(few.tasks.owners) <= set(more.tasks.owners)
    assert isinstance(free.tasks, FreeTasks) and more.freed().tasks == free.tasks


@settings(deadline=None, max_examples=200)
@given(decks(20), st.integers(1, 6), st.integers(0, 2**64), st.booleans(), st.data())
def test_every_random_deal_is_as_promised(
    deck: Deck, seats: int, seed: int, free: bool, data: st.DataObject
) -> None:
    seats = min(seats, deck.size)
    tasks = data.draw(st.integers(0, deck.colours * deck.ranks))
    deal = random_deal(deck, seats=seats, tasks=tasks, free=free, key=(seed,))
    assert deal.is_complete
    assert [len(hand) for hand in deal.hands] == [(deck.size + seats - 1 - s) // seats for s in range(seats)]
    assert deal.rocket_leader or not deck.rockets
    assert not any(card.is_rocket for card in deal.tasks.cards)
    assert len(deal.tasks) == tasks
    counts = deal.tasks.freed(seats).counts
    assert counts == round_robin(tasks, seats, deal.leader)


def chi_square(counts: list[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)


def test_every_card_goes_to_every_seat_alike() -> None:
    """36 + 4 cards x 4 seats over 1000 deals: each cell has mean 250; 8 standard deviations are 110."""
    cells = Counter(
        (seat, card)
        for deal in random_deals(REAL, seats=4, tasks=0, seed=1, count=1000)
        for seat, hand in enumerate(deal.hands)
        for card in hand
    )
    assert len(cells) == 160
    assert all(abs(count - 250) < 110 for count in cells.values())


def test_small_decks_see_all_deals_equally_often() -> None:
    """2 seats, 4 cards: 6 deals. Over 3000 draws chi-square has 5 degrees of freedom; 30 is p < 0.00002."""
    deals = Counter(
        deal.hands for deal in random_deals(Deck.parse("2x2"), seats=2, tasks=0, seed=2, count=3000)
    )
    assert len(deals) == 6
    assert chi_square(list(deals.values())) < 30


def test_task_cards_and_drawn_leaders_are_uniform() -> None:
    deals = list(random_deals(Deck.parse("3x4"), seats=3, tasks=2, seed=3, count=3000))
    pairs = Counter(deal.tasks.cards for deal in deals)
    assert len(pairs) == 66  # 12 choose 2
    assert chi_square(list(pairs.values())) < 140  # 65 degrees of freedom; p < 0.000001
    leaders = Counter(deal.leader for deal in deals)
    assert chi_square([leaders[seat] for seat in range(3)]) < 28  # 2 degrees of freedom; p < 0.000001


def test_the_owner_of_a_task_does_not_depend_on_its_card() -> None:
    owners = Counter(
        owner == deal.leader
        for deal in random_deals(Deck.parse("2x3+1"), seats=2, tasks=2, seed=4, count=2000)
        if isinstance(deal.tasks, FixedTasks)
        for card, owner in deal.tasks.owners[:1]
    )
    assert abs(owners[True] - 1000) < 180  # 8 standard deviations of a fair coin


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 0, "tasks": 0}, "0 seats cannot share"),
        ({"seats": 41, "tasks": 0}, "41 seats cannot share the 40 cards"),
        ({"seats": 4, "tasks": 37}, "37 tasks on the 36 colour cards"),
        (
            {"seats": 4, "tasks": 1, "leader": "last"},
            "leader rule 'last': choose one of holder, first",
        ),
    ],
)
def test_impossible_requests_are_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(BadDeal, match=message):
        random_deal(REAL, key=(0,), **arguments)  # type: ignore[arg-type]


def test_the_task_order_is_the_order_of_drawing() -> None:
    deck = Deck.parse("2x3+1")
    order = task_order(deck, seats=3, key=(5, 1))
    assert sorted(order) == sorted(card for card in deck.cards if not card.is_rocket)
    for tasks in range(len(order) + 1):
        drawn = random_deal(deck, seats=3, tasks=tasks, key=(5, 1)).tasks
        assert set(drawn.cards) == set(order[:tasks])
