"""What the players cost: milliseconds for a game of each, and hidden hands drawn in a second.

Every player plays the same deals of the real game with four seats, all seats by the same player; the last
column compares it with the solver player, which is what equal thinking time means in tournaments.

    python benchmarks/players.py [--games 20] [--tasks 3,5,8] [--players "smart;ignorant:playouts=1100"]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from crewsolve.agents import CARD_AGENTS, line_up
from crewsolve.agents.table import play_game
from crewsolve.cards import Deck
from crewsolve.deal import random_deal
from crewsolve.experiments import parse_numbers
from crewsolve.experiments.printing import text_table
from crewsolve.position import Position
from crewsolve.proofs.sampling import sample_many
from crewsolve.randomness import Stream
from crewsolve.view import View

REAL, SEATS, SEED = Deck.parse("4x9+4"), 4, 98
YARDSTICK = "solver"


def game_milliseconds(names: Sequence[str], tasks: int, games: int) -> dict[str, float]:
    """Processor time of one game on average for every player; what is compiled is compiled before.

    The players take turns at every deal, so that a busier machine is busier for all of them.
    """
    line_ups = {name: line_up(name, SEATS) for name in names}
    deals = [random_deal(REAL, seats=SEATS, tasks=tasks, key=(SEED, tasks, n)) for n in range(games)]
    spent = dict.fromkeys(names, 0.0)
    for players in line_ups.values():
        play_game(deals[0], players, (SEED,))
    for number, deal in enumerate(deals):
        for name, players in line_ups.items():
            started = time.process_time()
            play_game(deal, players, (SEED, tasks, number))
            spent[name] += time.process_time() - started
    return {name: 1000 * seconds / games for name, seconds in spent.items()}


def determinizations_per_second(tricks: int, *, batch: int = 100, batches: int = 50) -> float:
    """Uniform hidden hands drawn after so many random tricks, in batches as the players draw them."""
    position, stream = Position.of(random_deal(REAL, seats=SEATS, tasks=3, key=(SEED, 0))), Stream(SEED, 1)
    for _ in range(SEATS * tricks):
        legal = list(position.legal)
        position = position.play(legal[stream.below(len(legal))])
    view = View.of(position, position.seat)
    sample_many(view, batch, stream)
    started = time.process_time()
    for _ in range(batches):
        sample_many(view, batch, stream)
    return batch * batches / (time.process_time() - started)


def table(names: Sequence[str], numbers: Sequence[int], games: int) -> str:
    """Milliseconds for a game of every player, and as a multiple of the solver player's."""
    everybody = list(dict.fromkeys([YARDSTICK, *names]))
    measured = {tasks: game_milliseconds(everybody, tasks, games) for tasks in numbers}
    rows = []
    for name in names:
        costs = [measured[tasks][name] for tasks in numbers]
        ratios = [f"{measured[tasks][name] / measured[tasks][YARDSTICK]:.2f}" for tasks in numbers]
        rows.append([name, *(f"{cost:.1f}" for cost in costs), " ".join(ratios)])
    return text_table(["player", *(f"{n} tasks, ms" for n in numbers), f"times {YARDSTICK}"], rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--tasks", type=parse_numbers, default=(3, 5, 8))
    parser.add_argument("--players", default=";".join(CARD_AGENTS), help="separated by semicolons")
    asked = parser.parse_args()
    print(table(asked.players.split(";"), asked.tasks, asked.games))
    for tricks in (0, 3, 6):
        print(
            f"{determinizations_per_second(tricks):>10,.0f} determinizations a second after {tricks} tricks"
        )


if __name__ == "__main__":
    main()
