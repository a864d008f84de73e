"""The named fields of a deal, as TOML and JSON hold them, and back.

`name deck leader seats hands rules played` and `tasks` with `fixed`, or `free` with `counts` and `at_most`.
A seat is its number or, where `seats` gives names, its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crewsolve.cards import Card, CardSet, Deck
from crewsolve.deal import Deal, leader_of
from crewsolve.errors import BadDeal, CrewError, IllegalPlay, UnknownName
from crewsolve.position import Position
from crewsolve.rules import Rules
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks, round_robin

FIELDS = ("name", "deck", "leader", "seats", "hands", "rules", "played", "tasks")
TASK_FIELDS = ("fixed", "free", "counts", "at_most")


class FieldError(CrewError):
    """A wrong field: `key`, and the `nth` occurrence of `word` in it, tell where to look."""

    def __init__(self, message: str, *, key: str, word: str = "", nth: int = 1) -> None:
        super().__init__(message)
        self.key = key
        self.word = word
        self.nth = nth


def deal_of_fields(fields: Mapping[str, Any]) -> Deal:
    """Build a deal from its fields; a wrong one raises `FieldError`."""
    _known(fields, FIELDS, "key")
    deck = _within("deck", _deck, _text(fields, "deck", required=True))
    hands = [_hand(hand, deck) for hand in _hands(fields)]
    names = _seat_names(fields.get("seats"), len(hands))
    leader = None if fields.get("leader") is None else _seat(fields["leader"], names, "leader")
    try:
        first = leader_of(hands, named=leader)
        deal = Deal(
            deck,
            tuple(hands),
            first,
            _tasks(fields.get("tasks", {}), deck, names, len(hands), first),
            _within("rules", Rules.parse, " ".join(_words(fields.get("rules", ""), "rules"))),
            tuple(_card(word, deck, "played") for word in _cards(fields.get("played", ""), "played")),
            _text(fields, "name"),
            names,
        )
        Position.of(deal)
    except BadDeal as error:
        twice = error.field == "hands" and error.card is not None
        word = "" if error.card is None else str(error.card)
        raise FieldError(str(error), key=error.field, word=word, nth=2 if twice else 1) from error
    except IllegalPlay as error:
        raise FieldError(str(error), key="played", word=str(error.card)) from error
    return deal


def fields_of_deal(deal: Deal) -> dict[str, Any]:
    """The fields of a deal in the order people read them; labels and rules only where there are any."""
    names = deal.seat_names
    fields: dict[str, Any] = {}
    if deal.name:
        fields["name"] = deal.name
    fields["deck"] = str(deal.deck)
    fields["leader"] = deal.leader
    if names:
        fields["seats"] = list(names)
    fields["hands"] = [str(hand) for hand in deal.hands]
    if str(deal.rules):
        fields["rules"] = str(deal.rules).split()
    if deal.played:
        fields["played"] = [str(card) for card in deal.played]
    fields["tasks"] = _fields_of_tasks(deal.tasks)
    return fields


def _fields_of_tasks(tasks: Tasks) -> dict[str, Any]:
    if isinstance(tasks, FixedTasks):
        return {"fixed": {str(card): seat for card, seat in tasks.owners}}
    fields: dict[str, Any] = {"free": [str(card) for card in tasks.cards], "counts": list(tasks.counts)}
    return fields | ({"at_most": True} if tasks.at_most else {})


def _known(fields: Mapping[str, Any], known: Sequence[str], kind: str) -> None:
    for key in fields:
        if key not in known:
            raise FieldError(str(UnknownName(kind, key[:40], known)), key=key)


def _within(key: str, parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except CrewError as error:
        raise FieldError(str(error), key=key) from error


def _deck(text: str) -> Deck:
    deck = Deck.parse(text)
    return deck.everything.deck  # refuses decks too large to be dealt


def _text(fields: Mapping[str, Any], key: str, *, required: bool = False) -> str:
    if key not in fields:
        if required:
            raise FieldError(f"no {key!r}: write for example {_EXAMPLES[key]}", key=key)
        return ""
    value = fields[key]
    if not isinstance(value, str):
        raise FieldError(f"{key} is {_shown(value)}, not a text", key=key)
    return value


_EXAMPLES = {
    "deck": 'deck = "4x9+4"',
    "hands": 'hands = ["B1 B2", "B3 R1"], one for each seat',
    "seats": 'seats = ["Ada", "Bo", "Cy"]',
}


def _shown(value: object) -> str:
    try:
        return repr(value)[:40]
    except ValueError:  # Python prints no integer of more than 4300 digits
        return "a huge number"


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 31


def _hands(fields: Mapping[str, Any]) -> list[Any]:
    if "hands" not in fields:
        raise FieldError(f"no 'hands': write for example {_EXAMPLES['hands']}", key="hands")
    hands = fields["hands"]
    if not isinstance(hands, list) or not hands:
        raise FieldError(f"hands is {_shown(hands)}: write for example {_EXAMPLES['hands']}", key="hands")
    return hands


def _hand(value: object, deck: Deck) -> CardSet:
    mask = 0
    for word in _words(value, "hands"):
        bit = deck.bit(_card(word, deck, "hands"))
        if mask & bit:
            raise FieldError(f"card {word} is listed twice in one hand", key="hands", word=word, nth=2)
        mask |= bit
    return deck.from_mask(mask)


def _card(word: str, deck: Deck, key: str) -> Card:
    try:
        return deck.parse_card(word)
    except CrewError as error:
        raise FieldError(str(error), key=key, word=word) from error


def _words(value: object, key: str) -> list[str]:
    """The words of a text, or of a list of words."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return [word for text in value for word in text.split()]
    raise FieldError(f"{key}: {_shown(value)} is neither a text nor a list of texts", key=key)


def _cards(value: object, key: str) -> list[str]:
    """The words of a text with bars, a list of words, or a list of tricks."""
    if isinstance(value, list) and value and all(isinstance(trick, list) for trick in value):
        return [word for trick in value for word in _words(trick, key)]
    return [word for word in " ".join(_words(value, key)).replace("|", " ").split()]


def _seat_names(value: object, seats: int) -> tuple[str, ...]:
    if value is None:
        return ()
    count: object = value
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        if len(set(value)) < len(value):
            raise FieldError("two seats have the same name", key="seats")
        count = len(value)
    if not _is_number(count):
        raise FieldError(
            f"seats is {_shown(value)}: write a number, or names like {_EXAMPLES['seats']}", key="seats"
        )
    if count != seats:
        raise FieldError(f"{count} seats, but {seats} hands: give one hand for each seat", key="seats")
    return tuple(value) if isinstance(value, list) else ()


def _seat(value: object, names: Sequence[str], key: str, word: str = "") -> int:
    if isinstance(value, str) and names:
        if value not in names:
            raise FieldError(str(UnknownName("seat", value[:40], names)), key=key, word=word)
        return names.index(value)
    if not _is_number(value):
        raise FieldError(f"{key}: {_shown(value)} is no seat number", key=key, word=word)
    assert isinstance(value, int)
    return value


def _tasks(value: object, deck: Deck, names: Sequence[str], seats: int, leader: int) -> Tasks:
    if not isinstance(value, dict):
        raise FieldError(
            f'tasks is {_shown(value)}: write fixed = {{"B7" = 0}} or free = ["B7"]', key="tasks"
        )
    _known(value, TASK_FIELDS, "key of tasks")
    if "fixed" in value and "free" in value:
        raise FieldError("tasks are fixed or free, never both: drop one of the two", key="free")
    if "free" in value:
        return _free(value, deck, seats, leader)
    for key in ("counts", "at_most"):
        if key in value:
            raise FieldError(f"{key} is for free tasks only", key=key)
    fixed = value.get("fixed", {})
    if not isinstance(fixed, dict):
        raise FieldError(f'fixed is {_shown(fixed)}: write {{"B7" = 0, "G2" = 1}}', key="fixed")
    return FixedTasks.of(
        {_card(word, deck, "fixed"): _seat(seat, names, "fixed", word) for word, seat in fixed.items()}, deck
    )


def _free(value: Mapping[str, Any], deck: Deck, seats: int, leader: int) -> FreeTasks:
    cards = [_card(word, deck, "free") for word in _words(value["free"], "free")]
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise FieldError(f"task {card} is given twice", key="free", word=str(card), nth=2)
    counts, at_most = value.get("counts"), value.get("at_most", False)
    if not isinstance(at_most, bool):
        raise FieldError(f"at_most is {_shown(at_most)}, not true or false", key="at_most")
    if counts is None:
        counts = list(round_robin(len(cards), seats, leader))
    if not isinstance(counts, list) or not all(_is_number(count) for count in counts):
        raise FieldError(f"counts is {_shown(counts)}: write one number for each seat", key="counts")
    return FreeTasks(deck.set(cards), tuple(counts), at_most)
