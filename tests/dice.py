"""A toy experiment for the engine's tests: dice whose throws depend on seed, cell and number alone.

Run as a script it works on a store until it is done: `python -m tests.dice STORE SECONDS_PER_ITEM`.
"""

from __future__ import annotations

import os
import sys
import time

from crewsolve.experiments import KINDS, Cell, Chunk, Experiment, Kind, Row, Store, get_executor, run_in
from crewsolve.randomness import Stream

NAME = "dice"


def throw(chunk: Chunk, number: int) -> int:
    """The throw of one item."""
    return Stream(chunk.seed, chunk.cell["sides"], number).below(chunk.cell["sides"])


def run(chunk: Chunk) -> list[Row]:
    """Throw every die of the chunk; those above the setting `limit` stay undecided."""
    rows = []
    for number in chunk.numbers:
        time.sleep(chunk.settings.get("sleep", 0))
        _die_once(chunk, number)
        thrown = throw(chunk, number)
        decided = thrown < chunk.settings.get("limit", 1000)
        rows.append(Row(number, thrown if decided else None, decided, "" if decided else f"die {number}"))
    return rows


def _die_once(chunk: Chunk, number: int) -> None:
    """End this process the first time it comes to the item `deadly`; with `always`, every time."""
    mark = chunk.settings.get("mark")
    if mark and number == chunk.settings["deadly"]:
        if not os.path.exists(mark) or chunk.settings.get("always"):
            with open(mark, "a", encoding="ascii") as file:
                file.write("x")
            os._exit(9)


def twins(chunk: Chunk) -> list[str]:
    """Equal throws are twins where the settings say so."""
    return [str(throw(chunk, number)) if chunk.settings.get("twins") else "" for number in chunk.numbers]


def table(store: Store) -> list[dict[str, object]]:
    """Counts of each throw."""
    return [{**cell, **store.tally(cell)} for cell, _ in store.cells()]


DICE = Kind("throws", run, table, twins)


def experiment(
    *, items: int = 40, sides: tuple[int, ...] = (6, 20), seed: int = 1, **settings: object
) -> Experiment:
    """Dice of several sizes, thrown `items` times each."""
    KINDS[NAME] = "tests.dice:DICE"
    cells = tuple(Cell({"sides": n}, items) for n in sides)
    return Experiment(NAME, seed, {"colour": "red"}, cells, settings)


if __name__ == "__main__":
    path, sleep, workers = sys.argv[1:]
    run_in(path, experiment(sleep=float(sleep)), executor=get_executor(workers=int(workers)), chunk=2).close()
