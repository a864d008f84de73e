"""The commands of The Game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crewsolve.cli import main
from crewsolve.thegame.model import Parameters
from crewsolve.thegame.playing import Player
from crewsolve.thegame.strategies import STRATEGIES

SMALL = "1..20 hand=5 trick=4"


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(main, ["thegame", *arguments], input=text)


def test_a_played_game_replays() -> None:
    played = run("play", "--game", SMALL, "--strategy", "distance", "--seed", "3")
    assert played.exit_code == 0, played.output
    replayed = run("replay", "-", "--json", text=played.stdout)
    record = json.loads(replayed.stdout)
    assert record["name"] == "3-0" and record["over"] and record["won"] == (record["cards_remaining"] == 0)


def test_solve_prints_a_line_that_wins() -> None:
    deck = run("play", "--deck-only", "--game", SMALL).stdout.strip()
    answer = json.loads(run("solve", "-", "--json", text=deck).stdout)
    assert answer["verdict"] == "winnable"
    replayed = run("replay", "-", text=f"{deck}; {answer['turns']}")
    assert "won, 0 cards remaining, " in replayed.stdout


def test_simulate_counts_the_games_it_says(tmp_path: Path) -> None:
    arguments = ("simulate", "real", "distance", "--game", SMALL, "--seed", "5", "--json")
    row = json.loads(run(*arguments, "--games", "300").stdout.splitlines()[1])
    player = Player(STRATEGIES["distance"], Parameters(1, 20, hand=5, trick=4))
    laid, tricks, _ = player.play_random(5, 0, 300)
    assert row["games"] == 300 and row["wins"] == int((laid == 20).sum())
    assert row["remaining"] == pytest.approx(float(20 - laid.mean()), abs=1e-4)
    assert row["tricks"] == pytest.approx(float(tricks.mean()), abs=1e-3)


def test_a_store_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    common = ("real", "--game", SMALL, "--json", "--workers", "1")
    first = run("simulate", *common, "--games", "2000", "--store", store)
    assert first.exit_code == 0, first.output
    longer = run("simulate", *common, "--games", "5000", "--store", store)
    fresh = run("simulate", *common, "--games", "5000")
    assert longer.stdout == fresh.stdout
    other = run("simulate", *common, "--games", "5000", "--store", store, "--seed", "2")
    assert other.exit_code == 1 and "seed" in other.output


def test_tune_varies_one_parameter_and_draws(tmp_path: Path) -> None:
    plot = tmp_path / "search.png"
    done = run("tune", "distance", "--vary", "gamma=0.1:0.5:0.1", "--game", SMALL, "--games", "100",
               "--plot", str(plot))  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "distance:gamma=0.3" in done.stdout and "best: gamma = " in done.stdout
    assert plot.stat().st_size > 1000


def test_simulate_draws_density_and_course(tmp_path: Path) -> None:
    density, course = tmp_path / "density.png", tmp_path / "course.png"
    done = run("simulate", "real", "distance", "--game", SMALL, "--games", "200", "--density", str(density),
               "--course", str(course))  # fmt: skip
    assert done.exit_code == 0, done.output
    assert density.stat().st_size > 1000 and course.stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("simulate", "unreal"), 2, "did you mean 'real'"),
        (("simulate", "--game", "hand=2 turn=3"), 2, "above the hand size 2"),
        (("simulate", "--game", "up=0 down=0"), 2, "no piles"),
        (("tune", "distance", "--vary", "gamma=1"), 2, "is no range"),
        (("tune", "distance", "--vary", "delta=1:2:1"), 2, "has no parameter 'delta'"),
        (("replay", "missing.games"), 1, "missing.games"),
        (("solve", "-"), 1, "holds no deck"),
        (("simulate", "real", "--depth", "15", "--game", "1..62 hand=40"), 2, "at most 16"),
    ],
)
def test_mistakes_are_named(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.exit_code == code and words in done.output, done.output


def test_bad_decks_are_named_with_their_line() -> None:
    done = run("solve", "-", text="# a deck\n; 1..3 hand=2 trick=1; 1 2 2\n")
    assert done.exit_code == 1 and "stdin:2: card 2 occurs twice, again at place 3" in done.output


def test_the_share_of_winnable_decks_has_bounds_for_the_undecided() -> None:
    hard = ("share", "--game", "1..13 up=1 down=1 hand=3 trick=0", "--decks", "60", "--json", "--seed", "1")
    exact = json.loads(run(*hard, "--method", "exhaustive").stdout)
    found = json.loads(run(*hard, "--width", "2000").stdout)
    assert exact["unknown"] == 0 and exact["winnable"] == found["winnable"]
    assert found["unknown"] == exact["unwinnable"] > 0
    assert found["low"] == exact["low"] and found["high"] == 1.0
