"""Commands that ask more of one deal: what now, where did it go wrong, why not, how many ways?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from crewsolve.cli.asking import Asking, asking_options, known_method, talking
from crewsolve.cli.options import (
    Reading,
    console,
    deal_argument,
    json_option,
    print_json,
    reading_options,
)
from crewsolve.cli.solve import VERDICT_STYLES
from crewsolve.notation import load_playout
from crewsolve.result import Verdict
from crewsolve.solving import Analysis, Explanation, Finding, Lines, Review
from crewsolve.solving.lines import LIMIT
from crewsolve.tasks import FixedTasks

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


@click.command()
@deal_argument
@asking_options("the whole analysis")
@reading_options()
@json_option
def analyse(file: str, asking: Asking, reading: Reading, as_json: bool) -> None:
    """Tell for every legal next card whether the deal can still be won after it."""
    from crewsolve.solving import analyse as analyse_deal

    deal = reading.one(file)
    with talking(f"analysing {deal.name or file}"):
        found = analyse_deal(deal, **asking)
    if as_json:
        print_json(found.to_json())
    else:
        _print_analysis(found, deal.name or file)


def _print_analysis(found: Analysis, name: str) -> None:
    from rich.text import Text

    from crewsolve.cli.pictures import seat_labels

    screen = console()
    if found.position.over:
        screen.print(Text(f"{name}: the play is over"), soft_wrap=True)
        return
    position = found.position
    where = f"trick {len(position.tricks) + 1}, seat {seat_labels(position.deal)[position.seat]} to play"
    screen.print(Text(f"{name}: {where}", style="bold"), soft_wrap=True)
    screen.print(_verdict_table(found))


def _verdict_table(found: Analysis) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from crewsolve.cli.pictures import card_text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("card", "verdict", "decided by", "reason"):
        table.add_column(title)
    for card, result in found.results.items():
        verdict = Text(str(result.verdict), style=VERDICT_STYLES[result.verdict])
        table.add_row(card_text(card), verdict, result.decided_by, Text(result.reason))
    return table


@click.command()
@click.argument("deal_file", metavar="DEAL")
@click.argument("playout_file", metavar="PLAYOUT")
@asking_options("the whole review")
@reading_options(played=False)
@json_option
def review(deal_file: str, playout_file: str, asking: Asking, reading: Reading, as_json: bool) -> None:
    """Find the first card of a playout after which a deal that could be won was lost.

    The playout starts at the first trick of the deal and may stop at any card.
    """
    from crewsolve.solving import review as review_playout

    if deal_file == playout_file == "-":
        raise click.UsageError("stdin (-) can be read only once")
    deal = reading.one(deal_file)
    playout = load_playout(playout_file, seats=deal.seats)
    with talking(f"reviewing {playout_file}"):
        found = review_playout(deal, playout, **asking)
    if as_json:
        print_json({"name": deal.name or deal_file, "deal": str(deal), **found.to_json()})
    else:
        _print_review(found)


def _print_review(found: Review) -> None:
    from rich.text import Text

    screen = console()
    screen.print(Text(_review_words(found), style="bold"), soft_wrap=True)
    if found.analysis is not None:
        from crewsolve.cli.pictures import cards_text

        words = "these would have kept it: " if len(found.kept) > 1 else "this would have kept it: "
        screen.print(Text(words) + cards_text(found.kept), soft_wrap=True)
        for card in found.analysis.keeping(Verdict.UNKNOWN):
            screen.print(Text(f"not known within the limit: {card}"), soft_wrap=True)
    if found.line is not None and found.analysis is not None:
        screen.print(Text(f"a line that wins: {found.line}"), soft_wrap=True)


def _review_words(found: Review) -> str:
    from crewsolve.cli.pictures import seat_labels

    if found.finding is Finding.MISTAKE:
        assert found.analysis is not None and found.trick is not None
        position = found.analysis.position
        seat = seat_labels(position.deal)[position.seat]
        return f"trick {found.trick + 1}, seat {seat}: {found.card} lost a deal that could be won"
    if found.finding is Finding.UNKNOWN and found.line is not None and found.bad is not None:
        return f"{found.finding.value}: it is one of cards {found.good + 1} to {found.bad}"
    return found.finding.value


@click.command()
@deal_argument
@click.option("--all", "every", is_flag=True, help="List every minimal set of tasks that cannot be met.")
@click.option(
    "--check", callback=known_method, metavar="METHOD", help="The second method, by which sets are checked."
)
@asking_options("the whole explanation")
@reading_options()
@json_option
def explain(
    file: str, every: bool, check: str | None, asking: Asking, reading: Reading, as_json: bool
) -> None:
    """Say why a deal cannot be won: fewest tasks that cannot be met together, most tasks that can.

    Each set is checked again by a second method: it cannot be met, and without any one of its tasks it can.
    Of free tasks the seats' counts stay as upper bounds.
    """
    from crewsolve.solving import explain as explain_deal

    deal = reading.one(file)
    name = deal.name or file
    with talking(f"explaining {name}") as say:
        found = explain_deal(deal, every=every, check=check, progress=say, **asking)
    if as_json:
        print_json({**found.to_json(), "name": name})
    else:
        _print_explanation(found, name, every)


def _print_explanation(found: Explanation, name: str, every: bool) -> None:
    from rich.text import Text

    screen = console()
    verdict = Text(str(found.verdict), style=VERDICT_STYLES[found.verdict])
    screen.print(Text(f"{name}: ", style="bold") + verdict, soft_wrap=True)
    if found.verdict is Verdict.UNWINNABLE:
        for words in _core_words(found, every):
            screen.print(Text(words), soft_wrap=True)
    if found.most is not None and found.line is not None:
        _print_most(found, screen)


def _core_words(found: Explanation, every: bool) -> Iterator[str]:
    for core in found.cores:
        checked = f"checked by {core.checked_by}" if core.checked_by else "not checked within the limit"
        yield f"{core} ({checked})"
    if not found.cores:
        yield "no minimal set of tasks was found within the limit"
    elif not found.fewest:
        yield "a limit was reached: another set may have fewer tasks"
    elif every and not found.every:
        yield "a limit was reached: there may be more sets"


def _print_most(found: Explanation, screen: Console) -> None:
    from rich.text import Text

    from crewsolve.cli.pictures import cards_text, tricks_picture
    from crewsolve.simulator import replay

    assert found.most is not None and found.line is not None
    tasks = found.deal.tasks
    missed = tasks.cards - found.most.cards
    count = f"{len(found.most)} of {len(tasks)} tasks"
    words = f"at most {count} can be met" if found.most_proved else f"at least {count} can be met"
    screen.print(Text(words + (", all but " if missed else "")) + cards_text(missed), soft_wrap=True)
    shown = found.deal if isinstance(tasks, FixedTasks) else found.deal.with_tasks(found.most)
    screen.print(tricks_picture(replay(shown, found.line).position))


@click.command()
@deal_argument
@click.option(
    "--limit", type=click.IntRange(min=1), default=LIMIT, show_default=True,
    help="Stop after so many where they have to be listed one by one.",
)  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="List the playouts too, up to the limit.")
@asking_options("counting")
@reading_options()
@json_option
def lines(file: str, limit: int, listed: bool, asking: Asking, reading: Reading, as_json: bool) -> None:
    """Count the winning playouts of full length: exactly, where that is possible.

    Small and late positions are counted by dynamic programming; elsewhere playouts are listed one by one
    up to the limit. `unique` says that there is exactly one.
    """
    from crewsolve.solving import count_lines, enumerate_lines

    deal = reading.one(file)
    name = deal.name or file
    with talking(f"counting the lines of {name}"):
        found = count_lines(deal, limit=limit, **asking)
        several = enumerate_lines(deal, method=asking["method"], sat=asking["sat"])
        playouts = list(islice(several, min(found.count, limit))) if listed else []
    if as_json:
        plays = {"lines": [str(playout) for playout in playouts]} if listed else {}
        print_json({"name": name, **found.to_json(), **plays})
        return
    click.echo(f"{name}: {_lines_words(found)}")
    for playout in playouts:
        click.echo(str(playout))


def _lines_words(found: Lines) -> str:
    if not found.exact:
        return f"at least {found.count:,} winning playouts ({found.reason})"
    if found.count == 1:
        return "1 winning playout: it is unique"
    return f"{found.count:,} winning playouts" if found.count else "no winning playout"
