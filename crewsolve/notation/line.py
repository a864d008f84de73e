"""The one-line form of a deal: `name; deck; leader; hand | hand | …; tasks[; rules …][; played …]`.

The name may be left out. Tasks are `fixed B7:0 G2:1` or `free B7 G2 / 1,1,0,0`.
"""

from __future__ import annotations

import re

from crewsolve.cards import Card, CardSet, Deck
from crewsolve.deal import Deal, leader_of
from crewsolve.errors import BadCard, BadDeal
from crewsolve.rules import Rules
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks, round_robin

_DECK = re.compile(r"\s*[0-9]+x[0-9]+(\+[0-9]+)?\s*")
_NUMBER = re.compile(r"[0-9]{1,6}")
_OTHER_FORMATS = re.compile(r"[#\[{\s]+|(?=[\w.]+\s*=)")


def dumps_line(deal: Deal) -> str:
    """The deal on one line, with its name if it has one."""
    name = _one_line_name(deal.name)
    parts = [name] if name else []
    parts += [str(deal.deck), str(deal.leader), " | ".join(map(str, deal.hands)), str(deal.tasks)]
    if str(deal.rules):
        parts.append(f"rules {deal.rules}")
    if deal.played:
        parts.append("played " + " ".join(map(str, deal.played)))
    return "; ".join(parts)


def _one_line_name(name: str) -> str:
    """A name without what would read as another field, a comment or another format."""
    line = " ".join("".join(c if c.isprintable() else " " for c in name.replace(";", ",")).split())
    start = _OTHER_FORMATS.match(line)
    return line if start is None else line[start.end() :].replace("=", ":")


def is_line(text: str) -> bool:
    """Whether the text has a deck where a deal line has one."""
    parts = text.split(";", 2)
    return len(parts) > 1 and any(_DECK.fullmatch(part) for part in parts[:2])


def loads_line(text: str) -> Deal:
    """Read a deal from one line."""
    parts = [part.strip() for part in text.split(";")]
    named = len(parts) > 1 and (_DECK.fullmatch(parts[1]) or not _DECK.fullmatch(parts[0]))
    name = parts.pop(0) if named else ""
    if len(parts) < 4:
        raise BadDeal("a deal line needs deck; leader; hands; tasks, separated by semicolons")
    deck = Deck.parse(parts[0])
    hands = tuple(_hand(hand, deck) for hand in parts[2].split("|"))
    leader = leader_of(hands, named=_leader(parts[1]))
    extras = _extras(parts[4:])
    return Deal(
        deck,
        hands,
        leader,
        parse_tasks(parts[3], deck, seats=len(hands), leader=leader),
        Rules.parse(extras.get("rules", "")),
        tuple(deck.parse_card(word) for word in extras.get("played", "").replace("|", " ").split()),
        name,
    )


def _hand(text: str, deck: Deck) -> CardSet:
    try:
        return CardSet.parse(text, deck)
    except BadCard as error:
        if ";" not in text and "," in text:
            raise BadCard(f"{error}; cards are separated by blanks", card=error.card) from error
        raise


def _leader(text: str) -> int | None:
    if text in ("", "-"):
        return None
    if not _NUMBER.fullmatch(text):
        raise BadDeal(
            f"leader {text[:40]!r} is no seat number; write 0, 1, … or - for the highest rocket's holder",
            field="leader",
        )
    return int(text)


def _extras(parts: list[str]) -> dict[str, str]:
    extras: dict[str, str] = {}
    for part in parts:
        key, _, value = part.partition(" ")
        if key not in ("rules", "played") or key in extras:
            raise BadDeal(f"{part[:40]!r}: after the tasks come `rules …` and `played …`, each once at most")
        extras[key] = value
    return extras


def parse_tasks(text: str, deck: Deck, *, seats: int, leader: int) -> Tasks:
    """Read `fixed CARD:SEAT …` or `free CARD … [/ COUNTS]`."""
    kind, _, rest = text.partition(" ")
    if kind == "fixed":
        return _fixed(rest, deck)
    if kind == "free":
        return _free(rest, deck, seats, leader)
    raise BadDeal(f"tasks {text[:40]!r}: write `fixed B7:0 …` or `free B7 … / 1,0,…`", field="tasks")


def _fixed(text: str, deck: Deck) -> FixedTasks:
    owners: dict[Card, int] = {}
    for word in text.split():
        card_text, _, seat = word.partition(":")
        if not _NUMBER.fullmatch(seat):
            raise BadDeal(f"{word[:40]!r} is no fixed task: write CARD:SEAT, like B7:0", field="tasks")
        card = deck.parse_card(card_text)
        if card in owners:
            raise BadDeal(f"task {card} is given twice: drop one of them", card=card, field="tasks")
        owners[card] = int(seat)
    return FixedTasks.of(owners, deck)


def _free(text: str, deck: Deck, seats: int, leader: int) -> FreeTasks:
    cards_text, slash, counts_text = text.partition("/")
    words = cards_text.split()
    for place, word in enumerate(words):
        if word in words[:place]:
            raise BadDeal(f"task {word[:40]} is given twice: drop one of them", card=word, field="tasks")
    cards = CardSet.parse(cards_text, deck)
    counts_text = counts_text.strip()
    at_most = counts_text.startswith("<=")
    numbers = [number.strip() for number in counts_text.removeprefix("<=").split(",")]
    if not slash:
        return FreeTasks(cards, round_robin(len(cards), seats, leader))
    if not all(_NUMBER.fullmatch(number) for number in numbers):
        raise BadDeal(
            f"counts {counts_text[:40]!r}: write one number for each seat, like 1,1,1,0", field="counts"
        )
    return FreeTasks(cards, tuple(int(number) for number in numbers), at_most)
