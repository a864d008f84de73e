"""The benchmark runs, on a plan so small that nothing is timed seriously; its arithmetic is right."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks import __main__ as command
from benchmarks.ablation import GROUPS, effort, thinned
from benchmarks.ablation import main as ablation
from benchmarks.deciding import Disagreement, Timing, _check, deals_of, measure_cell, quickest, time_published
from benchmarks.plan import KISSAT, PLANS, PUBLISHED, TASKS, Cell, Plan
from benchmarks.run import Run
from benchmarks.speeds import perft_per_second, playouts_per_second, starts
from benchmarks.table import HEADINGS, Row, average, markdown, ratio, rows_of
from benchmarks.targets import judge
from crewsolve.encodings import METHODS
from crewsolve.position import Position

SMALL = Cell("2x4+2", 3, 2, False)
PLAN = Plan(
    "test", deals=3, yardstick=2, limit=20.0, patience=20.0, methods=("cnf:lean", "no such method"),
    few=(("search", 2),), tasks=(), others=(SMALL, Cell("2x4+2", 3, 2, True)), trial=1,
)  # fmt: skip


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """A run freezes the objects it finds; give them back to the collector."""
    yield
    gc.unfreeze()


def timing(solving: float, *, building: float = 0.0, verdict: str = "winnable", stage: str = "sat") -> Timing:
    return Timing(verdict, stage, solving, building)


def test_a_cell_has_a_timing_for_every_method_and_deal() -> None:
    found = measure_cell(SMALL, PLAN, best="minisat22")
    assert {name: len(timings) for name, timings in found.items()} == {
        "cnf:lean": 3,
        "search": 2,
        f"{PUBLISHED} minisat22": 2,
        f"{PUBLISHED} {KISSAT}": 2,
    }
    verdicts = [[timing["verdict"] for timing in timings] for timings in found.values()]
    assert all(verdict == verdicts[0][: len(verdict)] for verdict in verdicts)


def test_auto_is_timed_alone_in_batches_and_in_a_stream() -> None:
    plan = replace(PLAN, methods=("auto",), few=(), yardstick=0)
    found = measure_cell(SMALL, plan, best="minisat22")
    assert {name: len(timings) for name, timings in found.items() if timings} == dict.fromkeys(
        ("auto", "auto, batch", "auto, stream"), 3
    )


def test_other_decks_get_a_tenth_of_everything_but_five_deals() -> None:
    plan = PLANS["full"]
    main, other = plan.counts(plan.cells()[0]), plan.counts(plan.others[0])
    assert main == {"auto": 1000, "cnf:lean": 100, "search": 20, "cpsat": 5, PUBLISHED: 50}
    assert other == {"auto": 100, "cnf:lean": 10, "search": 5, "cpsat": 5, PUBLISHED: 5}


def test_a_method_without_patience_is_asked_no_more() -> None:
    plan = Plan("test", deals=4, yardstick=0, limit=0.0, patience=0.0, methods=("cnf:lean",), tasks=())
    assert measure_cell(SMALL, plan, best="minisat22")["cnf:lean"] == []


def test_the_published_way_stops_at_its_limit_and_when_it_is_too_large() -> None:
    dense = next(deals_of(Cell("4x9+4", 4, 32, True), PLAN, 1))
    (found,) = time_published(dense, ["minisat22"], 5.0).values()
    assert (found.decided, found.stage, found.solving) == (False, "too large", 5.0)
    hard = next(deals_of(Cell("4x9+4", 4, 12, False), PLAN, 1))
    (found,) = time_published(hard, ["cadical153"], 0.0).values()
    assert not found.decided


def test_different_verdicts_end_the_run_with_the_deal() -> None:
    deal = next(deals_of(SMALL, PLAN, 1))
    _check(deal, [timing(1), timing(2), timing(3, verdict="unknown")])
    with pytest.raises(Disagreement, match="2x4"):
        _check(deal, [timing(1), timing(2, verdict="unwinnable")])


def test_the_quickest_solver_has_the_least_mean() -> None:
    best, means = quickest(SMALL, PLAN, ("minisat22", "glucose4"))
    assert set(means) == {"minisat22", "glucose4"} and means[best] == min(means.values())


def test_ratios_compare_the_shared_deals() -> None:
    yardstick = [timing(4, building=2), timing(8, building=2)]
    ours = [timing(1), timing(2), timing(100)]
    alone, whole = (ratio(yardstick, ours, whole=whole) for whole in (False, True))
    assert alone is not None and whole is not None
    assert alone.value == pytest.approx(4) and whole.value == pytest.approx(16 / 3)
    assert str(alone) == "4.00" and ratio([], ours, whole=True) is None
    limited = ratio([timing(5, verdict="unknown")], ours, whole=False)
    assert str(limited) == "≥5.00"


def test_rows_have_mean_median_p99_and_stages() -> None:
    timings = [timing(0.001 * k, stage="static" if k < 51 else "search") for k in range(1, 101)]
    row = Row(SMALL, "auto", timings, (None,) * 4)
    assert row.mean == pytest.approx(0.0505) and row.median == pytest.approx(0.0505)
    assert row.p99 == pytest.approx(0.099) and row.stages == "static 50%, search 50%"
    assert len(row.texts()) == len(HEADINGS)


def test_targets_are_judged_by_the_rows() -> None:
    rows = []
    for tasks in (10, 12, 15):
        cell = Cell("4x9+4", 4, tasks, False)
        measured = {
            "auto": [timing(0.01)],
            f"{PUBLISHED} minisat22": [timing(0.04)],
            f"{PUBLISHED} {KISSAT}": [timing(0.02)],
        }
        rows += rows_of(cell, measured, best="minisat22")
    found = average(rows, "auto", range(1, 37), kind="fixed", column=0)
    assert found is not None and found.value == pytest.approx(4)
    met = {target: verdict for target, _, _, verdict in judge(rows, {"playouts per second": 2e6})}
    assert [met[target] for target in met if "PySAT's best" in target] == ["yes", "yes"]
    assert [met[target] for target in met if "kissat404" in target] == ["no", "no"]
    assert met["playouts per second"] == "yes"


def test_markdown_is_aligned() -> None:
    assert markdown(("a", "bb"), [("xxx", "y")]) == "| a   | bb |\n|-----|----|\n| xxx | y  |"


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.run.measure_speeds", lambda plan: {"playouts per second": 1.5e6})
    monkeypatch.setattr("benchmarks.run.TRIAL", (SMALL, PLAN.others[1]))
    file = tmp_path / "kept" / "run.jsonl"
    Run(PLAN, file).measure(quiet=True)
    lines = file.read_text().splitlines()
    again = Run(PLAN, file)
    again.measure(quiet=True)
    assert file.read_text().splitlines() == lines
    report = again.report()
    for cell in PLAN.others:
        assert f"| {cell.kind} " in report
    assert "1,500,000" in report and "cores" in report
    with pytest.raises(click.UsageError, match="another plan"):
        Run(PLANS["tiny"], file)


def test_the_page_is_written_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{command.START}\nold\n{command.END}\nafter\n", encoding="utf-8")
    command.write_page(page, "new")
    assert page.read_text(encoding="utf-8") == f"before\n{command.START}\n\nnew\n\n{command.END}\nafter\n"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(click.ClickException, match="lacks"):
        command.write_page(page, "new")
    assert command.START in command.PAGE.read_text(encoding="utf-8")


def test_the_command_prints_what_a_store_holds(tmp_path: Path) -> None:
    missing = CliRunner().invoke(command.main, ["--plan", "tiny", "--report-only"])
    assert missing.exit_code == 2 and "nothing has been measured" in missing.output


def test_every_speed_can_be_measured() -> None:
    assert playouts_per_second(100) > 0 and perft_per_second(2) > 0
    assert all(seconds > 0 for seconds in starts().values())


def test_plans_name_methods_of_the_table() -> None:
    for plan in PLANS.values():
        assert {*plan.methods, *dict(plan.few)} <= {*METHODS, "auto"}
    assert PLANS["full"].tasks == TASKS and PLANS["full"].deals >= 1000


def test_leaving_out_consequences_changes_no_verdict() -> None:
    deals = list(deals_of(Cell("3x5+3", 3, 5, False), PLAN, 4))
    for deal in deals:
        position = Position.of(deal)
        efforts = [effort(thinned(position, groups), "minisat22") for groups in GROUPS.values()]
        assert len({found.winnable for found in efforts}) == 1
        clauses = [found.clauses for found in efforts]
        assert max(clauses) == clauses[0] and min(clauses) == clauses[-1] < clauses[0]


def test_the_ablation_prints_a_row_for_each_group() -> None:
    done = CliRunner().invoke(ablation, ["--deals", "1", "--tasks", "3"], catch_exceptions=False)
    assert all(f"| {name} " in done.output for name in (*GROUPS, "the published formula"))


def test_the_players_are_timed_against_the_solver_player() -> None:
    from benchmarks.players import determinizations_per_second, table

    lines = table(["random", "smart:playouts=2"], [1], games=2).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["random", "smart:playouts=2"]
    assert all(float(line.split()[1]) > 0 for line in lines[2:])
    assert determinizations_per_second(2, batches=1) > 0
