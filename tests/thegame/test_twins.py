"""The kernels and their plain twin play the same games on the same decks."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from crewsolve.thegame._random import next_raw, open_stream, seed_words
from crewsolve.thegame.model import Parameters
from crewsolve.thegame.playing import TIES, Player, random_deck
from crewsolve.thegame.strategies import STRATEGIES
from crewsolve.thegame.values import Reading
from tests.thegame import plain
from tests.uncompiled import with_and_without_numba

SMALL = (
    Parameters(low=1, high=20, hand=5, trick=4),
    Parameters(low=-3, high=14, up=1, down=2, turn=3, hand=5, trick=5),
    Parameters(low=2, high=19, up=2, down=0, turn=1, hand=3, trick=2),
    Parameters(low=2, high=17, up=0, down=3, turn=2, hand=4, trick=0),
    Parameters(low=5, high=25, up=2, down=1, turn=2, hand=6, trick=20),
)


def moves(game: object) -> list[object]:
    return [move for turn in game.turns for move in turn]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("ties", ["first", "last", "by-pile", "unsorted", "own"])
def test_small_games_are_identical_at_every_depth_up_to_one(name: str, ties: str) -> None:
    for number, parameters in enumerate(SMALL):
        for depth in (0, 1):
            player = Player(STRATEGIES[name], parameters, depth, ties)
            for index in range(1 if depth else 2):
                deck = random_deck(parameters, 10 + number, index)
                ours, twin = player.play(deck), plain.play(player, deck)
                assert ours.remaining == twin.remaining, deck
                if ours.turns != twin.turns:  # the last moves may differ in order only
                    assert ours.turns[:-1] == twin.turns[:-1], deck


@pytest.mark.parametrize("reading", list(product((0, 1), repeat=3)), ids=str)
def test_every_reading_of_the_bridges_has_its_twin(reading: tuple[int, ...]) -> None:
    numbers = dict(zip(Reading._fields, map(float, reading), strict=True))
    strategy = STRATEGIES["amplified-distance"].with_numbers(numbers)
    for number, parameters in enumerate(SMALL):
        for depth in (0, 1):
            player, deck = Player(strategy, parameters, depth), random_deck(parameters, 30 + number)
            assert player.play(deck).turns[:-1] == plain.play(player, deck).turns[:-1]


def test_readings_play_different_games() -> None:
    played = {
        tuple(Player(STRATEGIES["amplified"].with_numbers({name: value})).play_random(4, 0, 20)[0].tolist())
        for name, value in (("direct", 0), ("direct", 1), ("held", 0), ("slip", 1))
    }
    assert len(played) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
def test_small_games_are_identical_at_depth_two(name: str) -> None:
    for number, parameters in enumerate(SMALL):
        player = Player(STRATEGIES[name], parameters, 2)
        deck = random_deck(parameters, 50 + number)
        assert player.play(deck).turns[:-1] == plain.play(player, deck).turns[:-1]


@pytest.mark.parametrize("name", ["real", "distance", "amplified-distance"])
def test_a_real_game_is_identical(name: str) -> None:
    player = Player(STRATEGIES[name])
    deck = random_deck(Parameters(), 5, 0)
    assert moves(player.play(deck)) == moves(plain.play(player, deck))


@pytest.mark.parametrize("name", ["perceived", "real", "weighted-perceived", "weighted-real"])
@pytest.mark.parametrize("ties", TIES)
def test_the_fast_pairs_play_as_the_general_kernel(name: str, ties: str) -> None:
    player = Player(STRATEGIES[name], ties=ties)
    laid, tricks, codes = player.play_random(3, 0, 60)
    for index in range(60):
        if ties == "random":  # the stream of ties follows that of the deck, which `play` does not draw from
            break
        game = player.play(random_deck(Parameters(), 3, index))
        assert game == player.game(game.deck, codes[index, : laid[index]])
        assert game.tricks == tricks[index]
    again = player.play_random(3, 40, 20)
    assert (again[0] == laid[40:]).all() and (again[2] == codes[40:]).all()


def test_the_stream_is_numpys() -> None:
    stream = np.zeros(4, np.uint64)
    for seed in (0, 1, 2**32 + 5, 2**70 + 3):
        for index in (0, 1, 99, 2**32, 2**40 + 17):
            open_stream(seed_words(seed), np.uint64(index), stream)
            bits = np.random.PCG64(np.random.SeedSequence((seed, index)))
            assert [int(next_raw(stream)) for _ in range(5)] == bits.random_raw(5).tolist()


def test_random_games_are_played_on_the_random_decks() -> None:
    player = Player(STRATEGIES["distance"])
    laid, tricks, codes = player.play_random(9, 2**32 - 1, 3)
    for offset in range(3):
        game = player.game(random_deck(Parameters(), 9, 2**32 - 1 + offset), codes[offset, : laid[offset]])
        assert game.remaining == 98 - laid[offset] and game.tricks == tricks[offset] and game.is_over


GAMES = """
import json
from crewsolve.thegame.model import Parameters
from crewsolve.thegame.playing import Player
from crewsolve.thegame.strategies import STRATEGIES

small, found = Parameters(low=1, high=20, hand=5, trick=4), []
for name, strategy in STRATEGIES.items():
    for depth in (0, 1):
        found.append([part.tolist() for part in Player(strategy, small, depth).play_random(8, 0, 1)])
print(json.dumps(found))
"""


def test_plain_python_plays_the_same_games() -> None:
    warnings = ("-W", "error", "-W", "ignore:overflow:RuntimeWarning")
    compiled, plain_python = with_and_without_numba(GAMES, *warnings)
    assert json.loads(compiled) == json.loads(plain_python)
