"""Strategies at play: one game on a known deck, or many random ones, by compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from crewsolve.errors import TooLarge, UnknownName
from crewsolve.randomness import Stream
from crewsolve.thegame.errors import BadStrategy
from crewsolve.thegame.model import DEFAULT, Move, Parameters
from crewsolve.thegame.simulator import Deck, Game
from crewsolve.thegame.strategies import Strategy
from crewsolve.thegame.values import AS_MEANT, Capacity

if TYPE_CHECKING:
    import numpy as np

    from crewsolve.thegame._play import Desk
    from crewsolve.thegame._table import Numbers, Rules

TIES = ("first", "last", "by-pile", "random", "unsorted", "own")
"""How equal turns are told apart, in the order of the kernels' constants.

By card and then pile, the reverse, by pile and then card, by lot, or `unsorted`: as the cards lie in a hand
that is never sorted, where a drawn card comes last and the last one takes the place of a played one, and then
by pile. `own` asks before that what the turns are worth by themselves: at extra depth one position is reached
over several turns.
"""

_FIRST_ROOM, _LAST_ROOM = 1 << 10, 1 << 21


@dataclass(frozen=True)
class Player:
    """A strategy with its search depth and its way with ties, for one set of rules."""

    strategy: Strategy
    parameters: Parameters = DEFAULT
    depth: int = 0
    ties: str = "first"

    def __post_init__(self) -> None:
        if self.ties not in TIES:
            raise UnknownName("rule for ties", self.ties, TIES)
        if self.depth < 0:
            raise BadStrategy(f"the extra depth cannot be negative: {self.depth}")
        if self.parameters.hand > 62:
            raise TooLarge(f"the kernels hold hands of at most 62 cards, not {self.parameters.hand}")
        longest = min(self.parameters.turn + self.depth, self.parameters.hand)
        if longest > 16:
            raise TooLarge(f"the search looks at turns of at most 16 cards, not {longest}")

    def play(self, deck: Deck, *, lot: int = 0) -> Game:
        """Play a deck; the record is replayed by the judge. `lot` seeds the ties rule `random`."""
        import numpy as np

        from crewsolve.thegame._play import play_game
        from crewsolve.thegame._random import open_stream, seed_words

        order = np.array([card - self.parameters.low for card in deck.order], np.int64)
        moves = np.zeros(self.parameters.size, np.int16)
        laid = -1
        while laid < 0:
            desk = self._desk
            open_stream(seed_words(lot), np.uint64(0), desk.stream)
            laid, _ = play_game(order, self._numbers, self._rules, TIES.index(self.ties), desk, moves)
            if laid < 0:
                self._grow()
        return self.game(deck, moves[:laid])

    def game(self, deck: Deck, codes: np.ndarray) -> Game:
        """The record of a game whose moves are given as card * piles + pile."""
        piles, turn = self.parameters.piles, self.parameters.turn
        moves = [Move(int(code) // piles + self.parameters.low, int(code) % piles) for code in codes]
        turns = [tuple(moves[i : i + turn]) for i in range(0, len(moves), turn)]
        game = Game(deck, tuple(turns))
        assert game.states  # replayed
        return game

    def play_random(self, seed: int, first: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play `count` random decks of a seed from number `first`: cards laid, tricks, moves."""
        import numpy as np

        from crewsolve.thegame._play import play_block
        from crewsolve.thegame._random import seed_words

        laid, tricks = np.zeros(count, np.int64), np.zeros(count, np.int64)
        moves = np.zeros((count, self.parameters.size), np.int16)
        words, done = seed_words(seed), 0
        while done < count:
            done += play_block(
                words, first + done, self._numbers, self._rules, TIES.index(self.ties), self._desk,
                laid[done:], tricks[done:], moves[done:],
            )  # fmt: skip
            if done < count:
                self._grow()
        return laid, tricks, moves

    @cached_property
    def _rules(self) -> Rules:
        from crewsolve.thegame._table import Rules

        rules = self.parameters
        return Rules(rules.size, rules.up, rules.down, rules.turn, rules.hand, rules.trick, self.depth)

    @cached_property
    def _numbers(self) -> Numbers:
        return kernel_numbers(self.strategy.name, tuple(self.strategy.values.items()), self.parameters)

    @cached_property
    def _room(self) -> list[Desk]:
        from crewsolve.thegame._play import make_desk

        return [make_desk(self._rules, _FIRST_ROOM)]

    @property
    def _desk(self) -> Desk:
        return self._room[0]

    def _grow(self) -> None:
        """Make room for more ways to play a turn; gives up where a turn has too many."""
        from crewsolve.thegame._play import make_desk

        entries = 4 * len(self._desk.up.cards)
        if entries > _LAST_ROOM:
            raise TooLarge(
                f"a turn of {self.parameters.turn + self.depth} cards from a hand of {self.parameters.hand} "
                f"has more than {_LAST_ROOM // 4} ways to lay one side: choose a smaller depth"
            )
        self._room[0] = make_desk(self._rules, entries)


@lru_cache(maxsize=32)
def kernel_numbers(name: str, values: tuple[tuple[str, float], ...], parameters: Parameters) -> Numbers:
    """The tables of a strategy for the kernels."""
    import numpy as np

    from crewsolve.thegame._table import BRIDGES, PENALTY, PERCEIVED, REAL, Numbers
    from crewsolve.thegame.strategies import STRATEGIES

    value = STRATEGIES[name].build(parameters, dict(values))
    if isinstance(value, Capacity):
        weights = np.array(value.whole_weights, np.int64)
        kind = REAL if value.is_real else PERCEIVED
        return Numbers(kind, weights, np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), 1.0, AS_MEANT)
    penalty = np.ones((2, parameters.size + 2, parameters.size))
    for direction, pile in ((0, 0), (1, parameters.up)):
        for top in range(parameters.size + 2) if direction or parameters.up else ():
            for card in range(parameters.size):
                shown, laid = top + parameters.low - 1, card + parameters.low
                is_open = parameters.allows(pile, shown, laid)
                penalty[direction, top, card] = value.open_ if is_open else value.closed[abs(card + 1 - top)]
    bridge = np.zeros((parameters.size + 1, 1, 1)) if value.bridge is None else np.array(value.bridge)
    kind = PENALTY if value.bridge is None else BRIDGES
    magic = 1.5 * 2.0 ** (52 - value.grid)
    return Numbers(kind, np.zeros(1, np.int64), penalty, bridge, magic, value.reading)


def random_deck(parameters: Parameters, seed: int, index: int = 0) -> Deck:
    """Deck number `index` of a seed: a Fisher-Yates shuffle on the stream of (seed, index)."""
    order = Stream(seed, index).shuffled(list(parameters.cards))
    return Deck(tuple(order), parameters, f"{seed}-{index}")
