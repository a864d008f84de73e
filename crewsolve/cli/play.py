"""Commands on the play: replay a playout, count legal plays."""

from __future__ import annotations

from typing import Any

import click

from crewsolve.cards import Card
from crewsolve.cli.options import (
    Reading,
    console,
    deal_argument,
    json_option,
    print_json,
    reading_options,
    tracked,
)
from crewsolve.deal import Deal
from crewsolve.errors import BadFile, CrewError, FailedTask, IllegalPlay
from crewsolve.notation import label_of, load_playout
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.simulator import replay as replay_play
from crewsolve.simulator import verify
from crewsolve.tasks import Status


@click.command()
@click.argument("deal_file", metavar="DEAL")
@click.argument("playout_file", metavar="PLAYOUT")
@reading_options()
@json_option
def replay(deal_file: str, playout_file: str, reading: Reading, as_json: bool) -> None:
    """Play a playout card by card: trick winners, tasks done, verdict.

    The playout starts with the cards that the deal says have been played.
    """
    if deal_file == playout_file == "-":
        raise click.UsageError("stdin (-) can be read only once")
    record = reading.record(deal_file)
    deal = record.get()
    playout = load_playout(playout_file, seats=deal.seats)
    position, illegal = _played(deal, playout, label_of(playout_file))
    verdict, reason = _verdict(deal, playout) if illegal is None else ("illegal", str(illegal))
    if as_json:
        print_json(_replay_json(position, verdict, reason, name=record.name))
    else:
        _print_replay(position, verdict, reason)
    if illegal is not None:
        raise illegal


def _played(deal: Deal, playout: Playout, file: str) -> tuple[Position, CrewError | None]:
    """The position after the last legal card, and what is wrong with the next."""
    position = Position.start(deal)
    for number, card in enumerate(playout.cards):
        if number < len(deal.played) and card != deal.played[number]:
            was = deal.played[number]
            return position, BadFile(
                f"card {number + 1} is {card}, but the deal says {was} was played", file=file
            )
        try:
            position = position.play(card)
        except IllegalPlay as error:
            return position, BadFile(str(error), file=file)
    return position, None


def _verdict(deal: Deal, playout: Playout) -> tuple[str, str]:
    try:
        verify(deal, playout)
    except FailedTask as error:
        lost = Position.start(deal).after(playout.cards).outcome is Status.FAILED
        return "lost" if lost else "open", str(error)
    if not deal.tasks.cards:
        return "won", "there is no task"
    return "won", f"all tasks done by trick {len(replay_play(deal, playout, stop_early=True).tricks)}"


def _print_replay(position: Position, verdict: str, reason: str) -> None:
    from rich.text import Text

    from crewsolve.cli.pictures import tricks_picture

    styles = {"won": "bold green", "lost": "bold red", "open": "bold yellow"}
    screen = console()
    screen.print(tricks_picture(position))
    if verdict != "illegal":
        screen.print(Text(verdict, style=styles[verdict]) + Text(f": {reason}", style="not bold"))


def _replay_json(position: Position, verdict: str, reason: str, *, name: str) -> dict[str, Any]:
    deal = position.deal
    won = {str(card): seat for seat in range(deal.seats) for card in deal.tasks.cards & position.won(seat)}
    tricks = [*position.tricks, *([position.current] if position.current.cards else [])]
    return {
        "name": name,
        "deal": str(deal),
        "verdict": verdict,
        "reason": reason,
        "tricks": [
            {"leader": trick.leader, "cards": [str(c) for c in trick.cards], "winner": trick.winner}
            for trick in tricks
        ],
        "tasks": won,
    }


@click.command()
@deal_argument
@click.option("--depth", type=click.IntRange(min=0), required=True, help="Number of cards to play.")
@reading_options(free=False)
@json_option
def perft(file: str, depth: int, reading: Reading, as_json: bool) -> None:
    """Count the legal card sequences of a length exactly, split by the first card."""
    record = reading.record(file)
    deal = record.get()
    split = _split(deal, depth)
    total = sum(split.values()) if split else 1  # the empty sequence, at depth 0 or after the last card
    if as_json:
        counts = {str(card): count for card, count in split.items()}
        print_json({"name": record.name, "deal": str(deal), "depth": depth, "perft": total, "split": counts})
        return
    for card, count in split.items():
        click.echo(f"{card!s:>4} {count:>{len(f'{total:,}')},}")
    click.echo(f"perft {depth}: {total:,}")


def _split(deal: Deal, depth: int) -> dict[Card, int]:
    """`perft_split`, with progress on stderr once it takes long."""
    from crewsolve.solving import perft as count_plays

    legal = list(Position.of(deal).legal) if depth else []
    return {card: count_plays(deal.after(card), depth - 1) for card in tracked(legal, "first cards")}
