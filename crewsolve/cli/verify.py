"""The command that finds out every printed number again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from crewsolve.cli.options import console, print_json
from crewsolve.errors import UnknownName

if TYPE_CHECKING:
    from rich.table import Table

    from crewsolve.claims import Finding


@click.command()
@click.argument("claims", metavar="[CLAIM]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON list of objects.")
@click.option("--deep", is_flag=True, help="Check as far as the machine reaches; takes most of an hour.")
@click.option("--list", "names_only", is_flag=True, help="List the names of the claims.")
def verify(claims: tuple[str, ...], as_json: bool, deep: bool, names_only: bool) -> None:
    """Compute the counts, formulas and probabilities printed in the documents again.

    Each is computed exactly and reached by a second, independent method; where the printed value does
    not agree, the step that went wrong is named. CLAIM is a name or its beginning; default: all.
    """
    from crewsolve.claims import select

    try:
        chosen = list(select(claims))
    except UnknownName as error:
        raise click.BadParameter(str(error), param_hint="CLAIM") from error
    if names_only:
        for claim in chosen:
            click.echo(f"{claim.id:<26} {claim.seed}, {claim.place}")
        return
    findings = _found_out([claim.id for claim in chosen], deep=deep)
    if as_json:
        print_json([finding.to_json() for finding in findings])
        return
    screen = console()
    screen.print(_table(findings))
    wrong = [finding for finding in findings if not finding.agrees]
    noun = "claim" if len(findings) == 1 else "claims"
    click.echo(f"{len(findings)} {noun}: {len(findings) - len(wrong)} agree, {len(wrong)} do not")
    for finding in wrong:
        click.echo(f"  {finding.id}: {finding.cause}")


def _found_out(names: list[str], *, deep: bool) -> list[Finding]:
    """The findings of the claims, with a bar on stderr where somebody sees it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from crewsolve.claims import CLAIMS, DEEP, QUICK, find_out

    talk = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    findings = []
    with Progress(*columns, console=talk, transient=True, disable=not talk.is_terminal) as bar:
        task = bar.add_task("claims", total=len(names))
        for name in names:
            bar.update(task, description=f"{name:<26}")
            findings.append(find_out(CLAIMS[name], DEEP if deep else QUICK))
            bar.advance(task)
    return findings


def _table(findings: list[Finding]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from crewsolve.claims.claim import show

    table = Table(box=box.SIMPLE_HEAD, show_lines=False, pad_edge=False)
    table.add_column("claim", no_wrap=True)
    table.add_column("printed", ratio=3, overflow="fold")
    table.add_column("computed", ratio=2, overflow="fold")
    table.add_column("checked by", ratio=3, overflow="fold")
    table.add_column("agrees", no_wrap=True)
    for one in findings:
        verdict = Text("yes", style="green") if one.agrees else Text("no", style="bold red")
        table.add_row(one.id, one.printed, show(one.computed), one.checked_by, verdict)
    return table
