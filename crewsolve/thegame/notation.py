"""Decks and games as text: one line each, `#` comments, many to a file.

    name; 2..99 up=2 down=2 turn=2 hand=8 trick=10; 34 17 80 …            a deck, in drawing order
    name; 2..99; 34 17 80 …; 34u1 36u1 | 80d2 70d2 | …                    a game: the turns after the deck

What is left out of the parameters is as in the box; the name and the parameters may be empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from crewsolve.errors import BadFile, CrewError
from crewsolve.thegame.errors import BadOrder, BadParameters, IllegalMove
from crewsolve.thegame.model import Move, Parameters
from crewsolve.thegame.simulator import Deck, Game, Turn, write_move

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_MOVE = re.compile(r"(-?\d+)([ud])(\d+)")
_NAMES = ("up", "down", "turn", "hand", "trick")


def parse_parameters(text: str) -> Parameters:
    """Read parameters; what is left out is as in the box.

    >>> parse_parameters("1..20 hand=5 trick=4").hand
    5
    """
    found: dict[str, int] = {}
    for word in text.split():
        name, equals, number = word.partition("=")
        if match := _RANGE.fullmatch(word):
            found.update(low=int(match[1]), high=int(match[2]))
        elif not equals or name not in _NAMES or not re.fullmatch(r"-?\d+", number):
            raise BadParameters(
                f"{word!r} is no parameter: write 2..99 or one of {', '.join(_NAMES)} as hand=8"
            )
        elif name in found:
            raise BadParameters(f"{name} is given twice")
        else:
            found[name] = int(number)
    return Parameters(**found)


def parse_deck(line: str) -> Deck:
    """Read a deck from a line.

    >>> parse_deck("tiny; 1..4 hand=2 trick=2; 3 1 4 2").order
    (3, 1, 4, 2)
    """
    item = parse(line)
    return item.deck if isinstance(item, Game) else item


def parse_game(line: str) -> Game:
    """Read a game from a line; it is replayed only when asked about its states."""
    item = parse(line)
    if isinstance(item, Deck):
        raise IllegalMove("a game needs its turns after the deck: `; 34u1 36u1 | …`", turn=1)
    return item


def parse(line: str) -> Deck | Game:
    """Read a deck, or a game where turns follow the cards."""
    fields = [field.strip() for field in line.split(";")]
    if len(fields) == 1:
        fields = ["", "", *fields]
    elif len(fields) == 2:
        fields = ["", *fields]
    if len(fields) > 4:
        raise BadOrder(f"{len(fields)} fields where `name; parameters; cards; turns` has four")
    parameters = parse_parameters(fields[1])
    deck = Deck(tuple(_card(word) for word in fields[2].replace(",", " ").split()), parameters, fields[0])
    return deck if len(fields) == 3 else Game(deck, tuple(_turns(parameters, fields[3])))


def write_deck(deck: Deck) -> str:
    """Write a deck on one line; `parse_deck` reads it back."""
    return f"{deck.name}; {deck.parameters}; {' '.join(map(str, deck.order))}"


def write_game(game: Game) -> str:
    """Write a game on one line; `parse_game` reads it back."""
    return f"{write_deck(game.deck)}; {write_turns(game.deck.parameters, game.turns)}"


def write_turns(parameters: Parameters, turns: Iterable[Turn]) -> str:
    """Write turns like `34u1 36u1 | 80d2 70d2`."""
    return " | ".join(" ".join(write_move(parameters, move) for move in turn) for turn in turns)


def loads(text: str, *, file: str = "") -> list[Deck | Game]:
    """Read all decks and games of a text; a mistake is reported with its line."""
    return list(_scan(text.splitlines(), file))


def load(source: str | Path | TextIO) -> list[Deck | Game]:
    """Read all decks and games of a file."""
    if isinstance(source, (str, Path)):
        try:
            return loads(Path(source).read_text(encoding="utf-8"), file=str(source))
        except OSError as error:
            raise BadFile(error.strerror or str(error), file=str(source)) from error
        except UnicodeDecodeError as error:
            raise BadFile("not a text file in UTF-8", file=str(source)) from error
    return loads(source.read(), file=getattr(source, "name", ""))


def dumps(items: Iterable[Deck | Game]) -> str:
    """Write decks and games, one line each."""
    return "".join(
        (write_game(item) if isinstance(item, Game) else write_deck(item)) + "\n" for item in items
    )


def dump(items: Iterable[Deck | Game], target: TextIO) -> None:
    """Write decks and games to a file."""
    target.write(dumps(items))


def _scan(lines: Iterable[str], file: str) -> Iterator[Deck | Game]:
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                yield parse(text)
            except CrewError as error:
                raise BadFile(str(error), file=file, line=number) from error


def _card(word: str) -> int:
    if not re.fullmatch(r"-?\d+", word):
        raise BadOrder(f"{word!r} is no card: cards are whole numbers in drawing order")
    return int(word)


def _turns(parameters: Parameters, text: str) -> Iterator[Turn]:
    for number, turn in enumerate(text.split("|") if text else (), start=1):
        yield tuple(_move(parameters, word, number) for word in turn.split())


def _move(parameters: Parameters, word: str, turn: int) -> Move:
    match = _MOVE.fullmatch(word)
    if match is None:
        raise IllegalMove(f"{word!r} is no move: write the card and the pile, like 34u1 or 80d2", turn=turn)
    most = parameters.up if match[2] == "u" else parameters.down
    if not 1 <= int(match[3]) <= most:
        raise IllegalMove(
            f"{word}: there are {most} piles {match[2]}1 to {match[2]}{most}", turn=turn, move=word
        )
    return Move(int(match[1]), int(match[3]) - 1 + (0 if match[2] == "u" else parameters.up))


__all__ = [
    "dump",
    "dumps",
    "load",
    "loads",
    "parse",
    "parse_deck",
    "parse_game",
    "parse_parameters",
    "write_deck",
    "write_game",
    "write_turns",
]
