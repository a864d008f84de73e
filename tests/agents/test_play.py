"""`crewsolve play`: a person at the table, and a game that is always saved."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crewsolve.agents import get_player
from crewsolve.agents.player import Sight
from crewsolve.agents.sitting import Sitting, seat_players
from crewsolve.agents.solver import HiddenSolver, HiddenSolverTasks
from crewsolve.agents.table import play_game
from crewsolve.cards import Card, Deck
from crewsolve.cli import main
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import CrewError
from crewsolve.notation import load_playout
from crewsolve.position import Position
from crewsolve.randomness import Stream
from crewsolve.simulator import replay
from crewsolve.tasks import Status
from crewsolve.view import View

SMALL = ["--deck", "2x3+1", "--seats", "3", "--tasks", "2", "--seed", "4", "--players", "random-smart"]


def at_table(tmp_path: Path, said: str, *options: str) -> Result:
    arguments = ["play", *options, "--save", str(tmp_path / "game")]
    return CliRunner().invoke(main, arguments, input=said)


def any_card(deck: str = "2x3+1") -> str:
    """Says every card again and again: the one that is legal is played."""
    return "".join(f"{card}\n" for card in Deck.parse(deck).cards) * 9


def saved(tmp_path: Path) -> tuple[Deal, list[Card]]:
    deal = Deal.parse((tmp_path / "game.deals").read_text(encoding="utf-8"))
    return deal, list(load_playout(str(tmp_path / "game.playout"), seats=deal.seats).cards)


@pytest.mark.parametrize("seat", ["0", "2"])
@pytest.mark.parametrize("free", [[], ["--free"]])
def test_a_game_is_played_to_its_end_and_replay_shows_it(tmp_path: Path, seat: str, free: list[str]) -> None:
    done = at_table(tmp_path, any_card(), *SMALL, "--seat", seat, *free)
    assert done.exit_code == 0, done.output
    deal, cards = saved(tmp_path)
    assert not deal.tasks.is_free
    verdict = "won" if "won: 2 of 2 tasks done" in done.stdout else "lost"
    files = [str(tmp_path / "game.deals"), str(tmp_path / "game.playout")]
    shown = CliRunner().invoke(main, ["replay", *files])
    assert shown.exit_code == 0
    assert f"{verdict}:" in shown.stdout
    assert "goes on" not in done.stdout
    assert len(cards) >= 3


def test_only_legal_cards_are_taken(tmp_path: Path) -> None:
    deal = "2x3+1; 0; B1 G1 R1 | B2 B3 | G2 G3; fixed G3:2"
    (tmp_path / "in.deals").write_text(deal + "\n", encoding="utf-8")
    done = at_table(tmp_path, "B9\nB2\nxyzzy\nb1\n", str(tmp_path / "in.deals"))
    assert "B2 is not one of" in done.stdout
    assert "is not in deck" in done.stdout
    assert "no card" in done.stdout
    assert saved(tmp_path)[1][0] == Card.parse("B1")


def test_leaving_saves_the_game_so_far_and_it_goes_on(tmp_path: Path) -> None:
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=1, key=(6, 0))
    (tmp_path / "in.deals").write_text(f"{deal}\n", encoding="utf-8")
    options = [str(tmp_path / "in.deals"), "--players", "random", "--seed", "1", "--seat", str(deal.leader)]
    first = next(iter(deal.hands[deal.leader]))
    for said in (f"{first}\nquit\n", f"{first}\n"):  # the second ends like Ctrl-D
        done = at_table(tmp_path, said, *options)
        assert done.exit_code == 0, done.output
        kept, cards = saved(tmp_path)
        assert kept.hands == deal.hands and cards[0] == first and len(cards) >= 4
        assert "goes on with" in done.stdout
    on = at_table(tmp_path, any_card("4x9+4"), *options, "--played", " ".join(map(str, cards)))
    assert on.exit_code == 0, on.output
    deal_after, all_cards = saved(tmp_path)
    assert all_cards[: len(cards)] == cards
    assert (
        replay(deal_after, load_playout(str(tmp_path / "game.playout"), seats=4)).outcome is not Status.OPEN
    )


def test_leaving_before_the_first_card_saves_the_deal_alone(tmp_path: Path) -> None:
    (tmp_path / "game.playout").write_text("R1\n", encoding="utf-8")
    done = at_table(tmp_path, "", *SMALL, "--free")
    assert done.exit_code == 0, done.output
    assert "no card was played" in done.stdout or "replay" in done.stdout
    assert (tmp_path / "game.deals").exists()
    assert not (tmp_path / "game.playout").exists()


def test_a_game_left_again_and_again_loses_no_card(tmp_path: Path) -> None:
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=1, key=(6, 0))
    (tmp_path / "game.deals").write_text(f"{deal}\n", encoding="utf-8")
    options = ["--players", "random", "--seed", "1", "--seat", str(deal.leader)]
    played: list[Card] = []
    for _ in range(3):
        position = Position.of(deal).after(played)
        said = f"{next(iter(position.legal))}\nquit\n"
        done = at_table(
            tmp_path, said, str(tmp_path / "game.deals"), "--played", " ".join(map(str, played)), *options
        )
        assert "goes on with" in done.stdout and "--played" in done.stdout
        before, (kept, played) = played, saved(tmp_path)
        assert kept == deal and played[: len(before)] == before and len(played) > len(before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_game_that_is_interrupted_is_saved_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def interrupted(prompt: str = "") -> str:
        signal.raise_signal(number)
        raise AssertionError("the signal interrupts")

    monkeypatch.setattr("builtins.input", interrupted)
    options = ["--seed", "3", "--players", "random", "--save", str(tmp_path / "game")]
    done = CliRunner().invoke(main, ["play", *options])
    assert done.exit_code == 130
    assert "Traceback" not in done.output
    deal, cards = saved(tmp_path)
    assert len(cards) == (0 - deal.leader) % 4 > 0


def test_cards_are_taken_back_only_where_that_was_agreed(tmp_path: Path) -> None:
    deal = "3x3; 0; B1 B2 G1 | B3 G2 P1 | G3 P2 P3; fixed P3:2"
    (tmp_path / "in.deals").write_text(deal + "\n", encoding="utf-8")
    options = [str(tmp_path / "in.deals"), "--players", "solver-open"]
    refused = at_table(tmp_path, "G1\nundo\n", *options)
    assert "--undo" in refused.stdout
    assert saved(tmp_path)[1][0] == Card.parse("G1")
    agreed = at_table(tmp_path, "undo\nB2\nundo\nB1\n", *options, "--undo")
    assert "no card yet" in agreed.stdout
    assert saved(tmp_path)[1][0] == Card.parse("B1")


def test_a_hint_rates_every_legal_card_and_the_truth_is_for_open_hands(tmp_path: Path) -> None:
    options = ["--seed", "3", "--players", "random", "--seat", "3", "--tasks", "2"]
    closed = at_table(tmp_path, "hint\n", *options)
    assert closed.exit_code == 0, closed.output
    deal = Deal.parse((tmp_path / "game.deals").read_text(encoding="utf-8"))
    table = closed.stdout.partition("can be won")[2]
    assert all(f"{card} " in table for card in deal.hands[3])
    assert "winnable" not in table.partition("drawn deals")[0]
    hidden = [card for seat in (0, 1, 2) for card in deal.hands[seat] if card not in deal.tasks.cards]
    assert not any(f"{card} " in closed.stdout for card in hidden)
    opened = at_table(tmp_path, "hint\n", *options, "--open")
    assert "open hands" in opened.stdout and "winnable" in opened.stdout
    assert all(f"{card}" in opened.stdout for card in hidden)


@pytest.mark.parametrize("index", range(6))
def test_the_first_opinion_is_the_solvers_choice(index: int) -> None:
    agent = HiddenSolver(worlds=6, playouts=20)
    position = Position.of(random_deal(Deck.parse("4x9+4"), seats=4, tasks=4, key=(20, index)))
    for _ in range(3 * index):
        position = position.play(next(iter(position.legal)))
    sight = Sight(View.of(position, position.seat))
    opinions = agent.opinions(sight, Stream(1, index))
    assert opinions[0].card == agent.choose_card(sight, Stream(1, index))
    assert {opinion.card for opinion in opinions} == set(position.legal)
    assert all(0 <= opinion.winnable <= 1 and 0 <= opinion.won <= 1 for opinion in opinions)


def test_the_first_task_opinion_is_the_solvers_choice() -> None:
    seen = []

    class Watching(HiddenSolverTasks):
        def choose_task(self, offer, stream):  # type: ignore[no-untyped-def]
            opinions = self.opinions(offer, Stream(7))
            assert opinions[0][0] == super().choose_task(offer, Stream(7)) or len(offer.untaken) == 1
            seen.append(len(opinions))
            return opinions[-1][0]

    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=5, free=True, key=(21, 0))
    player = get_player("random")
    players = [type(player)("watching", Watching(worlds=6), player.cards)] * 4
    play_game(deal, players, (1,))
    assert seen == [5, 4, 3, 2, 1]


def test_a_game_taken_back_goes_the_same_way_again() -> None:
    deal = random_deal(Deck.parse("3x4+2"), seats=3, tasks=3, key=(8, 0))
    players = seat_players(
        "random,smart:playouts=5", 3, person=1, ask=lambda offer: next(iter(offer.untaken))
    )
    sitting = Sitting.begin(deal, players, person=1, key=(3,))
    while not sitting.asks:
        sitting = sitting.play(sitting.answered())
    before, card = sitting, next(iter(sitting.position.legal))

    def onward(sitting: Sitting) -> Sitting:
        sitting = sitting.play(card)
        while not (sitting.asks or sitting.over):
            sitting = sitting.play(sitting.answered())
        return sitting

    after = onward(sitting)
    assert after.taken_back() == before
    assert onward(before) == after
    assert before.taken_back() is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seat", "4"], "seats 0 to 3"),
        (["--players", "random,random"], "give one for all, or 3"),
        (["--players", "rndom"], "random"),
        (["--tasks", "37"], "37 tasks"),
        (["--played", "B1"], "file"),
        (["-"], "stdin"),
        (["--deck", "4y9"], "deck"),
    ],
)
def test_a_wrong_table_is_bad_usage(tmp_path: Path, options: list[str], words: str) -> None:
    done = at_table(tmp_path, "", *options)
    assert done.exit_code == 2
    assert words in done.output
    assert not (tmp_path / "game.deals").exists()


def test_a_saved_game_is_not_overwritten_unless_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert CliRunner().invoke(main, ["play", *SMALL], input="").exit_code == 0
    assert sorted(path.name for path in tmp_path.glob("*.deals")) == ["game-4-2.deals", "game-4.deals"]


def test_a_person_needs_a_seat() -> None:
    with pytest.raises(CrewError, match="seats 0 to 2"):
        seat_players("random", 3, person=3, ask=lambda offer: next(iter(offer.untaken)))
