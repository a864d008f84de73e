"""What an experiment is: a seeded description, cells that do not depend on each other, chunks of their items.

The description has three parts. *Identity* (`kind`, `seed`, `parameters`) decides every result: a store
holds one identity for ever. *Cells* say how much is wanted: more cells and more items extend a store.
*Settings* say how hard to look (method, budgets): they may leave an item undecided, never change a result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crewsolve.errors import CrewError

Json = Any
"""A value that survives a round trip through JSON."""


def canonical(value: Json) -> str:
    """The one JSON text of a value: sorted keys, no spaces.

    >>> canonical({"seats": 4, "deck": "4x9+4"})
    '{"deck":"4x9+4","seats":4}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Cell:
    """One point of an experiment, such as `{"tasks": 12}`, with the number of items wanted there."""

    key: Mapping[str, Json]
    items: int

    def __post_init__(self) -> None:
        if self.items < 0:
            raise CrewError(f"a cell cannot have {self.items} items")

    @property
    def name(self) -> str:
        """The key as its canonical text."""
        return canonical(self.key)


@dataclass(frozen=True)
class Experiment:
    """A complete description: what to run (a row of `KINDS`), on what, how much, how hard.

    >>> Experiment("sweep", 1, {"deck": "4x9+4"}, (Cell({"tasks": 3}, 100),)).items
    100
    """

    kind: str
    seed: int
    parameters: Mapping[str, Json]
    cells: tuple[Cell, ...]
    settings: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise CrewError(f"seed {self.seed}: a seed is a whole number from 0")
        names = [cell.name for cell in self.cells]
        for name in names:
            if names.count(name) > 1:
                raise CrewError(f"cell {name} is listed twice")

    @property
    def identity(self) -> dict[str, Json]:
        """The part that a store holds for ever."""
        return {"kind": self.kind, "seed": self.seed, "parameters": dict(self.parameters)}

    @property
    def items(self) -> int:
        """All items wanted."""
        return sum(cell.items for cell in self.cells)

    @property
    def reproducible(self) -> bool:
        """Whether no clock decides what stays undecided."""
        return self.settings.get("time_limit") is None


def differences(stored: Mapping[str, Json], asked: Mapping[str, Json]) -> list[str]:
    """What two identities disagree on, one phrase each.

    >>> differences({"seed": 1, "parameters": {"seats": 4}}, {"seed": 1, "parameters": {"seats": 5}})
    ['seats is 4, not 5']
    """
    left = {**stored, **stored["parameters"]}
    right = {**asked, **asked["parameters"]}
    names = [name for name in {**left, **right} if name != "parameters"]
    return [
        f"{name} is {_shown(left.get(name))}, not {_shown(right.get(name))}"
        for name in names
        if left.get(name) != right.get(name)
    ]


def _shown(value: Json) -> str:
    return value if isinstance(value, str) and value else canonical(value)


def versions() -> dict[str, str]:
    """The versions of everything that takes part in a result, without importing any of it."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from crewsolve import __version__

    found = {"crewsolve": __version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "python-sat", "ortools", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def parse_numbers(text: str) -> tuple[int, ...]:
    """Read ranges and lists of whole numbers, in rising order and without repetition.

    >>> parse_numbers("1-5,8,10")
    (1, 2, 3, 4, 5, 8, 10)
    """
    numbers: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ends = [first, last] if dash else [first, first]
        if not all(end.strip().isdecimal() for end in ends):
            raise CrewError(f"{part.strip()!r} is no number or range: write 1-5,8,10")
        low, high = map(int, ends)
        if low > high:
            raise CrewError(f"the range {part.strip()} runs backwards: write {high}-{low}")
        if high > 10_000:
            raise CrewError(f"{part.strip()} reaches beyond 10000")
        numbers.update(range(low, high + 1))
    return tuple(sorted(numbers))


def cells_of(keys: Sequence[Mapping[str, Json]], items: int) -> tuple[Cell, ...]:
    """One cell of `items` items for each key."""
    return tuple(Cell(key, items) for key in keys)
