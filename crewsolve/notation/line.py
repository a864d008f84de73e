"""The one-line form of a deal: `name; deck; leader; hand | hand | …; tasks[; rules …][; played …]`.

The name may be left out. Tasks are `fixed B7:0 G2:1` or `free B7 G2 / 1,1,0,0`.
"""

from __future__ import annotations

import re

from crewsolve.cards import Card, CardSet, Deck
from crewsolve.deal import Deal
from crewsolve.errors import BadDeal
from crewsolve.rules import Rules
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks, round_robin

_DECK = re.compile(r"\s*[0-9]+x[0-9]+(\+[0-9]+)?\s*")


def dumps_line(deal: Deal) -> str:
    """The deal on one line, with its name if it has one."""
    parts = [deal.name] if deal.name else []
    parts += [str(deal.deck), str(deal.leader), " | ".join(map(str, deal.hands)), str(deal.tasks)]
    if str(deal.rules):
        parts.append(f"rules {deal.rules}")
    if deal.played:
        parts.append("played " + " ".join(map(str, deal.played)))
    return "; ".join(parts)


def loads_line(text: str) -> Deal:
    """Read a deal from one line."""
    parts = [part.strip() for part in text.split(";")]
    name = "" if _DECK.fullmatch(parts[0]) else parts.pop(0)
    if len(parts) < 4:
        raise BadDeal("a deal line needs deck; leader; hands; tasks, separated by semicolons")
    deck = Deck.parse(parts[0])
    hands = tuple(CardSet.parse(hand, deck) for hand in parts[2].split("|"))
    leader = _leader(parts[1])
    extras = _extras(parts[4:])
    tasks = parse_tasks(parts[3], deck, seats=len(hands), leader=leader)
    played = tuple(deck.parse_card(word) for word in extras.get("played", "").replace("|", " ").split())
    return Deal.build(
        deck,
        hands,
        tasks,
        leader=leader,
        rules=Rules.parse(extras.get("rules", "")),
        played=played,
        name=name,
    )


def _leader(text: str) -> int | None:
    if text in ("", "-"):
        return None
    if not text.isdecimal():
        raise BadDeal(
            f"leader {text!r} is no seat number; write 0, 1, … or - for the highest rocket's holder"
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


def parse_tasks(text: str, deck: Deck, *, seats: int, leader: int | None) -> Tasks:
    """Read `fixed CARD:SEAT …` or `free CARD … [/ COUNTS]`."""
    kind, _, rest = text.partition(" ")
    if kind == "fixed":
        owners: dict[Card, int] = {}
        for word in rest.split():
            card_text, colon, seat = word.partition(":")
            if not colon or not seat.isdecimal():
                raise BadDeal(f"{word[:40]!r} is no fixed task: write CARD:SEAT, like B7:0")
            card = deck.parse_card(card_text)
            if card in owners:
                raise BadDeal(f"task {card} is given twice", card=card)
            owners[card] = int(seat)
        return FixedTasks.of(owners, deck)
    if kind == "free":
        cards_text, slash, counts_text = rest.partition("/")
        cards = CardSet.parse(cards_text, deck)
        if not slash:
            return FreeTasks(cards, round_robin(len(cards), seats, leader or 0))
        counts_text = counts_text.strip()
        at_most = counts_text.startswith("<=")
        numbers = counts_text.removeprefix("<=").split(",")
        if not all(number.strip().isdecimal() for number in numbers):
            raise BadDeal(f"counts {counts_text[:40]!r}: write one number for each seat, like 1,1,1,0")
        return FreeTasks(cards, tuple(int(number) for number in numbers), at_most)
    raise BadDeal(f"tasks {text[:40]!r}: write `fixed B7:0 …` or `free B7 … / 1,0,…`")
