"""Finds wins quickly: a beam over positions with equally many cards laid, on the known deck.

Positions are ranked by the penalty of the strategy `distance`, applied to all unplayed cards: what counts is
that each of them stays playable. The beam widens until it finds a win or reaches its limit; turns longer than
the minimum are tried at the end. It proves no loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from crewsolve.result import Verdict
from crewsolve.thegame.model import Move
from crewsolve.thegame.simulator import Deck, Game, Turn
from crewsolve.thegame.winnability import Answer, Limits

_FIRST_WIDTH = 30
_ALPHAS = (3.5, 8.0, 20.0)
"""Penalties tried at every width: low ones give up single cards, high ones none."""


def solve(deck: Deck, limits: Limits) -> Answer:
    """Look for a win with wider and wider beams."""
    for width, long_turns in _beams(limits.width):
        for alpha in _ALPHAS:
            turns = _search(deck, width, alpha, long_turns=long_turns)
            if turns:
                return Answer(deck, Verdict.WINNABLE, "finder", Game(deck, turns))
    return Answer(deck, Verdict.UNKNOWN, "finder", reason=f"no win within a beam of {limits.width} positions")


def _beams(most: int) -> Iterator[tuple[int, bool]]:
    width = _FIRST_WIDTH
    while width < most:
        yield width, False
        width *= 10
    yield most, False
    yield most, True


def _search(deck: Deck, width: int, alpha: float, *, long_turns: bool) -> tuple[Turn, ...]:
    """One beam; the turns of a win, if it holds one."""
    import numpy as np

    from crewsolve.thegame._beam import beam
    from crewsolve.thegame.playing import kernel_numbers

    rules = deck.parameters
    values = (("alpha", alpha), ("beta", 1.0), ("gamma", 0.03))
    penalty = kernel_numbers("distance", values, rules).penalty
    order = np.array([card - rules.low for card in deck.order], np.int64)
    codes, begun = beam(
        order, rules.up, rules.down, rules.turn, rules.hand, rules.trick, penalty, width, long_turns
    ).tolist()
    moves = [Move(code // rules.piles + rules.low, code % rules.piles) for code in codes]
    grouped = groupby(zip(moves, begun, strict=True), key=lambda pair: pair[1])
    return tuple(tuple(move for move, _ in pairs) for _, pairs in grouped)
