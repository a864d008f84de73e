"""Players: legal always, blind where they should be, and the solver as strong as it claims."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.agents import CARD_AGENTS, TASK_AGENTS, get_player, line_up
from crewsolve.agents.player import Offer, Sight
from crewsolve.agents.rule_based import tactical_score
from crewsolve.agents.table import play_game
from crewsolve.cards import Card, CardSet, Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import CrewError, UnknownName
from crewsolve.position import Position
from crewsolve.proofs.sampling import sample_many
from crewsolve.randomness import Stream
from crewsolve.result import Verdict
from crewsolve.simulator import replay
from crewsolve.solving import solve
from crewsolve.tasks import Status
from crewsolve.view import View
from tests.strategies import deals

SMALL_BUDGET = {"playouts": 6, "worlds": 3, "trees": 2}
REAL = Deck.parse("4x9+4")


def small(kind: str, name: str) -> str:
    """The agent with budgets small enough for many games."""
    table = CARD_AGENTS if kind == "cards" else TASK_AGENTS
    fields = table[name].factory().__dataclass_fields__
    return ":".join([name, *(f"{key}={value}" for key, value in SMALL_BUDGET.items() if key in fields)])


@pytest.mark.parametrize("name", CARD_AGENTS)
@given(deal=deals(max_cards=14), seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_every_card_agent_plays_legal_games(name: str, deal: Deal, seed: int) -> None:
    if deal.tasks.is_free and deal.played:
        deal = Deal(deal.deck, deal.hands, deal.leader, deal.tasks, deal.rules)
    if Position.of(deal).outcome is Status.FAILED:
        return
    game = play_game(deal, line_up(small("cards", name), deal.seats), (seed,))
    replayed = replay(game.deal, game.playout)
    assert (replayed.outcome is Status.DONE) == game.won
    assert len(replayed.achieved()) >= game.tasks_done


@pytest.mark.parametrize("name", TASK_AGENTS)
@given(deal=deals(max_cards=14, free=True, positions=False), seed=st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_every_task_agent_takes_each_task_once(name: str, deal: Deal, seed: int) -> None:
    game = play_game(deal, line_up(f"{small('tasks', name)}/random", deal.seats), (seed,))
    assert game.deal.tasks.cards == deal.tasks.cards
    assert game.deal.tasks.freed(deal.seats).counts == deal.tasks.freed(deal.seats).counts


HIDDEN_CARDS = [name for name, entry in CARD_AGENTS.items() if not get_player(name).cards.open_hands]
HIDDEN_TASKS = [name for name in TASK_AGENTS if not get_player(f"{name}/random").tasks.open_hands]


def test_the_open_agents_are_the_ones_that_say_so() -> None:
    assert set(CARD_AGENTS) - set(HIDDEN_CARDS) == {"cheating", "pmc", "uct", "solver-open"}


def other_world(position: Position, seat: int, number: int) -> Position:
    """The same history with hidden cards swapped between the other seats, as this seat may believe."""
    view = View.of(position, seat)
    for masks in sample_many(view, 200, Stream(number)):
        now = [int(mask) for mask in masks]
        if tuple(now) != position.hand_masks:
            break
    else:
        raise AssertionError("no other world agrees with the view")
    deal = position.deal
    played = [hand.mask & ~left for hand, left in zip(deal.hands, position.hand_masks, strict=True)]
    hands = tuple(deal.deck.from_mask(p | n) for p, n in zip(played, now, strict=True))
    swapped = Deal(deal.deck, hands, deal.leader, deal.tasks, deal.rules, played=position.played)
    assert swapped.hands != deal.hands
    return Position.of(swapped)


@pytest.mark.parametrize("name", HIDDEN_CARDS)
@pytest.mark.parametrize("tricks", [0, 2, 5])
def test_hidden_players_do_not_see_hidden_cards(name: str, tricks: int) -> None:
    agent = get_player(small("cards", name)).cards
    for index in range(4):
        deal = random_deal(REAL, seats=4, tasks=4, key=(8, index))
        position = Position.of(deal)
        stream = Stream(index)
        for _ in range(4 * tricks + index):
            legal = list(position.legal)
            position = position.play(legal[stream.below(len(legal))])
        seat = position.seat
        swapped = other_world(position, seat, index)
        chosen = [agent.choose_card(Sight(View.of(p, seat)), Stream(3, index)) for p in (position, swapped)]
        assert View.of(position, seat) == View.of(swapped, seat)
        assert chosen[0] == chosen[1]


@pytest.mark.parametrize("name", HIDDEN_TASKS)
def test_hidden_task_agents_do_not_see_hidden_cards(name: str) -> None:
    agent = get_player(f"{small('tasks', name)}/random").tasks
    deal = random_deal(REAL, seats=4, tasks=0, key=(9, 1))
    position = Position.of(deal)
    swapped = other_world(position, deal.leader, 1)
    untaken = CardSet.parse("B3 G9 P5 Y1", REAL)
    picks = (1, 1, 1, 1)
    chosen = [
        agent.choose_task(Offer(View.of(p, deal.leader), untaken, picks), Stream(5))
        for p in (position, swapped)
    ]
    assert chosen[0] == chosen[1]


def test_the_open_solver_wins_exactly_the_winnable_deals() -> None:
    players = line_up("solver-open", 4)
    verdicts = []
    for index in range(200):
        deal = random_deal(REAL, seats=4, tasks=5 + index % 9, key=(10, index))
        verdict = solve(deal).verdict
        verdicts.append(verdict)
        assert play_game(deal, players, (index,)).won == (verdict is Verdict.WINNABLE), str(deal)
    assert verdicts.count(Verdict.UNWINNABLE) >= 20


def test_the_open_solver_takes_tasks_so_that_the_deal_stays_winnable() -> None:
    players = line_up("solver-open/solver-open", 4)
    for index in range(30):
        deal = random_deal(REAL, seats=4, tasks=4 + index % 15, free=True, key=(11, index))
        won = play_game(deal, players, (index,)).won
        assert won == (solve(deal).verdict is Verdict.WINNABLE), str(deal)


@given(deal=deals(max_cards=10, free=False, positions=False))
@settings(max_examples=60, deadline=None)
def test_the_open_solver_wins_small_winnable_deals(deal: Deal) -> None:
    won = play_game(deal, line_up("solver-open", deal.seats), (0,)).won
    assert won == (solve(deal, method="search").verdict is Verdict.WINNABLE)


def test_the_same_key_gives_the_same_game_and_another_key_another() -> None:
    deal = random_deal(REAL, seats=4, tasks=4, key=(12, 0))
    players = line_up("random,smart:playouts=10,ignorant:playouts=10,solver:worlds=2:playouts=10", 4)
    games = [play_game(deal, players, (seed,)).playout for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_random_smart_follows_its_rule() -> None:
    deal = Deal.parse("2x4+1; 0; B1 G1 R1 | B2 B4 G2 | B3 G3 G4; fixed B1:1 G3:0")
    agent = get_player("random-smart").cards
    led = Position.of(deal).play(Card.parse("B1"))
    assert str(agent.choose_card(Sight(View.of(led, 1)), Stream(1))) == "B4"  # its own task lies in the trick
    other = Position.of(deal.with_tasks(deal.tasks.__class__.of({Card.parse("B1"): 2}, deal.deck)))
    assert str(agent.choose_card(Sight(View.of(other.play(Card.parse("B1")), 1)), Stream(1))) == "B2"


def test_the_tactical_score_is_formula_8() -> None:
    hand = CardSet.parse("B9 B1 G4 G6", Deck.parse("4x9"))
    scores = {card: tactical_score(Card.parse(card), hand) for card in ("B9", "B1", "B5", "G5", "G9", "Y3")}
    assert scores == {"B9": 8 + 2, "B1": -8 + 2, "B5": 1, "G5": 1, "G9": -2, "Y3": 0}


@pytest.mark.parametrize(
    ("text", "word"),
    [("smrt", "smart"), ("smart:playouts=x", "int"), ("smart:trees=3", "playouts"),
     ("uct:scoring=odd", "standard"), ("tactic/smart", "tactical"), ("smart:playouts=0", "above 0")],
)  # fmt: skip
def test_a_wrong_player_is_refused_with_the_right_names(text: str, word: str) -> None:
    with pytest.raises(CrewError, match=word):
        get_player(text)


def test_a_line_up_needs_one_player_or_one_for_each_seat() -> None:
    assert len(line_up("random", 5)) == 5
    with pytest.raises(CrewError, match="3 players"):
        line_up("random,random,random", 4)
    with pytest.raises(UnknownName):
        line_up("random,rand,random,random", 4)


def test_smart_tables_agree_with_all_that_is_known() -> None:
    from crewsolve.agents.hidden import consistent_tables

    deal = random_deal(REAL, seats=4, tasks=3, key=(13, 5))
    position = Position.of(deal)
    stream = Stream(1)
    for _ in range(17):
        legal = list(position.legal)
        position = position.play(legal[stream.below(len(legal))])
    view = View.of(position, position.seat)
    tables = consistent_tables(Sight(view), 300, Stream(2))
    assert len(np.unique(tables, axis=0)) > 250
    for table in tables:
        for seat in range(4):
            hand = REAL.from_mask(int(table[seat]))
            assert len(hand) == view.sizes[seat]
            assert hand <= view.may_hold(seat)


def test_a_strict_player_does_not_count_the_tasks_of_the_trick_that_loses() -> None:
    # Seat 1 follows; G3 does seat 0's task G2 in the same trick that gives B1, owed to seat 1, to seat 0.
    deal = Deal.parse("2x3; 0; B3 G3 | B1 G1 | B2 G2; fixed B1:0 B2:1 G2:0")
    sight = Sight(View.of(Position.of(deal), 0), Position.of(deal))
    left = {}
    for name in ("cheating", "cheating:strict"):
        agent = get_player(name).cards
        scores = agent.scores(sight, sight.view.legal, Stream(1))  # type: ignore[attr-defined]
        left[name] = [score[1] / 100 for score in scores]
    # B3 wins B1, done, together with B2, failed; G3 wins G2, and the next trick is lost in the same way.
    assert left["cheating"] == [2, 1]
    assert left["cheating:strict"] == [3, 2]


def test_worlds_share_the_playouts_of_a_move() -> None:
    deal = random_deal(REAL, seats=4, tasks=3, key=(14, 0))
    sight = Sight(View.of(Position.of(deal), deal.leader))
    rows = {
        text: get_player(text).cards.scores(sight, sight.view.legal, Stream(2))  # type: ignore[attr-defined]
        for text in ("smart", "smart:worlds=100", "smart:worlds=1")
    }
    assert rows["smart"] == rows["smart:worlds=100"] != rows["smart:worlds=1"]
