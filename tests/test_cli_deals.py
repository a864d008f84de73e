"""The commands deal, show, convert, replay and perft, as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crewsolve import __version__
from crewsolve.cards import Deck
from crewsolve.cli import COMMANDS, main
from crewsolve.deal import Deal, random_deals
from crewsolve.notation import FORMATS, load, loads, scan_text
from crewsolve.playout import Playout

EXAMPLES = Path(__file__).parents[1] / "examples"
RESCUE = str(EXAMPLES / "rescue.toml")
PLAYOUT = str(EXAMPLES / "rescue.playout")
LINE = "2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:3 G1:0"


def crewsolve(*arguments: str, text: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments, input=text)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_version() -> None:
    assert crewsolve("--version").output == f"crewsolve, version {__version__}\n"


@pytest.mark.parametrize("command", ["deal", "show", "convert", "replay", "perft"])
def test_every_command_has_help_for_every_option(command: str) -> None:
    assert command in COMMANDS
    assert "Usage: main " + command in crewsolve(command, "--help").output
    assert command in crewsolve("--help").output


def test_an_unknown_command_names_the_nearest() -> None:
    assert "unknown command 'shwo'; did you mean 'show'?" in crewsolve("shwo", code=2).output


def test_deal_prints_the_deals_of_the_seed() -> None:
    size = ("--deck", "3x4+2", "--seats", "3", "--tasks", "4")
    output = crewsolve("deal", *size, "--count", "3", "--seed", "5").stdout
    made = list(random_deals(Deck.parse("3x4+2"), seats=3, tasks=4, seed=5, count=3))
    assert [record.get() for record in scan_text(output)] == made
    assert [record.name for record in scan_text(output)] == ["5-0", "5-1", "5-2"]


def test_deal_can_start_anywhere_in_a_seed() -> None:
    five = crewsolve("deal", "--count", "5").stdout.splitlines()
    assert crewsolve("deal", "--start", "3", "--count", "2").stdout.splitlines() == five[3:]


@pytest.mark.parametrize("format", FORMATS)
def test_deal_writes_every_format(format: str) -> None:
    deal = loads(crewsolve("deal", "--seed", "2", "--format", format).stdout)
    assert deal == loads(crewsolve("deal", "--seed", "2").stdout)


def test_deal_options_do_what_they_say() -> None:
    free = loads(crewsolve("deal", "--free", "--tasks", "3", "--rules", "trumps_anytime").stdout)
    assert free.tasks.is_free and len(free.tasks) == 3 and free.rules.trumps_anytime
    leaders = crewsolve("deal", "--deck", "4x9", "--leader", "first", "--count", "9").stdout
    assert {record.get().leader for record in scan_text(leaders)} == {0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deck", "4*9"], "is no deck"),
        (["--seats", "41"], "41 seats cannot share the 40 cards"),
        (["--tasks", "37"], "37 tasks on the 36 colour cards"),
        (["--seed", "-1"], "--seed"),
        (["--leader", "holder", "--deck", "4x9"], "has no rockets"),
        (["--format", "toml", "--count", "2"], "holds one deal to a file"),
        (["--rules", "nope"], "unknown rule 'nope'"),
        (["--deck", "9x9"], "at most 63"),
    ],
)
def test_deal_refuses_what_cannot_be_dealt(arguments: list[str], message: str) -> None:
    assert message in crewsolve("deal", *arguments, code=2).output


def test_show_draws_hands_tasks_and_leader() -> None:
    lines = crewsolve("show", RESCUE).stdout.splitlines()
    assert lines[0] == "rescue   deck 4x9+4, 4 seats, 10 tricks"
    kate = next(line for line in lines if "Kate" in line)
    assert kate.split() == ["▶", "2", "Kate", "1", "8", "9", "3", "5", "3", "4*", "8", "9*", "4", "B3", "P6"]


def test_show_takes_stdin_played_and_free() -> None:
    output = crewsolve("show", "-", "--free", "--played", "G3 B1", text=LINE).stdout
    assert "<stdin>:1   deck 2x3+2" in output
    assert "played: G3 B1" in output and "free tasks: B2 G1" in output and "1 (has 0)" in output


def test_show_goes_on_after_a_bad_deal() -> None:
    result = crewsolve("show", "-", text=f"a; {LINE}\nbad\nb; {LINE}\n", code=1)
    assert "a   deck" in result.stdout and "b   deck" in result.stdout
    assert (
        result.stderr
        == "Error: <stdin>:2: a deal line needs deck; leader; hands; tasks, separated by semicolons\n"
    )


def test_show_json_has_an_object_for_every_deal() -> None:
    output = crewsolve("show", "-", "--json", text=f"{LINE}\nbad\n", code=1).stdout
    good, bad = map(json.loads, output.splitlines())
    assert good["name"] == "<stdin>:1" and good["tasks"] == {"fixed": {"B2": 3, "G1": 0}}
    assert set(bad) == {"name", "error", "file", "line"} and bad["line"] == 2


def test_no_colour_codes_reach_a_pipe() -> None:
    assert "\x1b" not in crewsolve("show", RESCUE).stdout


def test_played_cards_must_be_legal() -> None:
    result = crewsolve("show", "-", "--played", "B1", text=LINE, code=1)
    assert "<stdin>:1: --played: trick 1, seat 3: B1 is in the hand of seat 0" in result.stderr


def test_complete_refuses_a_missing_card() -> None:
    result = crewsolve("show", "-", "--complete", text="2x3; 0; B1 | B2; fixed", code=1)
    assert "nobody holds B3 G1 G2 G3" in result.stderr


@pytest.mark.parametrize("format", FORMATS)
def test_convert_keeps_the_deal(format: str, tmp_path: Path) -> None:
    out = tmp_path / f"out.{format}"
    crewsolve("convert", RESCUE, "--to", format, "-o", str(out))
    assert load(out) == load(RESCUE)
    assert loads(crewsolve("convert", RESCUE, "--to", format).stdout) == load(RESCUE)


def test_convert_takes_the_format_from_the_ending_and_frees_tasks(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    crewsolve("convert", RESCUE, "-o", str(out), "--free")
    assert load(out) == load(RESCUE).freed()
    assert "say the format with --to" in crewsolve("convert", RESCUE, code=2).output


def test_convert_leaves_the_old_file_when_it_fails(tmp_path: Path) -> None:
    out = tmp_path / "out.game"
    out.write_text("old")
    result = crewsolve("convert", RESCUE, "-o", str(out), "--free", code=1)
    assert ".game files hold fixed tasks only" in result.stderr
    assert out.read_text() == "old" and list(tmp_path.iterdir()) == [out]


def test_convert_reads_other_bases() -> None:
    game = "2 0 2\n[1,1] [1,3]\n[1,2] [0,1]\n"
    zero = loads(crewsolve("convert", "-", "--to", "line", "--base", "0", text=game).stdout)
    assert zero == Deal.parse("1x4+2; 0; B2 B4 | B3 R2; fixed")


def test_replay_shows_tricks_winners_tasks_and_verdict() -> None:
    lines = crewsolve("replay", RESCUE, PLAYOUT).stdout.splitlines()
    assert lines[10].split() == ["9", "P9", "▶G4", "P4", "R1", "3", "Mae", "P4✓", "P9✓"]
    assert lines[-1] == "won: all tasks done by trick 9"


def test_replay_reads_either_file_from_stdin() -> None:
    assert "won" in crewsolve("replay", "-", PLAYOUT, text=Path(RESCUE).read_text()).stdout
    assert "won" in crewsolve("replay", RESCUE, "-", text=Path(PLAYOUT).read_text()).stdout
    assert "only once" in crewsolve("replay", "-", "-", code=2).output


@pytest.mark.parametrize(
    ("plays", "verdict", "reason"),
    [
        ("R2 B2 G1 R1", "open", "the playout ends before this is done: seat 0 wins G1"),
        ("R2 B2 G2 R1 | G3 B1 G1 B3", "lost", "trick 2: seat 3 wins G1, which is a task of seat 0"),
        ("G3 B1 G1 B3", "lost", "trick 1: seat 3 wins G1, which is a task of seat 0"),
    ],
)
def test_replay_tells_how_a_playout_fails(plays: str, verdict: str, reason: str, tmp_path: Path) -> None:
    deal = tmp_path / "deal"
    deal.write_text(LINE if verdict != "open" else LINE.replace("G1:0", "G3:0"))
    reason = reason if verdict != "open" else reason.replace("G1", "G3")
    assert crewsolve("replay", str(deal), "-", text=plays).stdout.splitlines()[-1] == f"{verdict}: {reason}"
    answer = json.loads(crewsolve("replay", str(deal), "-", "--json", text=plays).stdout)
    assert (answer["verdict"], answer["reason"]) == (verdict, reason)


def test_replay_shows_the_play_up_to_an_illegal_card(tmp_path: Path) -> None:
    deal = tmp_path / "deal"
    deal.write_text(LINE)
    result = crewsolve("replay", str(deal), "-", text="R2 B2 G2 B3", code=1)
    assert "trick 1, seat 2: B3 does not follow the led suit; seat 2 must play one of R1" in result.stderr
    assert "▶R2" in result.stdout


def test_replay_json_can_be_replayed() -> None:
    answer = json.loads(crewsolve("replay", RESCUE, PLAYOUT, "--json").stdout)
    plays = json.dumps({"plays": [trick["cards"] for trick in answer["tricks"]]})
    assert crewsolve("replay", RESCUE, "-", "--json", text=plays).stdout == json.dumps(answer) + "\n"
    assert answer["tasks"] == {"B3": 2, "G6": 0, "P4": 3, "P6": 2, "P9": 3, "Y9": 1}


def test_replay_must_start_with_the_cards_played() -> None:
    result = crewsolve("replay", RESCUE, PLAYOUT, "--played", "R4", code=1)
    assert "card 1 is Y8, but the deal says R4 was played" in result.stderr
    assert "won" in crewsolve("replay", RESCUE, PLAYOUT, "--played", "Y8 Y2").stdout


def test_perft_prints_the_split_and_the_sum() -> None:
    assert crewsolve("perft", "-", "--depth", "4", text=LINE).stdout == "  G3  8\n  R2  4\nperft 4: 12\n"
    answer = json.loads(crewsolve("perft", "-", "--depth", "4", "--json", text=LINE).stdout)
    assert (answer["perft"], answer["split"], answer["depth"]) == (12, {"G3": 8, "R2": 4}, 4)
    assert crewsolve("perft", "-", "--depth", "0", text=LINE).stdout == "perft 0: 1\n"


def test_perft_counts_from_the_cards_played() -> None:
    output = crewsolve("perft", "-", "--depth", "3", "--played", "R2", text=LINE).stdout
    assert output == "  B1 2\n  B2 2\nperft 3: 4\n"


def test_one_deal_commands_refuse_a_second() -> None:
    result = crewsolve("perft", "-", "--depth", "1", text=f"{LINE}\n{LINE}\n", code=1)
    assert "<stdin>:2: a second deal where one is expected" in result.stderr


def test_a_playout_prints_as_it_reads() -> None:
    text = Path(PLAYOUT).read_text().split("\n", 1)[1]
    assert str(Playout.parse(text, seats=4)) == " ".join(text.split())


def in_a_shell(script: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    launch = f"crewsolve() {{ '{sys.executable}' -m crewsolve \"$@\"; }}; {script}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", launch],
        cwd=EXAMPLES.parent,
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)} | environment,
        capture_output=True,
    )


def test_a_terminal_without_our_signs_still_gets_a_picture() -> None:
    done = in_a_shell("crewsolve show examples/rescue.toml", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and b"? " in done.stdout and b"Kate" in done.stdout


def test_a_name_that_is_no_text_is_told_all_the_same() -> None:
    done = in_a_shell("crewsolve show $'\\xff.toml'")
    assert done.returncode == 1 and done.stderr.endswith(b"cannot be read: No such file or directory\n")


@pytest.mark.parametrize("command", ["deal --count 5000", "deal --count 500 | crewsolve show -"])
def test_a_reader_that_leaves_early_gets_no_traceback(command: str) -> None:
    done = in_a_shell(f"crewsolve {command} | head -n 1")
    assert done.stdout.count(b"\n") == 1 and b"Traceback" not in done.stderr
