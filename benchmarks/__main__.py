"""`python -m benchmarks`: print the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from benchmarks.plan import PLANS
from benchmarks.run import Run

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
START, END = "<!-- results -->", "<!-- end of results -->"


def write_page(page: Path, report: str) -> None:
    """Put the report between the marks of the page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(START)
    _, mark, after = rest.partition(END)
    if not mark:
        raise click.ClickException(f"{page} lacks the lines {START} and {END}")
    page.write_text(f"{before}{START}\n\n{report}\n\n{END}{after}", encoding="utf-8")


@click.command()
@click.option("--plan", type=click.Choice(list(PLANS)), default="short", show_default=True, help="How much.")
@click.option("--full", is_flag=True, help="The same as --plan full.")
@click.option("--deals", type=click.IntRange(min=1), help="Deals in a cell, other than the plan says.")
@click.option("--yardstick", type=click.IntRange(min=0), help="How many of them go the published way, too.")
@click.option("--store", type=click.Path(path_type=Path), help="Keep findings here; go on where it stopped.")
@click.option("--write", is_flag=True, help="Put the table into docs/benchmarks.md.")
@click.option("--report-only", is_flag=True, help="Measure nothing; print what the store holds.")
@click.option("--quiet", is_flag=True, help="No progress.")
def main(
    plan: str, full: bool, deals: int | None, yardstick: int | None, store: Path | None, write: bool,
    report_only: bool, quiet: bool,
) -> None:  # fmt: skip
    """Measure every method against the published way and print one table."""
    chosen = PLANS["full" if full else plan]
    chosen = replace(
        chosen,
        deals=chosen.deals if deals is None else deals,
        yardstick=chosen.yardstick if yardstick is None else yardstick,
    )
    run = Run(chosen, store)
    if not report_only:
        run.measure(quiet=quiet)
    report = run.report()
    click.echo(report)
    if write:
        write_page(PAGE, report)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
