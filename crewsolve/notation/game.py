"""`.game` files, the form of the program published with de Jong 2021.

The first line is `PLAYERS START SUITS`, then one line of `[suit,value]` per hand, then one line of
objectives per player. Suit 0 is trump and counted by SUITS; players count from 0. Values count from 1
unless a value 0 occurs. The form does not say how many ranks a suit has: they go up to the highest value
seen, unless a comment `# deck 4x9+4`, which the published program skips, says more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from crewsolve.cards import ROCKETS, SUIT_LETTERS, Card, CardSet, Deck
from crewsolve.deal import Deal
from crewsolve.errors import BadDeal, BadFile
from crewsolve.notation.sources import placed
from crewsolve.tasks import FixedTasks

HEADER = re.compile(r"\s*([0-9]{1,6})\s+([0-9]{1,6})\s+([0-9]{1,6})\s*")
_CARD = re.compile(r"\[\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*\]")
_DECK = re.compile(r"#\s*deck\s+(\S+)\s*")
_MAX_PLAYERS = 63


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of cards as written: (suit, value) pairs."""

    line: int
    pairs: tuple[tuple[int, int], ...]

    def cards(self, shift: int) -> tuple[Card, ...]:
        return tuple(Card(suit, value + shift) for suit, value in self.pairs)


def loads_game(text: str, *, file: str = "", base: int | None = None) -> Deal:
    """Read a `.game` file; `base` is the lowest value of a suit, found by content unless given."""
    lines = list(enumerate(text.splitlines(), 1))
    content = ((number, line) for number, line in lines if not line.lstrip().startswith("#"))
    start, players, leader, suits = _header(content, file)
    rows = [_row(line, suits, file, number) for number, line in content]
    if len(rows) < players:
        raise BadFile(
            f"{len(rows)} lines of hands for {players} players: write one for each", file=file, line=start
        )
    for row in rows[2 * players :]:
        if row.pairs:
            raise BadFile("cards after the last player's objectives: drop them", file=file, line=row.line)
    shift = _shift(rows, file, base)
    deck = _said_deck(lines, file) or _seen_deck(rows, suits, shift)
    hands = [_hand(row, shift, deck, file) for row in rows[:players]]
    tasks = _tasks(rows[players : 2 * players], shift, deck, file)
    try:
        return Deal(deck, tuple(hands), leader, tasks)
    except BadDeal as error:
        line = _line_of(error, rows, players, shift) or start
        raise BadFile(str(error), file=file, line=line) from error


def _header(content: Iterator[tuple[int, str]], file: str) -> tuple[int, int, int, int]:
    """The line of the header and its three numbers."""
    for number, line in content:
        if not line.strip():
            continue
        header = HEADER.fullmatch(line)
        if header is None:
            break
        players, leader, suits = (int(text) for text in header.groups())
        if not (1 <= players <= _MAX_PLAYERS and leader < players and 1 <= suits <= len(SUIT_LETTERS)):
            raise BadFile(
                f"{players} players, start {leader}, {suits} suits: players count from 0, trump is a suit",
                file=file,
                line=number,
            )
        return number, players, leader, suits
    raise BadFile("the first line must be PLAYERS START SUITS, like 4 0 5", file=file, line=1)


def _row(line: str, suits: int, file: str, number: int) -> _Row:
    rest = _CARD.sub(" ", line).strip(" \t\r\n,")
    if rest:
        raise BadFile(f"{rest[:40]!r} is no card: write [suit,value]", file=file, line=number)
    pairs = tuple((int(suit), int(value)) for suit, value in _CARD.findall(line))
    for suit, value in pairs:
        if suit >= suits:
            message = (
                f"card [{suit},{value}] has suit {suit}, but the first line gives suits 0 to {suits - 1}"
            )
            raise BadFile(message, file=file, line=number)
    return _Row(number, pairs)


def _shift(rows: list[_Row], file: str, base: int | None) -> int:
    """What is added to a value to make it a rank."""
    zeros = [(row.line, suit) for row in rows for suit, value in row.pairs if value == 0]
    if base == 1 and zeros:
        line, suit = zeros[0]
        raise BadFile(f"card [{suit},0] in a file whose values count from 1", file=file, line=line)
    return 1 if base == 0 or (base is None and zeros) else 0


def _said_deck(lines: list[tuple[int, str]], file: str) -> Deck | None:
    for number, line in lines:
        said = _DECK.fullmatch(line)
        if said:
            with placed(file, number):
                return Deck.parse(said[1])
    return None


def _seen_deck(rows: list[_Row], suits: int, shift: int) -> Deck:
    cards = [card for row in rows for card in row.cards(shift)]
    ranks = max((card.rank for card in cards if card.suit != ROCKETS), default=1)
    rockets = max((card.rank for card in cards if card.suit == ROCKETS), default=0)
    return Deck(max(suits - 1, 1), ranks, rockets)


def _hand(row: _Row, shift: int, deck: Deck, file: str) -> CardSet:
    cards = row.cards(shift)
    with placed(file, row.line):
        hand = deck.set(cards)
        if len(hand) < len(cards):
            twice = next(card for place, card in enumerate(cards) if card in cards[:place])
            raise BadDeal(f"card {twice} is listed twice in one hand", card=twice)
    return hand


def _tasks(rows: list[_Row], shift: int, deck: Deck, file: str) -> FixedTasks:
    owners: dict[Card, int] = {}
    for seat, row in enumerate(rows):
        for card in row.cards(shift):
            with placed(file, row.line):
                deck.index(card)
                if card in owners:
                    raise BadDeal(f"task {card} is given twice: drop one of them", card=card)
            owners[card] = seat
    return FixedTasks.of(owners, deck)


def _line_of(error: BadDeal, rows: list[_Row], players: int, shift: int) -> int | None:
    """The line of the hand or the objectives that a deal's own check complains of."""
    if error.field == "hands" and error.seat is not None:
        return rows[error.seat].line
    return next((row.line for row in rows[players:] if error.card in row.cards(shift)), None)


def dumps_game(deal: Deal) -> str:
    """The deal as a `.game` file with values from 1; refuses what the form cannot hold."""
    if not isinstance(deal.tasks, FixedTasks):
        raise BadDeal(".game files hold fixed tasks only: write the free ones as toml, line or json")
    if str(deal.rules):
        raise BadDeal(f".game files cannot hold the house rule {deal.rules}: use toml, line or json")
    if deal.played:
        raise BadDeal(".game files cannot hold cards already played: use toml, line or json")
    rows = [f"{deal.seats} {deal.leader} {deal.deck.colours + 1}", f"# deck {deal.deck}", "# hands"]
    rows += [_brackets(hand) for hand in deal.hands]
    rows.append("# objectives")
    rows += [_brackets(deal.deck.from_mask(deal.tasks.owned_mask(seat))) for seat in range(deal.seats)]
    return "\n".join(rows) + "\n"


def _brackets(cards: CardSet) -> str:
    return " ".join(f"[{card.suit},{card.rank}]" for card in cards)
