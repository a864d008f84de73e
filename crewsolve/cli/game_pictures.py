"""The table as one seat sees it, and the hints. Needs rich; imported when something is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from crewsolve.agents.player import Offer
from crewsolve.agents.sitting import Sitting
from crewsolve.agents.solver import Opinion
from crewsolve.cards import ROCKETS, Card, CardSet
from crewsolve.cli.pictures import DONE, FAILED, LEADER, card_text, cards_text
from crewsolve.position import Position
from crewsolve.tasks import FixedTasks, Status, WinCard


def seat_name(number: int, name: str) -> str:
    """What a seat is called at the table."""
    return f"{number} {name}"


def table_picture(sitting: Sitting, *, open_hands: bool) -> RenderableType:
    """Every seat with its tasks and its card in the trick; then the own hand and what may be played."""
    position = sitting.position
    head = Text(f"trick {len(position.tricks) + 1} of {position.deal.tricks}", style="bold")
    table = _plain("", "seat", "must win", "cards", "trick", *(["hand"] if open_hands else []))
    for seat, player in enumerate(sitting.players):
        row = [Text(LEADER if seat == position.current.leader else ""), Text(seat_name(seat, player.name))]
        row += [_tasks(position, seat), Text(str(len(position.hand(seat)))), _placed(position, seat)]
        table.add_row(*row, *([by_suit(position.hand(seat))] if open_hands else []))
    hand, legal = position.hand(sitting.person), position.legal
    own = Text("your hand   ") + by_suit(hand)
    may = [Text("you may play   ") + cards_text(legal)] if len(legal) < len(hand) else []
    return Group(head, table, own, *may)


def offer_picture(offer: Offer, names: Sequence[str], *, position: Position | None) -> RenderableType:
    """The tasks on the table, what has been taken, and the own hand; all hands of an open position."""
    taken = _plain("seat", "took", "takes still", *(["hand"] if position else []))
    for seat, name in enumerate(names):
        assert isinstance(offer.view.tasks, FixedTasks)
        own = [card for card, owner in offer.view.tasks.owners if owner == seat]
        hand = [by_suit(position.hand(seat))] if position else []
        taken.add_row(Text(seat_name(seat, name)), cards_text(own), Text(str(offer.picks[seat])), *hand)
    tasks = Text("tasks to take   ") + cards_text(offer.untaken)
    return Group(taken, Text("your hand   ") + by_suit(offer.view.hand), tasks)


def by_suit(hand: CardSet) -> Text:
    """A hand, suit by suit, rockets last."""
    suits = [hand.of_suit(suit) for suit in (*range(1, hand.deck.colours + 1), ROCKETS)]
    return Text("   ").join(cards_text(cards) for cards in suits if cards)


def _tasks(position: Position, seat: int) -> Text:
    marks = {Status.DONE: DONE, Status.FAILED: FAILED, Status.OPEN: ""}
    goals = [goal for goal in position.deal.tasks.goals() if isinstance(goal, WinCard) and goal.seat == seat]
    return Text(" ").join(card_text(goal.card) + marks[position.status(goal)] for goal in goals)


def _placed(position: Position, seat: int) -> Text:
    offset = (seat - position.current.leader) % position.deal.seats
    cards = position.current.cards
    return card_text(cards[offset]) if offset < len(cards) else Text("")


def hint_picture(opinions: Sequence[Opinion], exact: Mapping[Card, str]) -> RenderableType:
    """What the solver player thinks of each card, best first; with open hands also the truth."""
    table = _plain("card", "can be won", "team wins", "tasks left", *(["open hands"] if exact else []))
    for opinion in opinions:
        words = (f"{opinion.winnable:.0%}", f"{opinion.won:.0%}", f"{opinion.undone:.2f}")
        truth = [Text(exact[opinion.card])] if exact else []
        table.add_row(card_text(opinion.card), *map(Text, words), *truth)
    legend = (
        "can be won: drawn deals winnable after it; team wins, tasks left: games of a team on drawn deals"
    )
    return Group(table, Text(legend, style="dim"))


def task_hint_picture(opinions: Sequence[tuple[Card, float]]) -> RenderableType:
    """The share of drawn deals that stay winnable with each task, best first."""
    table = _plain("task", "can be won")
    for card, share in opinions:
        table.add_row(card_text(card), Text(f"{share:.0%}"))
    return table


def _plain(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column)
    return table
