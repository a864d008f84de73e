"""`crewsolve play`: one person at the terminal, the other seats played by agents."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from crewsolve.cards import Deck
from crewsolve.cli.options import Reading, reading_options
from crewsolve.deal import Deal, random_deal
from crewsolve.errors import CrewError
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.rules import Rules
from crewsolve.tasks import Status


@click.command(name="play")
@click.argument("file", metavar="[DEAL]", required=False)
@click.option("--deck", default="4x9+4", show_default=True, help="Suits x ranks + rockets.")
@click.option("--seats", type=click.IntRange(1), default=4, show_default=True)
@click.option("--tasks", type=click.IntRange(1), default=3, show_default=True, help="Number of tasks.")
@click.option("--rules", default="", metavar="NAMES", help=f"House rules: {', '.join(Rules.names())}.")
@click.option("--seed", type=click.IntRange(0), help="The deal's seed; by default a new one.")
@click.option(
    "--players", default="solver", show_default=True, metavar="NAMES",
    help="Who plays the other seats: one for all, or one for each in order, separated by commas.",
)  # fmt: skip
@click.option("--seat", type=click.IntRange(0), default=0, show_default=True, help="Your seat.")
@click.option("--open", "open_hands", is_flag=True, help="Show all hands.")
@click.option("--undo", "may_undo", is_flag=True, help="Allow taking cards back.")
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), metavar="NAME",
    help="Save as NAME.deals and NAME.playout; by default a new name from the seed.",
)  # fmt: skip
@reading_options()
def play(
    *,
    file: str | None,
    deck: str,
    seats: int,
    tasks: int,
    rules: str,
    seed: int | None,
    players: str,
    seat: int,
    open_hands: bool,
    may_undo: bool,
    save: Path | None,
    reading: Reading,
) -> None:
    """Play a game yourself: a random deal, or the one of a file; free tasks are taken in turn.

    Say a card like B7, or `hint`, `undo`, `help`, `quit`. The game is saved in any case;
    `crewsolve replay NAME.deals NAME.playout` shows it.
    """
    from crewsolve.agents.sitting import seat_players
    from crewsolve.cli.dialogue import Dialogue

    if reading.played and not file:
        raise click.UsageError("--played goes on with the deal of a file: name it")
    if file == "-":
        raise click.UsageError("the deal comes from a file: stdin is where you play")
    seed = new_seed() if seed is None else seed
    given = reading.one(file) if file else None
    dialogue = Dialogue((seed,), open_hands=open_hands, may_undo=may_undo)
    try:
        if given is not None:
            deal = given
        else:
            cards, rule = Deck.parse(deck), Rules.parse(rules.replace(",", " "))
            deal = random_deal(cards, seats=seats, tasks=tasks, free=reading.free, rules=rule, key=(seed, 0))
        seated = seat_players(players, deal.seats, person=seat, ask=dialogue.ask_task, open_hands=open_hands)
    except CrewError as error:
        raise click.UsageError(str(error)) from error
    if given is None:
        click.echo(f"seed {seed}")
    name, interrupted = save or free_name(f"game-{seed}"), False
    try:
        with hangup_interrupts():
            dialogue.play(deal, seated, person=seat)
    except KeyboardInterrupt:
        interrupted = True
    start, playout = dialogue.state(deal)
    save_game(name, start, playout)  # before a word that a closed terminal would refuse
    click.echo("\n" * interrupted + "\n".join(told_of_saving(name, start, playout)))
    if interrupted:
        raise click.exceptions.Exit(130)


def new_seed() -> int:
    """A seed that nobody knows, short enough to be typed."""
    import secrets

    return secrets.randbelow(10**6)


def free_name(name: str) -> Path:
    """The name, or the next with a number, that no saved game has."""
    tries = (Path(name if number == 1 else f"{name}-{number}") for number in range(1, 10**6))
    return next(path for path in tries if not any(saved.exists() for saved in saved_files(path)))


def saved_files(name: Path) -> tuple[Path, Path]:
    """The files of a saved game: the deal, the playout."""
    return name.with_name(f"{name.name}.deals"), name.with_name(f"{name.name}.playout")


@contextmanager
def hangup_interrupts() -> Iterator[None]:
    """A terminal that is closed, or a `kill`, ends the game as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    found = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {number: signal.signal(number, interrupt) for number in found}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def save_game(name: Path, deal: Deal, playout: Playout) -> None:
    """Write the deal and all cards played; those that a deal file gave are in the playout, not twice."""
    deal_file, playout_file = saved_files(name)
    try:
        deal_file.write_text(f"{replace(deal, played=())}\n", encoding="utf-8")
        playout_file.unlink(missing_ok=True)
        if playout.cards:
            playout_file.write_text(f"{playout}\n", encoding="utf-8")
    except OSError as error:
        raise CrewError(f"{error.filename}: cannot be written: {error.strerror}") from error


def told_of_saving(name: Path, deal: Deal, playout: Playout) -> list[str]:
    """How to see a saved game, and how to go on with it."""
    deal_file, playout_file = saved_files(name)
    if not playout.cards:
        return [f"saved in {deal_file}; no card was played"]
    told = [f"saved: crewsolve replay {deal_file} {playout_file}"]
    if Position.start(deal).after(playout.cards).outcome is Status.OPEN:
        told.append(f'goes on with: crewsolve play {deal_file} --played "$(cat {playout_file})"')
    return told
