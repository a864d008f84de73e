"""Exhaustive search, the CP-SAT model and the finder agree, and every win replays."""

from __future__ import annotations

import pytest

from crewsolve.errors import CrewError, UnknownName
from crewsolve.result import Verdict
from crewsolve.thegame.model import DEFAULT, Parameters, State
from crewsolve.thegame.playing import Player, random_deck
from crewsolve.thegame.simulator import Deck
from crewsolve.thegame.strategies import STRATEGIES
from crewsolve.thegame.winnability import Limits, solve

SMALL = (
    Parameters(low=1, high=13, up=1, down=1, turn=2, hand=3, trick=0),
    Parameters(low=1, high=11, up=1, down=0, turn=1, hand=3, trick=3),
    Parameters(low=1, high=13, up=0, down=2, turn=3, hand=4, trick=0),
    Parameters(low=-5, high=6, up=1, down=1, turn=2, hand=2, trick=4),
    Parameters(low=1, high=14, up=2, down=1, turn=2, hand=2, trick=9),
    Parameters(low=1, high=12, up=1, down=1, turn=3, hand=3, trick=7),
)


def wins(state: State, deck: Deck, played: int = 0) -> bool:
    """The definition: some move, or the end of a turn that is long enough, leads to a win."""
    if not state.unplayed:
        return True
    if played >= deck.parameters.turn and state.deck and wins(deck.refill(state), deck):
        return True
    return any(wins(state.after(move), deck, played + 1) for move in state.moves())


def check(parameters: Parameters, seed: int, index: int) -> Verdict:
    deck = random_deck(parameters, seed, index)
    exact = solve(deck, method="exhaustive", limits=Limits(states=None)).verdict
    assert exact is not Verdict.UNKNOWN
    assert solve(deck, method="cpsat").verdict is exact, deck
    found = solve(deck, method="finder", limits=Limits(width=2000)).verdict
    assert found is (Verdict.WINNABLE if exact is Verdict.WINNABLE else Verdict.UNKNOWN), deck
    return exact


@pytest.mark.parametrize("parameters", SMALL, ids=str)
def test_the_methods_agree_on_small_games(parameters: Parameters) -> None:
    verdicts = {check(parameters, 1, index) for index in range(60)}
    assert len(verdicts) == 2  # both kinds occur, so agreement says something


@pytest.mark.slow
@pytest.mark.parametrize("parameters", SMALL, ids=str)
def test_the_methods_agree_on_thousands_of_decks(parameters: Parameters) -> None:
    assert len({check(parameters, 2, index) for index in range(700)}) == 2


@pytest.mark.parametrize("parameters", SMALL[:3], ids=str)
def test_the_search_agrees_with_the_definition(parameters: Parameters) -> None:
    for index in range(60):
        deck = random_deck(parameters, 3, index)
        expected = Verdict.WINNABLE if wins(deck.start(), deck) else Verdict.UNWINNABLE
        assert solve(deck, method="exhaustive").verdict is expected, deck


def test_a_longer_turn_can_be_the_only_way() -> None:
    """Playing three cards at once changes which cards come together: two always is not enough."""
    lines = [solve(random_deck(SMALL[0], 1, index), method="finder").game for index in range(60)]
    long = [game for game in lines if game is not None and any(len(turn) == 3 for turn in game.turns[:-3])]
    assert long  # the finder tries turns of two cards first, so these decks need a longer one


def test_a_deck_that_a_strategy_wins_can_be_won() -> None:
    parameters = Parameters(low=1, high=24, hand=5, trick=6)
    player = Player(STRATEGIES["distance"], parameters, 1)
    for index in range(8):
        deck = random_deck(parameters, 4, index)
        if player.play(deck).is_won:
            assert solve(deck).verdict is Verdict.WINNABLE


def test_real_decks_are_won_by_the_finder() -> None:
    for index in range(5):
        answer = solve(random_deck(DEFAULT, 1, index), method="finder")
        assert answer.verdict is Verdict.WINNABLE
        assert answer.game is not None and answer.game.is_won


def test_limits_give_unknown_and_wrong_ones_are_refused() -> None:
    deck = random_deck(DEFAULT, 1, 0)
    assert solve(deck, method="exhaustive", limits=Limits(states=50)).verdict is Verdict.UNKNOWN
    with pytest.raises(CrewError, match="width must be positive"):
        Limits(width=0)
    with pytest.raises(UnknownName):
        solve(deck, method="guess")
