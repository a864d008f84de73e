"""Pictures for the terminal: deals by suit, tricks by seat. Needs rich; commands import it when they draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from crewsolve.cards import ROCKETS, SUIT_LETTERS, Card, CardSet
from crewsolve.deal import Deal
from crewsolve.position import Position, Trick
from crewsolve.tasks import FixedTasks, Status, WinCard

LEADER, TASK, DONE, FAILED = "▶", "*", "✓", "✗"

_INK = ("bold white", "dodger_blue1", "green3", "hot_pink", "yellow3")
"""The rockets, then the colours of the real game; further suits start again at the colours."""

_SUIT_NAMES = {"R": "rockets", "B": "blue", "G": "green", "P": "pink", "Y": "yellow"}


def ink(suit: int) -> str:
    """The style of a suit."""
    return _INK[0] if suit == ROCKETS else _INK[1 + (suit - 1) % (len(_INK) - 1)]


def card_text(card: Card) -> Text:
    """A card in the colour of its suit."""
    return Text(str(card), style=ink(card.suit))


def cards_text(cards: Iterable[Card]) -> Text:
    """Cards in their colours, separated by blanks."""
    return Text(" ").join(card_text(card) for card in cards)


def seat_labels(deal: Deal) -> list[str]:
    """What the picture calls each seat: its number, and its name where it has one."""
    names = deal.seat_names or ("",) * deal.seats
    return [f"{seat} {name}".rstrip() for seat, name in enumerate(names)]


def deal_picture(deal: Deal, *, title: str = "") -> RenderableType:
    """Hands by suit with the task cards marked, the leader, the tasks of each seat, the cards played."""
    position = Position.of(deal)
    head = Text(title or deal.name or "deal", style="bold")
    head.append(f"   deck {deal.deck}, {deal.seats} seats, {_number(deal.tricks, 'trick')}", style="not bold")
    if str(deal.rules):
        head.append(f", rules {deal.rules}", style="not bold")
    return Group(head, _hands_table(position), *_notes(position))


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _hands_table(position: Position) -> Table:
    deal = position.deal
    suits = [suit for suit in (*range(1, deal.deck.colours + 1), ROCKETS) if deal.in_play.of_suit(suit)]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("")
    table.add_column("seat")
    for suit in suits:
        letter = SUIT_LETTERS[suit]
        name = _SUIT_NAMES.get(letter, "")
        table.add_column(Text(f"{letter} {name}".rstrip(), style=ink(suit)))
    table.add_column("must win")
    for seat, label in enumerate(seat_labels(deal)):
        cells = [_ranks(position.hand(seat), suit, deal.tasks.cards) for suit in suits]
        marker = LEADER if seat == position.seat and not position.over else ""
        table.add_row(marker, Text(label), *cells, _wanted(position, seat))
    return table


def _ranks(hand: CardSet, suit: int, tasks: CardSet) -> Text:
    words = [f"{card.rank}{TASK if card in tasks else ''}" for card in hand.of_suit(suit)]
    return Text(" ".join(words), style=ink(suit))


def _wanted(position: Position, seat: int) -> Text:
    tasks = position.deal.tasks
    if isinstance(tasks, FixedTasks):
        goals = [goal for goal in tasks.goals() if isinstance(goal, WinCard) and goal.seat == seat]
        return Text(" ").join(_goal_text(position, goal) for goal in goals)
    share = len(tasks.cards & position.won(seat))
    bound = "up to " if tasks.at_most else ""
    return Text(f"{bound}{tasks.counts[seat]}" + (f" (has {share})" if position.played else ""))


def _goal_text(position: Position, goal: WinCard) -> Text:
    mark = {Status.DONE: DONE, Status.FAILED: FAILED, Status.OPEN: ""}[position.status(goal)]
    return card_text(goal.card) + mark


def _notes(position: Position) -> Iterator[Text]:
    deal = position.deal
    if not isinstance(deal.tasks, FixedTasks):
        yield Text("free tasks: ") + cards_text(deal.tasks.cards)
    if deal.played:
        tricks = [cards_text(trick.cards) for trick in (*position.tricks, position.current) if trick.cards]
        yield Text("played: ") + Text(" | ").join(tricks)
    legend = f"{LEADER} {'plays next' if deal.played else 'leads'}"
    yield Text(f"{legend}, {TASK} task card" if deal.tasks.cards else legend, style="dim")


def tricks_picture(position: Position) -> Table:
    """The tricks of a play, one column per seat: who led, who won, which tasks it decided."""
    deal = position.deal
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("trick", justify="right")
    for label in seat_labels(deal):
        table.add_column(Text(label))
    table.add_column("won by")
    table.add_column("tasks")
    shown = [*position.tricks, *([position.current] if position.current.cards else [])]
    for number, trick in enumerate(shown, 1):
        table.add_row(
            str(number), *_trick_cells(trick, deal.seats), _winner(deal, trick), _decided(deal, trick)
        )
    return table


def _trick_cells(trick: Trick, seats: int) -> list[Text]:
    cells = [Text("") for _ in range(seats)]
    for offset, card in enumerate(trick.cards):
        seat = (trick.leader + offset) % seats
        cells[seat] = Text(LEADER if offset == 0 else " ") + card_text(card)
        if seat == trick.winner:
            cells[seat].stylize("bold underline")
    return cells


def _winner(deal: Deal, trick: Trick) -> Text:
    return Text("" if trick.winner is None else seat_labels(deal)[trick.winner])


def _decided(deal: Deal, trick: Trick) -> Text:
    """The task cards in a full trick, each marked as done or failed."""
    if trick.winner is None:
        return Text("")
    tasks = deal.tasks
    words = []
    for card in trick.cards:
        if card in tasks.cards:
            failed = isinstance(tasks, FixedTasks) and tasks.owner(card) != trick.winner
            words.append(card_text(card) + (FAILED if failed else DONE))
    return Text(" ").join(words)
