"""Commands that count exactly: losing deals, deals up to suits, determinizations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from crewsolve.cards import Card, Deck
from crewsolve.cli.options import Reading, console, json_option, print_json, reading_options
from crewsolve.errors import BadDeal, CrewError


def _read_deck(ctx: click.Context, param: click.Parameter, value: str) -> Deck:
    try:
        return Deck.parse(value)
    except CrewError as error:
        raise click.BadParameter(str(error)) from error


def _read_sizes(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    words = value.split(",")
    if not all(word.strip().isdecimal() for word in words):
        raise click.BadParameter(f"{value!r}: write one number for each hand, like 3,3,2")
    return tuple(int(word) for word in words)


_deck_option = click.option(
    "--deck", callback=_read_deck, default="4x9", show_default=True, help="SUITSxRANKS+ROCKETS."
)


@click.group()
def count() -> None:
    """Count exactly: losing deals, deals up to suits, determinizations."""


@count.command()
@_deck_option
@json_option
def losing(deck: Deck, as_json: bool) -> None:
    """Count the deals of two players and one task that cannot be won.

    Seat 0 leads, owns the task and holds the larger half; the suit of the task is fixed.
    """
    from crewsolve.proofs.losing_games import count_losing

    found = _or_usage_error(lambda: count_losing(deck))
    if as_json:
        print_json(found.to_json())
        return
    share = Fraction(found.losing, found.total)
    rows = [
        ("S1", found.s1, "task in the first hand, only a directly winning card is missing"),
        ("S2", found.s2, "task in the first hand, no room to discard"),
        ("S3", found.s3, "task in the second hand, only a directly winning card is missing"),
        ("S4", found.s4, "task in the second hand, no room to discard"),
        ("losing", found.losing, f"{_percent(share)} of all deals"),
        ("total", found.total, f"deals of {deck} with the suit of the task fixed"),
    ]
    width = max(len(f"{number:,}") for _, number, _ in rows)
    for name, number, words in rows:
        click.echo(f"{name:<6}  {number:>{width},}  {words}")


@count.command()
@_deck_option
@click.option("--seats", type=click.IntRange(min=1), default=2, show_default=True, help="Number of seats.")
@click.option("--tasks", type=click.IntRange(min=0), default=1, show_default=True, help="Number of tasks.")
@click.option("--free", is_flag=True, help="Free tasks: a set of cards, not given to seats.")
@click.option(
    "--leader",
    type=click.Choice(["first", "any"]),
    default="first",
    show_default=True,
    help="Seat 0 leads (with rockets the holder of the highest), or any seat may.",
)
@json_option
def deals(deck: Deck, seats: int, tasks: int, free: bool, leader: str, as_json: bool) -> None:
    """Count all deals, and those that differ by more than the names of their colours."""
    from crewsolve.proofs.burnside import burnside_terms, count_deals

    found = _or_usage_error(lambda: count_deals(deck, seats=seats, tasks=tasks, free=free, leader=leader))
    if as_json:
        print_json({"all": found.all, "up_to_suits": found.up_to_suits})
        return
    terms = burnside_terms(deck, seats=seats, tasks=tasks, free=free, leader=leader)
    click.echo(f"all deals      {found.all:,}")
    click.echo(f"up to suits    {found.up_to_suits:,}")
    click.echo("\nBurnside's lemma, by the lengths of the cycles of suits:")
    rows = [("+".join(map(str, term.cycles)), f"{term.permutations:,}", f"{term.fixed:,}") for term in terms]
    type_width, number_width, fixed_width = (max(map(len, column)) for column in zip(*rows, strict=True))
    for cycles, number, fixed in rows:
        noun = "permutation" if number == "1" else "permutations"
        click.echo(
            f"  {cycles:<{type_width}}  {number:>{number_width}} {noun:<12}  fix {fixed:>{fixed_width}} deals"
        )


@count.command()
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--sizes", callback=_read_sizes, metavar="N,N,...", help="Cards in each hidden hand, like 3,3,2."
)
@click.option("--may", multiple=True, metavar="CARDS", help="Cards a hand may hold, once for each hand.")
@click.option("--seat", type=click.IntRange(min=0), help="The seat that looks, for a deal in FILE.")
@reading_options(free=False)
@json_option
def determinizations(
    file: str | None,
    sizes: tuple[int, ...] | None,
    may: tuple[str, ...],
    seat: int | None,
    reading: Reading,
    as_json: bool,
) -> None:
    """Count the ways to fill the hidden hands, and how likely each hand holds each card.

    Either from --sizes and one --may for each hand, or from a deal in FILE (- is stdin) and the cards
    played so far, as --seat sees it: proven voids and the holder of the highest rocket are used.
    """
    if file is not None:
        if sizes is not None or may or seat is None:
            raise click.UsageError("give FILE with --seat, or --sizes with --may for each hand, not both")
        cards, known = _of_deal(file, seat, reading)
    else:
        if sizes is None or not may or seat is not None:
            raise click.UsageError("give --sizes and one --may for each hand, or FILE and --seat")
        cards, known = _of_words(sizes, may)
    _print_determinizations(cards, known, as_json=as_json)


def _of_deal(file: str, seat: int, reading: Reading) -> tuple[list[Card], Any]:
    from crewsolve.proofs.determinizations import Hidden
    from crewsolve.view import view

    deal = reading.one(file)
    if seat >= deal.seats:
        raise click.BadParameter(f"seat {seat}: the seats are 0 to {deal.seats - 1}", param_hint="--seat")
    return list(deal.deck.cards), Hidden.of_view(view(deal, seat))


def _of_words(sizes: tuple[int, ...], may: Sequence[str]) -> tuple[list[Card], Any]:
    from crewsolve.proofs.determinizations import Hidden

    def read() -> tuple[list[Card], Any]:
        if len(may) != len(sizes):
            raise BadDeal(f"{len(sizes)} sizes but {len(may)} times --may: one for each hand")
        sets = [{Card.parse(word) for word in words.replace(",", " ").split()} for words in may]
        cards = sorted(set().union(*sets), key=lambda card: (card.is_rocket, card))
        masks = tuple(sum(1 << cards.index(card) for card in one) for one in sets)
        return cards, Hidden(sizes, masks)

    return _or_usage_error(read)


def _print_determinizations(cards: Sequence[Card], known: Any, *, as_json: bool) -> None:
    from crewsolve.proofs.determinizations import count_determinizations, probabilities

    number = count_determinizations(known)
    shares = probabilities(known) if number else [{} for _ in known.sizes]
    if as_json:
        named = [{str(cards[card]): str(share) for card, share in hand.items()} for hand in shares]
        print_json({"count": number, "probabilities": named})
        return
    click.echo(f"{number:,} determinization{'' if number == 1 else 's'}")
    if number:
        console().print(_share_table(cards, known, shares))


def _share_table(cards: Sequence[Card], known: Any, shares: Sequence[dict[int, Fraction]]) -> Any:
    """Cards that the same hands may hold are equally likely everywhere, so they share a row."""
    from rich import box
    from rich.table import Table

    from crewsolve.proofs.determinizations import cards_of

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("cards", overflow="fold")
    for hand, size in enumerate(known.sizes):
        table.add_column(f"hand {hand}\n({size})", justify="right")
    for mask, _ in known.classes:
        members = cards_of(mask)
        row = [str(hand[members[0]]) if members[0] in hand else "-" for hand in shares]
        table.add_row(" ".join(str(cards[card]) for card in members), *row)
    return table


def _or_usage_error(compute: Any) -> Any:
    """What was asked on the command line itself is usage, not data."""
    try:
        return compute()
    except CrewError as error:
        raise click.UsageError(str(error)) from error


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.4f} %"
