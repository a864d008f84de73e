"""`crewsolve thegame`: The Game, simulated, tuned, replayed, played and solved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crewsolve.cli.options import json_option, print_json
from crewsolve.errors import BadFile, CrewError
from crewsolve.thegame.model import Parameters
from crewsolve.thegame.notation import load, loads, parse_parameters, write_deck, write_game, write_turns
from crewsolve.thegame.playing import TIES, Player, random_deck
from crewsolve.thegame.simulator import Deck, Game
from crewsolve.thegame.strategies import STRATEGIES, Strategy, get_strategy
from crewsolve.thegame.winnability import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crewsolve.experiments import Experiment, Store
    from crewsolve.thegame.experiments import Sample

BEST = "amplified-distance"
_HELP = f"One of {', '.join(STRATEGIES)}, with numbers like distance:gamma=0.05."


class _Parsed(click.ParamType):  # type: ignore[type-arg]
    """A value that one function reads from text; a mistake in it is one of usage."""

    def __init__(self, name: str, kind: type, parse: Callable[[str], Any]) -> None:
        self.name, self._kind, self._parse = name, kind, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a text; what has been read already is left alone."""
        try:
            return value if isinstance(value, self._kind) else self._parse(value)
        except CrewError as error:
            self.fail(str(error), param, ctx)


_RULES = _Parsed("parameters", Parameters, parse_parameters)
_STRATEGY = _Parsed("strategy", Strategy, get_strategy)

_rules = click.option(
    "--game",
    "rules",
    type=_RULES,
    default="",
    metavar="RULES",
    help="Like '2..99 up=2 hand=8'; as in the box.",
)
_depth = click.option(
    "--depth", type=click.IntRange(0), default=0, show_default=True, help="Extra search depth."
)
_ties = click.option(
    "--ties",
    type=click.Choice(TIES),
    default="first",
    show_default=True,
    help="Which of equal turns is played.",
)
_seed = click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
_store = click.option(
    "--store", type=click.Path(path_type=Path, dir_okay=False), help="A file to fill; runs go on in it."
)
_workers = click.option("--workers", type=click.IntRange(1), help="Processes; by default one for each core.")
_games = click.option("--games", type=click.IntRange(1), default=10_000, show_default=True)


@click.group(name="thegame")
def thegame() -> None:
    """The Game, the second cooperative game: strategies, records, winnable decks."""


@thegame.command()
@click.argument("strategies", nargs=-1, type=_STRATEGY, metavar="[STRATEGY]...")
@_rules
@_depth
@_ties
@_games
@_seed
@_store
@_workers
@click.option("--density", type=click.Path(path_type=Path), help="Draw the cards remaining to this file.")
@click.option("--course", type=click.Path(path_type=Path), help="Draw the course of won games to this file.")
@json_option
def simulate(
    strategies: tuple[Strategy, ...],
    rules: Parameters,
    depth: int,
    ties: str,
    games: int,
    seed: int,
    store: Path | None,
    workers: int | None,
    density: Path | None,
    course: Path | None,
    as_json: bool,
) -> None:
    """Play random decks and count wins, cards remaining and backwards tricks; all strategies by default."""
    from crewsolve.thegame.experiments import samples, simulation
    from crewsolve.thegame.plots import plot_course, plot_density

    chosen = strategies or tuple(STRATEGIES.values())
    experiment = _checked(
        lambda: simulation(
            [(one, depth) for one in chosen], games=games, seed=seed, parameters=rules, ties=ties
        )
    )
    with _run(store, experiment, workers) as opened:
        found = samples(opened)
    _print_samples(found, as_json=as_json)
    if density is not None:
        plot_density(found, density)
    if course is not None:
        plot_course([sample for sample in found if sample.wins], course, parameters=rules)


@thegame.command()
@click.argument("strategy", type=_STRATEGY)
@click.option("--vary", required=True, metavar="NAME=FROM:TO:STEP", help="Like gamma=0.01:0.06:0.005.")
@_rules
@_depth
@_ties
@_games
@_seed
@_store
@_workers
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the win rate over the parameter.")
@json_option
def tune(
    strategy: Strategy,
    vary: str,
    rules: Parameters,
    depth: int,
    ties: str,
    games: int,
    seed: int,
    store: Path | None,
    workers: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Search one parameter of a strategy: the win rate at each value, on the same decks."""
    from crewsolve.thegame.experiments import samples, simulation
    from crewsolve.thegame.plots import plot_search

    name, values = _checked(lambda: _grid(vary))
    players = _checked(lambda: [(strategy.with_numbers({name: value}), depth) for value in values])
    experiment = _checked(lambda: simulation(players, games=games, seed=seed, parameters=rules, ties=ties))
    with _run(store, experiment, workers) as opened:
        found = {sample.strategy: sample for sample in samples(opened) if sample.depth == depth}
    points = [(value, found[str(one)]) for value, (one, _) in zip(values, players, strict=True)]
    _print_samples([sample for _, sample in points], as_json=as_json)
    best = max(points, key=lambda point: point[1].win_rate)
    if not as_json:
        click.echo(f"best: {name} = {best[0]:g} with {best[1].win_rate:.2%}; confirm it on another seed")
    if plot is not None:
        plot_search(name, points, plot)


@thegame.command()
@click.argument("file", metavar="FILE")
@json_option
def replay(file: str, as_json: bool) -> None:
    """Replay recorded games move by move and say what became of them; `-` is stdin."""
    for number, item in enumerate(_read(file), start=1):
        if isinstance(item, Deck):
            raise BadFile(f"record {number} is a deck without turns; `thegame play` plays it", file=file)
        record = {
            "name": item.deck.name,
            "cards_remaining": item.remaining,
            "won": item.is_won,
            "over": item.is_over,
            "turns": len(item.turns),
            "backwards_tricks": item.tricks,
        }
        if as_json:
            print_json(record)
        else:
            ended = "won" if item.is_won else "lost" if item.is_over else "not finished"
            click.echo(
                f"{item.deck.name or number}: {ended}, {item.remaining} cards remaining, "
                f"{len(item.turns)} turns, {item.tricks} backwards tricks"
            )


@thegame.command()
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--strategy", type=_STRATEGY, default=BEST, show_default=True, help=_HELP)
@_rules
@_depth
@_ties
@_seed
@click.option("--index", type=click.IntRange(0), default=0, show_default=True, help="Which deck of the seed.")
@click.option("--deck-only", is_flag=True, help="Print the deck instead of playing it.")
def play(
    file: str | None,
    strategy: Strategy,
    rules: Parameters,
    depth: int,
    ties: str,
    seed: int,
    index: int,
    deck_only: bool,
) -> None:
    """Play the decks of a file, or a random one, and print each game on a line that `replay` reads."""
    items = _read(file) if file else iter([random_deck(rules, seed, index)])
    for item in items:
        deck = item.deck if isinstance(item, Game) else item
        if deck_only:
            click.echo(write_deck(deck))
        else:
            click.echo(write_game(Player(strategy, deck.parameters, depth, ties).play(deck)))


@thegame.command()
@click.argument("file", metavar="DECK")
@click.option("--method", type=click.Choice(list(METHODS)), default=next(iter(METHODS)), show_default=True)
@click.option("--states", type=click.IntRange(1), help="Positions of the exhaustive search.")
@click.option("--width", type=click.IntRange(1), help="Positions in the widest beam of the finder.")
@click.option("--conflicts", type=click.IntRange(1), help="Conflicts of CP-SAT.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), metavar="S", help="Seconds of CP-SAT.")
@json_option
def solve(
    file: str,
    method: str,
    states: int | None,
    width: int | None,
    conflicts: int | None,
    time_limit: float | None,
    as_json: bool,
) -> None:
    """Can the decks of a file be won by a player who knows their order? Prints a verified line."""
    from crewsolve.thegame.winnability import Limits
    from crewsolve.thegame.winnability import solve as decide

    given = {"states": states, "width": width, "conflicts": conflicts, "seconds": time_limit}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    for number, item in enumerate(_read(file), start=1):
        deck = item.deck if isinstance(item, Game) else item
        answer = decide(deck, method=method, limits=limits)
        turns = None if answer.game is None else write_turns(deck.parameters, answer.game.turns)
        if as_json:
            print_json(
                {
                    "name": deck.name or f"{file}:{number}",
                    "deck": write_deck(deck),
                    "verdict": str(answer.verdict),
                    "turns": turns,
                    "method": answer.method,
                    "reason": answer.reason,
                    "seconds": round(answer.seconds, 3),
                }
            )
        else:
            why = turns or answer.reason
            click.echo(f"{deck.name or number}: {answer.verdict} ({answer.method}): {why}")


@thegame.command()
@_rules
@click.option("--decks", type=click.IntRange(1), default=1000, show_default=True)
@click.option(
    "--method", type=click.Choice(["finder", "cpsat", "exhaustive"]), default="finder", show_default=True
)
@click.option("--width", type=click.IntRange(1), default=3000, show_default=True, help="Of the widest beam.")
@click.option("--conflicts", type=click.IntRange(1), help="Conflicts of CP-SAT for each deck.")
@_seed
@_store
@_workers
@json_option
def share(
    rules: Parameters,
    decks: int,
    method: str,
    width: int,
    conflicts: int | None,
    seed: int,
    store: Path | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Which share of random decks could be won by a player who knows their order?"""
    from crewsolve.thegame.winnability.share import experiment
    from crewsolve.thegame.winnability.share import share as count

    wanted = experiment(
        decks=decks, seed=seed, parameters=rules, method=method, width=width, conflicts=conflicts
    )
    with _run(store, wanted, workers) as opened:
        found = count(opened)
    if as_json:
        print_json(found.record())
        return
    low, high = found.interval
    click.echo(
        f"{found.decks} decks: {found.winnable} winnable, {found.unwinnable} unwinnable, "
        f"{found.unknown} undecided; share {low:.3%} to {high:.3%}"
    )


def _read(file: str) -> Iterator[Deck | Game]:
    items = loads(sys.stdin.read(), file="stdin") if file == "-" else load(file)
    if not items:
        raise BadFile("holds no deck and no game", file=file)
    return iter(items)


def _checked(make: Any) -> Any:
    """What an option describes; a mistake in it is one of usage."""
    try:
        return make()
    except CrewError as error:
        raise click.UsageError(str(error)) from error


def _grid(text: str) -> tuple[str, list[float]]:
    """Read `name=from:to:step`."""
    name, _, numbers = text.partition("=")
    try:
        first, last, step = (float(number) for number in numbers.split(":"))
    except ValueError:
        raise CrewError(f"{text!r} is no range: write gamma=0.01:0.06:0.005") from None
    count = int((last - first) / step + 1e-9) + 1 if step > 0 and last >= first else 0
    if not 1 <= count <= 1000:
        raise CrewError(f"{text!r} has {count} values: 1 to 1000 are possible, from low to high")
    return name, [round(first + k * step, 10) for k in range(count)]


def _run(path: Path | None, experiment: Experiment, workers: int | None) -> Store:
    """Run what the store lacks; a killed run goes on with the same command."""
    from crewsolve.experiments import get_executor, run_in

    workers = 1 if workers is None and experiment.items <= 20 else workers
    try:
        return run_in(path, experiment, executor=get_executor(workers=workers))
    except KeyboardInterrupt:
        kept = "nothing is kept without --store" if path is None else f"the same command goes on in {path}"
        click.echo(f"stopped: {kept}", err=True)
        raise click.exceptions.Exit(130) from None


def _print_samples(samples: list[Sample], *, as_json: bool) -> None:
    if as_json:
        for sample in samples:
            print_json(sample.record())
        return
    width = max(len("strategy"), *(len(sample.strategy) for sample in samples))
    click.echo(
        f"{'strategy':{width}}  depth    games     wins  95% interval      remaining  tricks of winners"
    )
    for sample in samples:
        row = sample.record()
        low, high = sample.interval
        tricks = "-" if row["tricks_of_winners"] is None else f"{row['tricks_of_winners']:.2f}"
        click.echo(
            f"{sample.strategy:{width}}  {sample.depth:5}  {sample.games:7}  {sample.win_rate:7.2%}  "
            f"{low:6.2%} to {high:6.2%}  {sample.mean_remaining:9.2f}  {tricks:>17}"
        )
