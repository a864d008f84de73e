"""Tournaments: every line-up plays the same deals, on the engine of the sweeps.

A cell is a line-up and a number of tasks. Game number i with n tasks is played on the random deal of the key
(seed, n, i), which is also that of a sweep with this seed, and every seat draws from a stream of the same key
and its own number. So what a line-up does depends neither on the other line-ups nor on the order of anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crewsolve.agents import line_up
from crewsolve.agents.table import play_game
from crewsolve.errors import CrewError
from crewsolve.experiments.deals import RandomDeals
from crewsolve.experiments.description import Experiment, Json, cells_of
from crewsolve.experiments.kinds import Chunk, Kind, Row
from crewsolve.experiments.store import Store


@dataclass(frozen=True)
class Arena(RandomDeals):
    """The deals that all line-ups play.

    >>> from crewsolve.cards import Deck
    >>> Arena(Deck.parse("4x9"), seats=3, free=True).leader
    'drawn'
    """

    def experiment(
        self, *, line_ups: Sequence[str], tasks: Iterable[int], games: int, seed: int
    ) -> Experiment:
        """The experiment in which each line-up plays `games` games for each number of `tasks`."""
        names = [checked_line_up(text, self.seats) for text in line_ups]
        if not names:
            raise CrewError("nobody plays: name at least one line-up")
        for name in names:
            if names.count(name) > 1:
                raise CrewError(f"line-up {name} is named twice")
        numbers, most = list(tasks), self.deck.colour_cards
        for number in numbers:
            if not 1 <= number <= most:
                raise CrewError(f"{number} tasks: deck {self.deck} has 1 to {most} to play for")
        keys = [{"players": name, "tasks": number} for number in numbers for name in names]
        slowest = max(seconds_of(name, self.seats) for name in names)
        settings = {"time_limit": slowest} if slowest else {}
        return Experiment("arena", seed, self.parameters(), cells_of(keys, games), settings)


def checked_line_up(text: str, seats: int) -> str:
    """The line-up without needless blanks; one that cannot be seated is refused.

    >>> checked_line_up(" smart, random,random ", 3)
    'smart,random,random'
    """
    return ",".join(player.name for player in line_up(text, seats)[: text.count(",") + 1])


def seconds_of(text: str, seats: int) -> float:
    """The longest time that a player of the line-up thinks by the clock; 0 where no clock decides."""
    agents = [agent for player in line_up(text, seats) for agent in (player.tasks, player.cards)]
    return max(getattr(agent, "seconds", None) or 0.0 for agent in agents)


def run(chunk: Chunk) -> list[Row]:
    """Play the games of a chunk: each row says whether the game was won and how many tasks were done."""
    arena, tasks = Arena.of(chunk.parameters), chunk.cell["tasks"]
    players = line_up(chunk.cell["players"], arena.seats)
    rows = []
    for number in chunk.numbers:
        key = chunk.seed, tasks, number
        game = play_game(arena.deal(*key, tasks=tasks), players, key)
        rows.append(Row(number, {"won": game.won, "done": game.tasks_done}))
    return rows


def table(store: Store) -> list[dict[str, Json]]:
    """The scores of every line-up."""
    from crewsolve.agents.standings import read_standings

    return [score.record() for score in read_standings(store).scores]


ARENA = Kind("games", run, table)
