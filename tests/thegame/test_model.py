"""Parameters, states, the judge and the notation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.errors import BadFile, CrewError
from crewsolve.thegame.errors import BadOrder, BadParameters, IllegalMove
from crewsolve.thegame.model import DEFAULT, Move, Parameters, State
from crewsolve.thegame.notation import (
    dumps,
    load,
    loads,
    parse_deck,
    parse_game,
    parse_parameters,
    write_deck,
)
from crewsolve.thegame.playing import Player, random_deck
from crewsolve.thegame.simulator import Deck, Game
from crewsolve.thegame.strategies import STRATEGIES, get_strategy
from crewsolve.thegame.values import Capacity

TINY = Parameters(low=1, high=6, up=1, down=1, turn=2, hand=3, trick=2)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ({"low": 5, "high": 5}, "must be below"),
        ({"up": 0, "down": 0}, "no piles"),
        ({"up": -1}, "negative"),
        ({"hand": 0}, "1 to 98"),
        ({"hand": 99}, "1 to 98"),
        ({"turn": 0}, "at least one card"),
        ({"turn": 9}, "above the hand size 8"),
        ({"trick": 98}, "0 \\(no trick\\) to 97"),
        ({"trick": -1}, "not -1"),
        ({"hand": 2.5}, "whole number"),
    ],
)
def test_bad_parameters_are_refused_with_the_reason(numbers: dict[str, int], reason: str) -> None:
    with pytest.raises(BadParameters, match=reason):
        Parameters(**numbers)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ((1, 2, 3, 3, 5, 6), "card 3 occurs twice, again at place 4"),
        ((1, 2, 3, 4, 5), "1 of 6 cards are missing: 6"),
        ((1, 2, 3, 4, 5, 7), "card 7 at place 6 is not in 1..6"),
        ((), "6 of 6 cards are missing: 1, 2, 3, 4, 5, …"),
    ],
)
def test_bad_decks_are_refused_with_the_card(order: tuple[int, ...], reason: str) -> None:
    with pytest.raises(BadOrder, match=reason.replace("..", r"\.\.")):
        Deck(order, TINY)


def test_the_state_of_figure_2_1() -> None:
    laid = frozenset({34, 80, 88})
    state = State(DEFAULT, laid, frozenset({24, 35}), (1, 34, 100, 80))
    assert Capacity.perceived(state, 1) == 65
    assert Capacity.real(state, 1) == 64
    assert Move(24, 1) in set(state.moves()) and Move(24, 2) in set(state.moves())


def test_the_backwards_trick_goes_exactly_back() -> None:
    assert DEFAULT.allows(0, 34, 24) and not DEFAULT.allows(0, 34, 25)
    assert DEFAULT.allows(2, 34, 44) and not DEFAULT.allows(2, 34, 43)
    without = Parameters(trick=0)
    assert not without.allows(0, 34, 24) and not without.allows(0, 34, 34)


def test_the_judge_names_the_illegal_move() -> None:
    deck = parse_deck("; 1..6 up=1 down=1 turn=2 hand=3 trick=2; 3 1 5 2 4 6")
    cases = {
        "1u1 4u1": "turn 1: 4u1: card 4 is not in hand; the hand is 3 5",
        "5u1 1u1": "turn 1: 1u1: pile u1 shows 5 and takes a higher card, or exactly 3",
        "1u1 1d1": "turn 1: 1d1: card 1 is already laid",
        "1u1 | 3u1 5u1": "turn 1: only 1 of at least 2 cards played",
        "1u1": "turn 1: the last moves may be fewer than 2 only when no full turn is left",
    }
    for turns, message in cases.items():
        game = parse_game(f"; {deck.parameters}; {' '.join(map(str, deck.order))}; {turns}")
        with pytest.raises(IllegalMove, match=message.replace("(", r"\(")):
            assert game.states


def test_an_empty_deck_allows_single_cards_and_a_win_is_a_win() -> None:
    game = parse_game("; 1..4 up=1 down=1 turn=2 hand=2 trick=1; 1 4 2 3; 1u1 4d1 | 2u1 | 3u1")
    assert game.is_won and game.is_over and game.tricks == 0
    assert not Game(game.deck, game.turns[:1]).is_over


def test_the_last_moves_come_when_no_turn_is_left() -> None:
    game = parse_game("; 1..5 up=1 down=0 turn=2 hand=2 trick=0; 4 5 1 2 3; 4u1 5u1")
    assert game.remaining == 3 and game.is_over
    short = parse_game("; 1..5 up=1 down=0 turn=2 hand=2 trick=0; 3 4 5 1 2; 3u1 4u1 | 5u1")
    assert short.remaining == 2 and short.is_over


def test_files_read_back_and_mistakes_have_their_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    deck = random_deck(TINY, 3)
    game = Player(STRATEGIES["real"], TINY).play(deck)
    assert loads(dumps([deck, game])) == [deck, game]
    path = tmp_path / "bad.decks"
    path.write_text(f"# comment\n{write_deck(deck)}\nx; 1..3 hand=2 turn=2 trick=1; 1 2 2\n")
    with pytest.raises(BadFile, match=r"bad\.decks:3: card 2 occurs twice"):
        load(path)
    with pytest.raises(BadFile, match="No such file"):
        load(tmp_path / "missing")


@pytest.mark.parametrize("text", ["hand", "hand=x", "cards=3", "hand=3 hand=4", "5..2"])
def test_bad_parameter_texts_are_refused(text: str) -> None:
    with pytest.raises(BadParameters):
        parse_parameters(text)


@pytest.mark.parametrize(
    "text", ["1 2 x", "a; b; c; d; e", "; 1..3 hand=2 trick=1; 1 2 3; 1u3 2u1", "; ; 1; q"]
)
def test_bad_lines_are_refused(text: str) -> None:
    with pytest.raises(CrewError):
        parse_deck(text)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_game_of_any_parameters_replays(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 14))
    low = data.draw(st.integers(-5, 5))
    hand = data.draw(st.integers(1, min(size, 5)))
    up = data.draw(st.integers(0, 2))
    parameters = Parameters(
        low, low + size - 1, up, data.draw(st.integers(0 if up else 1, 2)),
        data.draw(st.integers(1, hand)), hand, data.draw(st.integers(0, size - 1)),
    )  # fmt: skip
    deck = random_deck(parameters, data.draw(st.integers(0, 1000)))
    name = data.draw(st.sampled_from(["perceived", "real", "distance", "bridges"]))
    game = Player(STRATEGIES[name], parameters, data.draw(st.integers(0, 1))).play(deck)
    assert game.is_over and game.remaining == parameters.size - sum(map(len, game.turns))
    assert loads(dumps([game])) == [game]


@pytest.mark.parametrize(
    "text", ["distance:delta=1", "distance:gamma=-0.03", "distance:beta=3", "amplified:power=2",
             "distance:gamma", "distance:gamma=nan", "weighted-real:weight=0", "nothing"],
)  # fmt: skip
def test_bad_strategies_are_refused(text: str) -> None:
    with pytest.raises(CrewError):
        get_strategy(text)
