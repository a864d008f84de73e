"""`python -m benchmarks`: print the table."""

from __future__ import annotations

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
@click.option("--store", type=click.Path(path_type=Path), help="Keep findings here; go on where it stopped.")
@click.option("--write", is_flag=True, help="Put the table into docs/benchmarks.md.")
@click.option("--report-only", is_flag=True, help="Measure nothing; print what the store holds.")
@click.option("--quiet", is_flag=True, help="No progress.")
def main(plan: str, full: bool, store: Path | None, write: bool, report_only: bool, quiet: bool) -> None:
    """Measure every method against the published way and print one table."""
    run = Run(PLANS["full" if full else plan], store)
    if not report_only:
        run.measure(quiet=quiet)
    report = run.report()
    click.echo(report)
    if write:
        write_page(PAGE, report)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
