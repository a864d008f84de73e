"""Tournaments: the same games for everybody, for any number of workers, and honest numbers about them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crewsolve.agents import CARD_AGENTS, TASK_AGENTS, line_up
from crewsolve.agents.arena import Arena
from crewsolve.agents.published import GAMES, NOTHING, deviations, published_shares
from crewsolve.agents.standings import Score, Standings, mean_interval, paired, read_standings
from crewsolve.agents.standings_text import standings_text
from crewsolve.agents.table import play_game, seat_streams
from crewsolve.cards import Deck
from crewsolve.cli import main
from crewsolve.errors import CrewError
from crewsolve.experiments import Experiment, Store, get_executor, read_store, run_in
from crewsolve.experiments.statistics import mcnemar, wilson
from crewsolve.experiments.sweep import Sweep
from crewsolve.randomness import Stream
from crewsolve.simulator import replay
from crewsolve.tasks import FixedTasks, Status

SMALL = Arena(Deck.parse("3x4+2"), 3)
FREE = Arena(Deck.parse("3x4"), 3, free=True)
LINE_UPS = ("random", "smart:playouts=8", "random,solver:worlds=3:playouts=8,uct-hidden:playouts=20:trees=2")


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["arena", *arguments])


def played(experiment: Experiment, *, path: Path | None = None) -> Store:
    """The store of a tournament played by this process."""
    return run_in(path, experiment, executor=get_executor("in-process"))


def rows_of(
    arena: Arena, *, workers: int, chunk: int | None, line_ups: tuple[str, ...]
) -> dict[str, list[object]]:
    experiment = arena.experiment(line_ups=line_ups, tasks=[1, 3], games=9, seed=5)
    with run_in(None, experiment, executor=get_executor(workers=workers), chunk=chunk) as store:
        return {json.dumps(cell): list(store.rows(cell)) for cell, _ in store.cells()}


@pytest.mark.parametrize("arena", [SMALL, FREE], ids=["fixed", "free"])
def test_the_same_seed_gives_the_same_tournament_for_any_workers_chunks_and_order(arena: Arena) -> None:
    line_ups = ("tactical/random-smart", *LINE_UPS) if arena.free else LINE_UPS
    alone = rows_of(arena, workers=1, chunk=None, line_ups=line_ups)
    assert alone == rows_of(arena, workers=2, chunk=2, line_ups=line_ups[::-1])
    assert len({str(rows) for rows in alone.values()}) > len(line_ups), "line-ups and tasks differ"


def test_a_row_is_what_the_simulator_says_of_the_game() -> None:
    with played(SMALL.experiment(line_ups=LINE_UPS, tasks=[2], games=12, seed=5)) as store:
        for cell, _ in store.cells():
            players = line_up(cell["players"], 3)
            for row in store.rows(cell):
                key = (5, 2, row.number)
                game = play_game(SMALL.deal(*key, tasks=2), players, key)
                assert isinstance(game.deal.tasks, FixedTasks)
                replayed = replay(game.deal, game.playout)
                owners, winners = dict(game.deal.tasks.owners), replayed.achieved()
                done = sum(winners.get(card) == seat for card, seat in owners.items())
                assert row.value == {"won": replayed.outcome is Status.DONE, "done": done}


def test_every_line_up_plays_the_deals_of_the_sweep_with_this_seed() -> None:
    assert SMALL.deal(5, 2, 7, tasks=2) == Sweep(SMALL.deck, 3).deal(5, 2, 7, tasks=2)


def test_the_parameters_that_stores_hold_for_ever_do_not_change() -> None:
    deals = {"deck": "4x9+4", "seats": 4, "free": False, "leader": "holder", "rules": ""}
    real = Deck.parse("4x9+4")
    assert Arena(real, 4).parameters() == deals
    assert Sweep(real, 4).parameters() == {**deals, "coupled": False}
    assert Arena.of(FREE.parameters()) == FREE
    assert Sweep.of({**deals, "coupled": True}) == Sweep(real, 4, coupled=True)


def test_no_player_draws_the_numbers_that_dealt_the_cards() -> None:
    dealt = {Stream(5, 2, 7).raw(), Stream(5, 2, 7, 0).raw()}
    drawn = [stream.raw() for stream in seat_streams((5, 2, 7), 4)]
    assert len(dealt) == 1, "keys are filled up with zeros"
    assert len(set(drawn)) == 4
    assert not dealt & set(drawn)


def test_the_open_solver_wins_as_many_games_as_a_sweep_counts_winnable_deals() -> None:
    from crewsolve.experiments.curves import points
    from crewsolve.experiments.deciding import Effort

    swept = Sweep(SMALL.deck, 3).experiment(tasks=[4, 6], deals=60, seed=5, effort=Effort("auto"))
    games_of = SMALL.experiment(line_ups=["solver-open"], tasks=[4, 6], games=60, seed=5)
    with played(swept) as deals, played(games_of) as games:
        winnable = [point.winnable for point in points(deals)]
        assert [score.won for score in read_standings(games).scores] == winnable
        assert 0 < min(winnable) < 60


def standings(*line_ups: str, games: int = 40, tasks: tuple[int, ...] = (1, 3)) -> Standings:
    with played(SMALL.experiment(line_ups=line_ups, tasks=tasks, games=games, seed=6)) as store:
        return read_standings(store)


def test_standings_count_and_compare_game_by_game() -> None:
    found = standings("random", "solver-open")
    with played(SMALL.experiment(line_ups=["random"], tasks=[3], games=40, seed=6)) as store:
        values = [row.value for row in store.rows({"players": "random", "tasks": 3})]
    (score,) = [score for score in found.of("random") if score.tasks == 3]
    assert (score.games, score.won) == (40, sum(value["won"] for value in values))
    assert score.done == sum(value["done"] for value in values)
    assert score.won_interval == wilson(score.won, 40)
    assert [pair.tasks for pair in found.pairs] == [1, 3]
    (overall,) = found.overall
    assert overall.games == 80
    assert overall.first_only == sum(pair.first_only for pair in found.pairs)
    assert overall.p == mcnemar(overall.first_only, overall.second_only) < 0.01
    assert overall.second_only > overall.first_only


def test_pairs_use_common_games_only() -> None:
    left = {(2, 0): True, (2, 1): False, (2, 2): True}
    right = {(2, 1): True, (2, 2): True, (2, 3): False}
    (pair,) = paired({(2, "a"): left, (2, "b"): right}, ["a", "b"])
    assert (pair.games, pair.first_only, pair.second_only) == (2, 0, 1)


def test_the_interval_of_tasks_counts_games() -> None:
    low, high = mean_interval(Counter({0: 500, 5: 500}), 5)
    assert (low, high) == (pytest.approx(0.469, abs=1e-3), pytest.approx(0.531, abs=1e-3))
    assert mean_interval(Counter({5: 30}), 5) == wilson(30, 30)
    assert mean_interval(Counter({0: 30}), 5) == wilson(0, 30)
    low, high = mean_interval(Counter({2: 30}), 4)
    assert low < 0.5 < high
    assert mean_interval(Counter(), 4) == (0.0, 1.0)


def test_more_games_tasks_and_line_ups_extend_a_store(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    first = SMALL.experiment(line_ups=["random"], tasks=[1], games=10, seed=6)
    more = SMALL.experiment(line_ups=["random-smart", "random"], tasks=[1, 2], games=20, seed=6)
    played(first, path=path).close()
    with played(more, path=path) as store:
        assert store.runs[-1]["items"] == 70
        grown = read_standings(store)
    with played(more) as store:
        fresh = read_standings(store)
    assert {str(score) for score in grown.scores} == {str(score) for score in fresh.scores}


def test_a_player_by_the_clock_marks_the_store(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    options = "--deck 2x3+1 --seats 3 --tasks 1 --games 2 --workers 1".split()
    done = invoke("--players", "random", "--players", "smart:seconds=0.001", "--store", str(path), *options)
    assert done.exit_code == 0, done.output
    assert "not reproducible" in done.stdout
    with read_store(path) as store:
        assert not store.reproducible


def test_published_points_belong_to_their_setting_only() -> None:
    real = Arena(Deck.parse("4x9+4"), 4).parameters()
    assert published_shares(real, "cheating").shares[1] == 0.98
    mixed = published_shares(real, "ignorant:playouts=100,ignorant,ignorant,ignorant")
    assert mixed.shares[3] == pytest.approx(0.686667)
    half_a_second = published_shares(real, "smart:seconds=0.5")
    assert half_a_second == published_shares(real, "smart:playouts=1000")
    assert half_a_second.source.endswith("Figure 10") and half_a_second.shares[3] == 0.42
    for nobody in (
        "smart:playouts=200",
        "smart:strict",
        "smart-biased",
        "solver",
        "smart,smart,smart,random",
    ):
        assert published_shares(real, nobody) == NOTHING
    assert published_shares({**real, "free": True}, "smart") == NOTHING
    shares = published_shares(real, "smart").shares
    assert all(round(share * tasks * GAMES, 2).is_integer() for tasks, share in shares.items())


def test_what_is_published_is_compared_with_what_was_played() -> None:
    def score(tasks: int, done: int, spread: float) -> Score:
        return Score("smart", tasks, 200, 0, done, (0, 1), (0, 1), spread)

    real = Arena(Deck.parse("4x9+4"), 4).parameters()
    scores = (score(1, 180, 0.3), score(2, 240, 0.4))  # 90 % and 60 %, published 84 % and 55 %
    (found,) = deviations(Standings(real, 9, scores, (), (), 0, True))
    assert (found.points, found.source) == (2, "de Jong 2021, Figure 9")
    assert found.difference == pytest.approx(-0.055)
    assert found.z == pytest.approx(-0.11 / (0.25 * (1 / 200 + 1 / 50)) ** 0.5)
    assert deviations(Standings({**real, "seats": 3}, 9, scores, (), (), 0, True)) == []
    text = standings_text(Standings(real, 9, scores, (), (), 0, True), interval="wilson")
    assert "Figure 9" in text and "-5.5" in text


def test_the_command_prints_tables_csv_json_and_draws(tmp_path: Path) -> None:
    path, plot = tmp_path / "arena.sqlite", tmp_path / "arena.svg"
    options = "--deck 3x4+2 --seats 3 --tasks 1-2 --games 30 --workers 1".split()
    run = ["--players", "random; solver-open", *options, "--store", str(path), "--plot", str(plot)]
    done = invoke(*run)
    assert done.exit_code == 0, done.output
    assert "McNemar" in done.stdout and "solver-open" in done.stdout
    drawn = plot.read_bytes()
    assert b"<svg" in drawn and b"games won" in drawn
    reported = CliRunner().invoke(main, ["report", str(path), "--plot", str(plot)])
    assert reported.stdout == done.stdout
    assert plot.read_bytes() == drawn
    lines = CliRunner().invoke(main, ["report", str(path), "--csv"]).stdout.splitlines()
    assert lines[0].startswith("deck,seats,free,seed,players,tasks,games,won")
    assert len(lines) == 5
    rows = [json.loads(line) for line in invoke(*run, "--json").stdout.splitlines()]
    assert [(row["players"], row["tasks"]) for row in rows] == [
        ("random", 1), ("random", 2), ("solver-open", 1), ("solver-open", 2)
    ]  # fmt: skip
    pairs = [json.loads(line) for line in invoke(*run, "--json", "--pairs").stdout.splitlines()]
    assert [(pair["tasks"], pair["games"]) for pair in pairs] == [(1, 30), (2, 30)]
    assert "only second won" in invoke(*run, "--pairs").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "smrt"], "smart"),
        (["--players", "random,random"], "2 players"),
        (["--players", "random;random"], "twice"),
        (["--players", ";"], "at least one"),
        (["--players", "random", "--tasks", "0-3"], "0 tasks"),
        (["--players", "random", "--tasks", "40"], "36"),
        (["--players", "random", "--plot", "x.gif"], ".svg"),
        (["--players", "smart:playouts=-1"], "above 0"),
    ],
)
def test_a_wrong_tournament_is_bad_usage(arguments: list[str], words: str) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert words in done.output


def test_a_store_of_another_tournament_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    played(SMALL.experiment(line_ups=["random"], tasks=[1], games=2, seed=6), path=path).close()
    other = FREE.experiment(line_ups=["random"], tasks=[1], games=2, seed=6)
    with pytest.raises(CrewError, match="holds another experiment"):
        played(other, path=path)
    done = CliRunner().invoke(main, ["sweep", "--store", str(path), "--tasks", "1", "--deals", "2"])
    assert done.exit_code == 1 and "holds another experiment" in done.output


def test_the_list_of_players_is_that_of_the_tables() -> None:
    found = json.loads(CliRunner().invoke(main, ["players", "--json"]).stdout)
    assert [row["name"] for row in found["cards"]] == list(CARD_AGENTS)
    assert [row["name"] for row in found["tasks"]] == list(TASK_AGENTS)
    smart = next(row for row in found["cards"] if row["name"] == "smart")
    assert smart["options"] == {"playouts": 100, "seconds": None, "strict": False, "worlds": None}
    text = CliRunner().invoke(main, ["players"]).stdout
    assert all(name in text for name in CARD_AGENTS)


@pytest.mark.slow
def test_the_solver_wins_more_games_than_the_monte_carlo_players() -> None:
    arena = Arena(Deck.parse("4x9+4"), 4)
    rivals = ["ignorant:playouts=1250", "smart:playouts=1000", "pmc-hidden:playouts=4500",
              "uct-hidden:playouts=5500"]  # fmt: skip
    experiment = arena.experiment(line_ups=["solver", *rivals], tasks=[3], games=200, seed=11)
    with played(experiment) as store:
        for pair in read_standings(store).overall:
            if pair.first == "solver":
                assert pair.first_only > pair.second_only
                assert pair.adjusted < 0.01, pair


def test_the_solver_wins_more_games_than_the_smart_player() -> None:
    experiment = Arena(Deck.parse("4x9+4"), 4).experiment(
        line_ups=["solver", "smart"], tasks=[3], games=60, seed=11
    )
    with played(experiment) as store:
        (pair,) = read_standings(store).pairs
    assert pair.first_only > pair.second_only
    assert pair.p < 0.01
