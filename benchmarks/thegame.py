"""The Game: games that each strategy plays in a second, and how many times its plain twin that is.

The twin lists every turn and values every position in plain Python; it plays the same decks, fewer of them.

    python -m benchmarks.thegame [--games 2000] [--twin 2] [--depth 0]
"""

from __future__ import annotations

import argparse
import time

from crewsolve.experiments.printing import text_table
from crewsolve.thegame.model import DEFAULT
from crewsolve.thegame.playing import Player, random_deck
from crewsolve.thegame.strategies import STRATEGIES
from tests.thegame import plain

SEED = 2019


def kernel_rate(player: Player, games: int) -> float:
    """Games in a second of processor time; what is compiled is compiled before."""
    player.play_random(SEED, 0, 1)
    started = time.process_time()
    player.play_random(SEED, 0, games)
    return games / (time.process_time() - started)


def twin_rate(player: Player, games: int) -> float:
    """The same for the plain twin."""
    decks = [random_deck(DEFAULT, SEED, index) for index in range(games)]
    started = time.process_time()
    for deck in decks:
        plain.play(player, deck)
    return games / (time.process_time() - started)


def table(games: int, twin: int, depth: int) -> str:
    """One row for each strategy."""
    rows = []
    for name, strategy in STRATEGIES.items():
        player = Player(strategy, depth=depth)
        ours, theirs = kernel_rate(player, games), twin_rate(player, twin)
        rows.append([name, f"{ours:,.0f}", f"{theirs:.3g}", f"{ours / theirs:,.0f}"])
    return text_table(["strategy", "games/s", "twin, games/s", "times the twin"], rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--twin", type=int, default=2)
    parser.add_argument("--depth", type=int, default=0)
    given = parser.parse_args()
    print(table(given.games, given.twin, given.depth))


if __name__ == "__main__":
    main()
