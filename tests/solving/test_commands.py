from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from crewsolve import Card, Deal, Playout, verify
from crewsolve.cli import main
from crewsolve.encodings import METHODS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
STREAM = """\
one; 1x4; 0; B1 B2 | B3 B4; fixed B1:1
1x4; 0; B1 B2 | B3 B4; fixed B1:0
three; 1x4; 0; B1 B2 | B3 B3; fixed B1:1
four; 2x2; 1; B1 G2 | B2 G1; free B1 G1 / 1,1
"""
ANSWER_KEYS = [
    "name", "deal", "verdict", "plays", "tasks", "method", "decided_by", "reason", "proof", "seconds"
]  # fmt: skip


def run(*arguments, stdin="", code=0):
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=stdin, env={"COLUMNS": "100"})
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "some.deals"
    path.write_text(STREAM)
    return path


@pytest.fixture
def deal_file(tmp_path):
    def write(line: str) -> Path:
        path = tmp_path / "one.deal"
        path.write_text(line + "\n")
        return path

    return write


@pytest.mark.parametrize("workers", [1, 2])
def test_solve_answers_every_deal_in_order_and_a_bad_one_in_its_place(stream, workers):
    output = run("solve", stream, "--json", "--workers", workers, code=1).stdout
    one, two, three, four = map(json.loads, output.splitlines())
    assert list(one) == list(two) == list(four) == ANSWER_KEYS
    assert (one["name"], two["name"], four["name"]) == ("one", f"{stream}:2", "four")
    assert [answer["verdict"] for answer in (one, two)] == ["winnable", "unwinnable"]
    assert three == {
        "name": f"{stream}:3",
        "error": f"{stream}:3: card B3 is listed twice",
        "file": str(stream),
        "line": 3,
    }
    assert (two["plays"], two["tasks"], two["proof"]) == (None, {}, "none")
    cards = [Card.parse(card) for trick in one["plays"] for card in trick]
    deal = Deal.parse(one["deal"])
    assert {str(card): seat for card, seat in verify(deal, cards).achieved().items()} == one["tasks"]


def test_solve_draws_the_play_and_says_who_wins_what():
    output = run("solve", EXAMPLES / "classic.toml", "--method", "cnf:binomial").stdout
    head, *picture, last = output.splitlines()
    assert head == "classic: winnable (cnf:binomial, decided by sat)"
    assert [line for line in picture if "B2✓" in line and line.split()[0] == "1"]
    assert last == "0 West wins B2; 1 North wins G1"


def test_solve_tells_bad_deals_on_stderr_and_goes_on(stream):
    result = run("solve", stream, code=1)
    assert result.stderr == f"Error: {stream}:3: card B3 is listed twice\n"
    assert "four: " in result.stdout


@pytest.mark.parametrize(
    ("tasks", "extra", "code"),
    [
        ("fixed B1:1", [], 10),
        ("fixed B1:0", [], 20),
        ("fixed B1:1", ["--time-limit", "0", "--method", "cnf:seqcounter"], 0),
    ],
)
def test_exit_codes_are_those_of_sat_solvers(deal_file, tasks, extra, code):
    run("solve", deal_file(f"1x4; 0; B1 B2 | B3 B4; {tasks}"), "--exit-code", *extra, code=code)


def test_without_exit_code_every_answer_is_a_success(deal_file):
    run("solve", deal_file("1x4; 0; B1 B2 | B3 B4; fixed B1:0"))


def test_exit_code_is_for_one_deal(stream):
    output = run("solve", stream, "--exit-code", code=2).stderr
    assert "--exit-code is for one deal, but there are more: one" in output


def test_a_bad_deal_with_exit_code_is_bad_data(deal_file):
    run("solve", deal_file("1x4; 0; B1 B2 | B3 B3; fixed B1:0"), "--exit-code", code=1)


def test_solve_reads_stdin_and_makes_tasks_free():
    deal = "2x3; 0; B2 G1 G3 | B1 B3 G2; fixed G1:0 G2:1"
    fixed = json.loads(run("solve", "-", "--json", stdin=deal).stdout)
    free = json.loads(run("solve", "-", "--json", "--free", stdin=deal).stdout)
    assert fixed["verdict"] == "unwinnable" and fixed["name"] == "<stdin>:1"
    assert "free G1 G2 / 1,1" in free["deal"]


def test_solve_goes_on_from_the_cards_played():
    deal = "2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2"
    answer = json.loads(run("solve", "-", "--json", "--played", "G3 B1", stdin=deal).stdout)
    assert answer["verdict"] == "unwinnable"
    answer = json.loads(run("solve", "-", "--json", "--played", "G3 B2", stdin=deal).stdout)
    assert answer["plays"][0][:2] == ["G3", "B2"]
    bad = json.loads(run("solve", "-", "--json", "--played", "B2", stdin=deal, code=1).stdout)
    assert "B2 is in the hand of seat 0" in bad["error"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "cnf:binomal"], "did you mean 'cnf:binomial'?; known: "),
        (["--method", "cnf:binomial", "--sat", "cadica195"], "did you mean 'cadical195'?; known: "),
        (["--method", "cpsat", "--sat", "cadical195"], "brings its own solver"),
        (["--time-limit", "-1"], "-1.0 is not in the range x>=0"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "analyse", "explain", "lines"])
def test_wrong_usage_names_the_remedy(command, arguments, message):
    result = run(command, EXAMPLES / "classic.toml", *arguments, code=2)
    assert message in " ".join(result.stderr.split())


def test_there_is_at_least_one_worker():
    run("solve", EXAMPLES / "classic.toml", "--workers", "0", code=2)


def test_methods_lists_every_method_and_solver_with_its_abilities():
    found = json.loads(run("methods", "--json").stdout)
    assert [row["name"] for row in found["methods"]] == list(METHODS)
    solvers = {row["name"]: row for row in found["solvers"]}
    assert solvers["cadical195"]["proof"] and solvers["cadical195"]["default"]
    assert not solvers["minisat22"]["proof"] and solvers["minicard"]["native"]
    assert {row["limit"] for row in found["solvers"]} <= {"interrupt", "slices", "process"}
    ways = {row["name"]: row for row in found["methods"] if not row["name"].startswith("test:")}
    assert ways["search"]["limit"] == "slices" and ways["cpsat"]["limit"] == "interrupt"
    for row in ways.values():
        assert row["limit"] and {solvers[name]["limit"] for name in row["sat"]} <= set(row["limit"].split())
    assert "slices" in ways["auto"]["limit"].split() and len(ways["auto"]["sat"]) == 3
    text = run("methods").stdout
    assert all(name in text for name in [*METHODS, *solvers])


def test_analyse_gives_card_and_verdict():
    deal = "2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2"
    assert json.loads(run("analyse", "-", "--json", stdin=deal).stdout) == {
        "G3": "winnable",
        "R2": "unwinnable",
    }
    table = run("analyse", "-", "--played", "G3", stdin=deal).stdout.splitlines()
    assert table[0] == "-: trick 1, seat 0 to play"
    assert [line.split()[:2] for line in table[3:]] == [["B1", "unwinnable"], ["B2", "winnable"]]


def test_analyse_after_the_last_trick_says_so():
    played = "G3 B2 G1 R1 B3 R2 B1 G2"
    deal = f"over; 2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2; played {played}"
    assert run("analyse", "-", stdin=deal).stdout == "over: the play is over\n"
    assert run("analyse", "-", "--json", stdin=deal).stdout == "{}\n"


@pytest.mark.parametrize(
    ("playout", "finding", "words"),
    [
        ("G3 B1 G1", "mistake", "trick 1, seat 0: B1 lost a deal that could be won"),
        ("G3 B2 G1 R1", "won", "the playout wins"),
        ("G3 B2 G1", "open", "the playout ends while the deal can still be won"),
    ],
)
def test_review_names_the_card_that_lost(tmp_path, playout, finding, words):
    deal = "2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2"
    file = tmp_path / "some.playout"
    file.write_text(playout)
    assert run("review", "-", file, stdin=deal).stdout.splitlines()[0] == words
    answer = json.loads(run("review", "-", file, "--json", stdin=deal).stdout)
    assert answer["finding"] == finding
    if finding == "mistake":
        assert (answer["card"], answer["seat"], answer["trick"]) == ("B1", 0, 0)
        assert answer["cards"] == {"B1": "unwinnable", "B2": "winnable"}
        assert "this would have kept it: B2" in run("review", "-", file, stdin=deal).stdout
        verify(Deal.parse(deal), [Card.parse(card) for trick in answer["line"] for card in trick])


def test_review_of_a_hopeless_deal_blames_nobody(tmp_path):
    file = tmp_path / "some.playout"
    file.write_text("B1 B3")
    deal = "1x4; 0; B1 B2 | B3 B4; fixed B1:0"
    output = run("review", "-", file, stdin=deal).stdout
    assert output == "the deal could not be won from the start\n"


def test_review_refuses_an_illegal_playout(tmp_path):
    file = tmp_path / "some.playout"
    file.write_text("B3")
    output = run("review", "-", file, stdin="1x4; 0; B1 B2 | B3 B4; fixed B1:0", code=1).stderr
    assert "trick 1, seat 0: B3 is in the hand of seat 1" in output


def test_explain_says_why_in_words():
    deal = "pair; 2x3; 0; B2 G1 G3 | B1 B3 G2; fixed G1:0 G2:1"
    head, why, most, *_ = run("explain", "-", stdin=deal).stdout.splitlines()
    assert head == "pair: unwinnable"
    assert why.startswith("no line lets seat 0 win G1 and seat 1 win G2 (checked by ")
    assert most in (
        "at most 1 of 2 tasks can be met, all but G1",
        "at most 1 of 2 tasks can be met, all but G2",
    )
    answer = json.loads(run("explain", "-", "--json", "--all", stdin=deal).stdout)
    assert [core["tasks"] for core in answer["cores"]] == [{"G1": 0, "G2": 1}]
    assert answer["fewest"] and answer["every"] and answer["most_proved"]
    assert answer["cores"][0]["checked_by"] in METHODS


def test_explain_marks_what_a_limit_leaves_open():
    deal = "1x4; 0; B1 B2 | B3 B4; fixed B1:0"
    answer = json.loads(run("explain", "-", "--json", "--time-limit", "0", stdin=deal).stdout)
    assert answer["verdict"] == "unknown"
    assert not (answer["fewest"] or answer["every"] or answer["most_proved"])


def test_explain_refuses_a_method_that_checks_itself():
    deal = "1x4; 0; B1 B2 | B3 B4; fixed B1:0"
    run("explain", "-", "--method", "cpsat", "--check", "cpsat", stdin=deal, code=1)


def test_lines_counts_lists_and_knows_the_only_one():
    deal = "few; 2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:2 G3:2"
    head, *lines = run("lines", "-", "--list", stdin=deal).stdout.splitlines()
    assert head == "few: 2 winning playouts"
    for line in lines:
        verify(Deal.parse(deal), Playout.parse(line, seats=4))
    assert len(set(lines)) == 2
    answer = json.loads(run("lines", "-", "--json", "--played", "G3 B2 G1", stdin=deal).stdout)
    assert (answer["count"], answer["exact"], answer["unique"]) == (1, True, True)
    assert (
        run("lines", "-", "--played", "G3 B2 G1", stdin=deal).stdout
        == "few: 1 winning playout: it is unique\n"
    )
    assert run("lines", "-", "--played", "G3 B1", stdin=deal).stdout == "few: no winning playout\n"


def test_lines_beyond_counting_are_at_least_the_limit():
    answer = json.loads(run("lines", EXAMPLES / "rescue.toml", "--limit", "5", "--json").stdout)
    assert answer["count"] > 5 and not answer["exact"] and answer["unique"] is False


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc")
def test_ctrl_c_ends_solve_with_workers_and_leaves_no_process(tmp_path):
    deals = tmp_path / "many.deals"
    line = "4x9+4; 2; B2 B3 B6 B7 G2 G9 P5 P8 P9 Y7 | B5 G1 G4 G7 Y1 Y3 Y5 Y6 R2 R3 | "
    line += (
        "B1 B8 B9 G3 G5 P3 P4 Y8 Y9 R4 | B4 G6 G8 P1 P2 P6 P7 Y2 Y4 R1; fixed B3:2 P6:2 P4:3 P9:3 G6:0 Y9:1\n"
    )
    deals.write_text(line * 20_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "crewsolve", "solve", str(deals), "--json", "--workers", "2"],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["verdict"] == "winnable"
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.strip() == "Aborted!"
    end = time.monotonic() + 10
    while _group(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert _group(process.pid) == []


def _group(session: int) -> list[int]:
    """The processes of a session that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("method", ["cnf:seqcounter", "cnf:native", "cpsat", "test:brute"])
def test_a_loss_by_any_method_gets_a_proof_that_check_accepts(deal_file, tmp_path, method):
    deal = deal_file("2x3; 0; B2 G1 G3 | B1 B3 G2; fixed G1:0 G2:1")
    stem = tmp_path / "loss"
    answer = json.loads(run("solve", deal, "--proof", stem, "--method", method, "--json").stdout)
    assert (answer["verdict"], answer["proof"], answer["method"]) == ("unwinnable", "checked", method)
    assert stem.with_suffix(".cnf").exists()
    run("check", deal, stem.with_suffix(".drat"))


def test_a_won_deal_has_no_proof(deal_file, tmp_path):
    stem = tmp_path / "win"
    answer = json.loads(
        run("solve", deal_file("1x4; 0; B1 B2 | B3 B4; fixed B1:1"), "--proof", stem, "--json").stdout
    )
    assert (answer["verdict"], answer["proof"]) == ("winnable", "none")
    assert list(tmp_path.glob("win*")) == []


def test_a_proof_is_told_where_it_is_and_is_for_one_deal(stream, deal_file, tmp_path):
    run("solve", stream, "--proof", tmp_path / "x", code=2)
    deal = deal_file("1x4; 0; B1 B2 | B3 B4; fixed B1:0")
    output = run("solve", deal, "--proof", tmp_path / "x").stdout
    assert f"proof: checked, in {tmp_path / 'x'}.cnf and {tmp_path / 'x'}.drat" in output.splitlines()


def test_a_proof_needs_a_solver_that_gives_one_and_a_place_to_write(deal_file, tmp_path):
    deal = deal_file("1x4; 0; B1 B2 | B3 B4; fixed B1:0")
    words = ("--method", "cnf:binomial", "--sat", "minisat22", "--json")
    bad = json.loads(run("solve", deal, "--proof", tmp_path / "x", *words, code=1).stdout)
    assert "cannot give proofs; these can: " in bad["error"] and "cadical195" in bad["error"]
    bad = json.loads(run("solve", deal, "--proof", tmp_path / "no" / "x", "--json", code=1).stdout)
    assert "cannot be written: No such file or directory" in bad["error"]


def test_a_loss_without_a_proof_in_time_says_so(monkeypatch, deal_file, tmp_path):
    """The method is quick and the proof is not: the verdict stays, without a proof."""
    from crewsolve.encodings import certificates

    monkeypatch.setattr(certificates, "prove", lambda *_, **__: None)
    deal = deal_file("1x4; 0; B1 B2 | B3 B4; fixed B1:0")
    output = run("solve", deal, "--proof", tmp_path / "x", "--time-limit", "60").stdout
    assert "unwinnable" in output and "proof: none within the limit" in output


def test_a_loss_that_sat_cannot_confirm_is_a_bug(tmp_path):
    from crewsolve import solve
    from crewsolve.errors import Disagreement

    deal = Deal.parse("1x4; 0; B1 B2 | B3 B4; fixed B1:1")
    with pytest.raises(Disagreement, match="test:contrary calls this unwinnable"):
        solve(deal, method="test:contrary", proof=tmp_path / "x")
