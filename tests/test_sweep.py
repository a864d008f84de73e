"""Sweeps against exhaustive play, deduplicated and coupled sweeps against plain counting."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crewsolve.cards import Deck
from crewsolve.cli import main
from crewsolve.errors import CrewError
from crewsolve.experiments import Row, Store, get_executor, open_store, read_store, run_in
from crewsolve.experiments.curves import compare, points, read_curve
from crewsolve.experiments.deciding import Effort
from crewsolve.experiments.plot import plot_curves
from crewsolve.experiments.published import DEALS, published_curve
from crewsolve.experiments.statistics import fisher
from crewsolve.experiments.sweep import COUPLED_CELL, Sweep
from tests.naive import winnable

METHOD = "cnf:lean"  # starts sooner than what needs compiled kernels
EFFORT = Effort("auto")
SMALL = Deck.parse("2x3+2")


def swept(sweep: Sweep, *, tasks: range, deals: int, dedupe: bool = False, effort: Effort = EFFORT) -> Store:
    """A small sweep in memory."""
    experiment = sweep.experiment(tasks=tasks, deals=deals, seed=7, effort=effort, dedupe=dedupe)
    return run_in(None, experiment, executor=get_executor("in-process"))


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("method", ["auto", "search", "cnf:lean"])
def test_a_sweep_counts_what_exhaustive_play_finds(free: bool, method: str) -> None:
    sweep = Sweep(SMALL, 3, free)
    with swept(sweep, tasks=range(1, 5), deals=12, effort=Effort(method)) as store:
        for point in points(store):
            deals = [sweep.deal(7, point.tasks, number, tasks=point.tasks) for number in range(12)]
            assert point.winnable == sum(map(winnable, deals))
            assert (point.deals, point.unknown) == (12, 0)


def test_cells_share_no_deal_and_free_sweeps_ask_about_the_same_cards() -> None:
    fixed, free = Sweep(SMALL, 3), Sweep(SMALL, 3, free=True)
    assert fixed.deal(7, 2, 5, tasks=2).freed() == free.deal(7, 2, 5, tasks=2)
    hands = {fixed.deal(7, tasks, number, tasks=tasks).hands for tasks in (1, 2) for number in range(40)}
    assert len(hands) > 60, "cells have deals of their own"


@pytest.mark.parametrize("chunk", [1, 7, 40])
def test_which_deals_stay_unknown_does_not_depend_on_the_chunks(chunk: int) -> None:
    effort = Effort("auto", nodes=150, conflicts=5)
    stores = []
    for size in (chunk, 17):
        experiment = Sweep(Deck.parse("4x9+4"), 4).experiment(tasks=[10, 16], deals=40, seed=7, effort=effort)
        with run_in(None, experiment, executor=get_executor("in-process"), chunk=size) as store:
            stores.append([list(store.rows(cell)) for cell, _ in store.cells()])
    assert stores[0] == stores[1]
    assert {row.value for rows in stores[0] for row in rows} == {"winnable", "unwinnable", "unknown"}


def test_deduplicated_deals_are_solved_once_and_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from crewsolve.experiments import sweep as module

    solved: list[str] = []
    decide = module.decide

    def counted(deals: list[object], effort: Effort) -> object:
        solved.extend(map(str, deals))
        return decide(deals, effort)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "decide", counted)
    tiny, search = Sweep(Deck.parse("2x2"), 2), Effort("search")
    with swept(tiny, tasks=range(1, 3), deals=60, effort=search) as plain:
        assert len(solved) == 120
        solved.clear()
        with swept(tiny, tasks=range(1, 3), deals=60, effort=search, dedupe=True) as folded:
            assert points(folded) == points(plain)
            assert len(solved) == len(set(solved)) < 120


def test_a_coupled_sweep_counts_each_deals_prefixes() -> None:
    sweep = Sweep(SMALL, 3, coupled=True)
    with swept(sweep, tasks=range(1, 7), deals=10) as store:
        found = points(store)
        assert [point.tasks for point in found] == [1, 2, 3, 4, 5, 6]
        for point in found:
            deals = [sweep.deal(7, number, tasks=point.tasks) for number in range(10)]
            assert point.winnable == sum(map(winnable, deals))
        assert "rise and fall together" in " ".join(read_curve(store).notes())


def test_coupled_thresholds_keep_both_bounds_when_a_budget_ends() -> None:
    sweep, shy = Sweep(Deck.parse("3x4+2"), 3, coupled=True), Effort("search", nodes=4)
    with swept(sweep, tasks=range(1, 13), deals=12, effort=shy) as store:
        rows = list(store.rows(COUPLED_CELL))
        open_rows = [row for row in rows if not row.settled]
        assert open_rows and all(row.value["low"] < row.value["high"] for row in open_rows)
        for row in open_rows:
            assert row.note == str(sweep.deal(7, row.number, tasks=row.value["low"] + 1))
        for point in points(store):
            assert point.unwinnable == sum(row.value["high"] < point.tasks for row in rows)
            assert point.winnable == sum(row.value["low"] >= point.tasks for row in rows)
        with swept(sweep, tasks=range(1, 13), deals=12) as exact:
            for row, sure in zip(rows, exact.rows(COUPLED_CELL), strict=True):
                assert row.value["low"] <= sure.value["low"] == sure.value["high"] <= row.value["high"]


def test_impossible_sweeps_are_refused() -> None:
    with pytest.raises(CrewError, match="coupled sweep needs fixed tasks"):
        Sweep(SMALL, 3, free=True, coupled=True)
    with pytest.raises(CrewError, match="7 tasks: deck 2x3"):
        Sweep(SMALL, 3).experiment(tasks=[7], deals=1, seed=1, effort=EFFORT)
    with pytest.raises(CrewError, match="9 seats cannot share"):
        Sweep(SMALL, 9)


def filled(path: Path, *, free: bool, counts: dict[int, tuple[int, int]], deals: int = 1000) -> Path:
    """A store of the real game made from counts of winnable and unknown deals."""
    sweep = Sweep(Deck.parse("4x9+4"), 4, free)
    experiment = sweep.experiment(tasks=counts, deals=deals, seed=1, effort=Effort("auto"))
    with open_store(path, experiment) as store:
        store.begin(experiment, "by hand")
        for tasks, (wins, unknown) in counts.items():
            words = ["winnable"] * wins + ["unknown"] * unknown + ["unwinnable"] * (deals - wins - unknown)
            rows = [Row(number, word, word != "unknown") for number, word in enumerate(words)]
            store.add({"tasks": tasks}, [(row, "") for row in rows])
    return path


def test_published_points_are_compared_as_one_family(tmp_path: Path) -> None:
    path = filled(tmp_path / "s", free=False, counts={10: (694, 0), 12: (300, 0), 13: (350, 40)})
    with read_store(path) as store:
        curve = read_curve(store)
    compared = compare([curve])[0]
    assert compared[12].differs and compared[12].adjusted == 3 * fisher(300, 1000, 4762, DEALS)
    assert not compared[10].differs and compared[10].adjusted == 1
    assert compared[13].p > 0.9, "undecided deals may fall so that nothing is to be seen"
    assert compare([curve, curve])[0][12].adjusted == 6 * fisher(300, 1000, 4762, DEALS)


def test_nothing_is_published_for_other_deals() -> None:
    assert published_curve(Sweep(Deck.parse("4x9+4"), 4).parameters())[25] == 5
    assert max(published_curve(Sweep(Deck.parse("4x9+4"), 4, free=True).parameters())) == 25
    assert published_curve(Sweep(Deck.parse("4x9+4"), 3).parameters()) == {}
    assert published_curve(Sweep(Deck.parse("4x9"), 4).parameters()) == {}


def test_the_interval_holds_whichever_way_the_unknown_fall(tmp_path: Path) -> None:
    path = filled(tmp_path / "s", free=True, counts={34: (900, 50)})
    with read_store(path) as store:
        (point,) = points(store)
        assert point.low < 0.9 and point.high > 0.95
        (exact,) = points(store, interval="clopper-pearson")
        assert exact.low < point.low, "the exact interval is the wider one here"


def test_equal_results_give_equal_pictures(tmp_path: Path) -> None:
    curves = []
    for free, name in ((False, "fixed"), (True, "free")):
        counts = {tasks: (1000 - 20 * tasks, 5 * free) for tasks in range(1, 37)}
        with read_store(filled(tmp_path / name, free=free, counts=counts)) as store:
            curves.append(read_curve(store))
    for kind in ("svg", "png"):
        pictures = [tmp_path / f"{copy}.{kind}" for copy in (1, 2)]
        for picture in pictures:
            plot_curves(curves, picture)
        assert pictures[0].read_bytes() == pictures[1].read_bytes()
    text = (tmp_path / "1.svg").read_text()
    assert "4x9+4, 4 seats, free" in text and "de Jong 2021" in text
    with pytest.raises(CrewError, match=r"a plot is written as \.svg"):
        plot_curves(curves, tmp_path / "curve.doc")
    with pytest.raises(CrewError, match="cannot be written"):
        plot_curves(curves, tmp_path / "no folder" / "curve.svg")


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


COMMAND = ["sweep", "--deck", "2x3+2", "--seats", "3", "--method", METHOD, "--seed", "3"]


def test_every_executor_gives_the_same_store_of_a_sweep(tmp_path: Path) -> None:
    reports = {}
    for name, options in {"one": ["--workers", 1], "two": ["--workers", 2, "--chunk", 3],
                          "dask": ["--cluster", "local", "--workers", 2]}.items():  # fmt: skip
        path = tmp_path / name
        result = invoke(*COMMAND, "--tasks", "1-3,5", "--deals", 10, "--store", path, *options)
        assert result.exit_code == 0, result.output
        with read_store(path) as store:
            rows = [(cell, list(store.rows(cell))) for cell, _ in store.cells()]
        reports[name] = result.output, rows, invoke("report", path, "--csv").output
    assert reports["one"] == reports["two"] == reports["dask"]
    assert len(reports["one"][2].splitlines()) == 5


def test_a_sweep_killed_at_random_moments_gives_the_report_of_an_undisturbed_one(tmp_path: Path) -> None:
    options = ["--tasks", "1-6", "--deals", 150, "--workers", 2, "--chunk", 2]
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    expected = invoke(*COMMAND, *options, "--store", undisturbed)
    assert expected.exit_code == 0, expected.output
    command = [sys.executable, "-m", "crewsolve", *COMMAND, *map(str, options), "--store", str(killed)]
    rng, stored = random.Random(5), 0
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while stored_deals(killed) <= stored:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.002)
        time.sleep(0.02 * rng.random())
        process.send_signal(signal.SIGKILL)
        process.wait()
        before, stored = stored, stored_deals(killed)
        assert before < stored < 900, "a part is stored, and more of it each time"
    resumed = invoke(*COMMAND, *options, "--store", killed)
    assert resumed.output == expected.output
    for form in ([], ["--csv"], ["--json"]):
        assert (
            invoke("report", killed, *form).stdout_bytes == invoke("report", undisturbed, *form).stdout_bytes
        )


def stored_deals(path: Path) -> int:
    """How many deals a store holds; none while it is being made."""
    if not path.exists() or not path.stat().st_size:
        return 0
    with read_store(path) as store:
        return sum(sum(store.tally(cell).values()) for cell, _ in store.cells())


def test_the_same_store_is_extended_and_another_sweep_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    base = ["--store", path, "--workers", 1]
    assert invoke(*COMMAND, "--tasks", "1", "--deals", 3, *base).exit_code == 0
    extended = invoke(*COMMAND, "--tasks", "1-2", "--deals", 5, *base, "--json")
    assert extended.output.count('"deals": 5') == 2
    content = path.read_bytes()
    for option, word in {
        "--free": "its free is false, not true",
        "--deck=2x3": "its deck is 2x3+2, not 2x3; its leader is holder, not drawn",
        "--seats=2": "its seats is 3, not 2",
        "--seed=4": "its seed is 3, not 4",
        "--leader=first": "its leader is holder, not first",
        "--rules=trumps_anytime": "rules is",
        "--coupled": "its coupled is false, not true",
    }.items():
        refused = invoke(*COMMAND, "--deals", 5, *base, option)
        assert refused.exit_code == 1 and word in refused.output, refused.output
    assert path.read_bytes() == content


def test_undecided_deals_are_reported_both_ways_and_retried(tmp_path: Path) -> None:
    path = tmp_path / "s"
    command = ["sweep", "--deck", "3x4+2", "--seats", "3", "--tasks", "5", "--deals", "8", "--workers", 1]
    command += ["--store", str(path)]
    shy = invoke(*command, "--method", "search", "--nodes", 3, "--json")
    assert shy.exit_code == 0, shy.output
    unknown = int(re.findall(r'"unknown": (\d+)', shy.output)[0])
    assert 0 < unknown <= 8
    listed = invoke("report", path, "--undecided").output.splitlines()
    assert len(listed) == unknown and all(line.startswith("3x4+2; ") for line in listed)
    assert f"{unknown} undecided" in invoke("report", path).output
    bold = invoke(*command, "--retry-unknown", "--json")
    assert '"unknown": 0' in bold.output
    with read_store(path) as store:
        sweep = Sweep(Deck.parse("3x4+2"), 3)
        expected = [sweep.deal(1, 5, number, tasks=5) for number in range(8)]
        assert [row.value == "winnable" for row in store.rows({"tasks": 5})] == [
            winnable(d) for d in expected
        ]


def test_a_clock_limit_is_told_with_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "s"
    limited = invoke(
        *COMMAND, "--tasks", 1, "--deals", 2, "--workers", 1, "--time-limit", 60, "--store", path
    )
    assert "not reproducible: a clock limit" in limited.output
    assert "not reproducible: a clock limit" in invoke("report", path, "--csv").stderr
    assert '"reproducible": false' in invoke("report", path, "--json").output


@pytest.mark.parametrize(
    "options, word",
    [
        (["--tasks", "5-1"], "runs backwards"),
        (["--tasks", "one"], "'one' is no number or range"),
        (["--tasks", "1-7"], "7 tasks: deck 2x3+2 has 6 colour cards"),
        (["--coupled", "--tasks", "1-3"], "leave out --tasks"),
        (["--coupled", "--free"], "needs fixed tasks"),
        (["--coupled", "--dedupe"], "--dedupe works on independent deals"),
        (["--method", "magic"], "unknown method 'magic'"),
        (["--deck", "many"], "'many' is no deck"),
        (["--rules", "cheating"], "unknown rule 'cheating'"),
        (["--workers", "2", "--cluster", "tcp://host:1"], "--workers counts processes here"),
        (["--deals", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage_ends_with_2_and_leaves_no_file(tmp_path: Path, options: list[str], word: str) -> None:
    result = invoke(*COMMAND, "--store", tmp_path / "s", *options)
    assert result.exit_code == 2 and word in result.output
    assert not (tmp_path / "s").exists()


def test_reports_refuse_what_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x" * 200)
    for path in (tmp_path / "notes", tmp_path / "missing"):
        result = invoke("report", path)
        assert result.exit_code == 1 and str(path) in result.output


def test_several_stores_are_laid_over_each_other(tmp_path: Path) -> None:
    fixed = filled(tmp_path / "fixed", free=False, counts={5: (960, 0)})
    free = filled(tmp_path / "free", free=True, counts={5: (1000, 0)})
    lines = invoke("report", fixed, free, "--csv").output.splitlines()
    assert lines[0] == "deck,seats,free,tasks,deals,winnable,unwinnable,unknown,low,high"
    assert [line.split(",")[2] for line in lines[1:]] == ["false", "true"]
    picture = tmp_path / "both.svg"
    table = invoke("report", fixed, free, "--plot", picture).output
    assert "4 seats, fixed" in table and "4 seats, free" in table and picture.stat().st_size > 5000


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "s"
    command = [*COMMAND, "--deck", "4x9+4", "--tasks", "12", "--deals", "3000", "--chunk", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "crewsolve", *command, "--workers", "2", "--store", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not stored_deals(path):
        assert process.poll() is None, "it ended before it could be stopped"
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, talk = process.communicate(timeout=30)
    assert process.returncode == 130 and output == ""
    assert talk == f"stopped: {stored_deals(path)} of 3000 deals are in {path}; the same command goes on\n"
