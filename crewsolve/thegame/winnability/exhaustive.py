"""Exact answers for small games: every position is visited once.

A position is what is in hand, what the piles show, and how many cards of the turn are played. Piles of one
direction are interchangeable, so their tops are compared sorted. Turns of twice the minimum or more need
no look: drawing after the first half gives the same plays and more cards.
"""

from __future__ import annotations

from crewsolve.result import Verdict
from crewsolve.thegame.model import Move
from crewsolve.thegame.simulator import Deck, Game
from crewsolve.thegame.winnability import Answer, Limits

Key = tuple[frozenset[int], tuple[int, ...], int, int]


class _OutOfStates(Exception):
    """The limit on states was reached."""


def solve(deck: Deck, limits: Limits) -> Answer:
    """Search all ways to play the deck."""
    search = _Search(deck, limits.states)
    try:
        line = search.win(frozenset(deck.order[: deck.parameters.hand]), deck.parameters.empty_tops)
    except _OutOfStates:
        return Answer(deck, Verdict.UNKNOWN, "exhaustive", reason=f"{limits.states} positions visited")
    if line is None:
        reason = f"all {len(search.seen)} positions lose"
        return Answer(deck, Verdict.UNWINNABLE, "exhaustive", reason=reason)
    return Answer(deck, Verdict.WINNABLE, "exhaustive", Game(deck, line))


class _Search:
    def __init__(self, deck: Deck, limit: int | None) -> None:
        self.deck, self.rules, self.limit = deck, deck.parameters, limit
        self.seen: set[Key] = set()

    def win(self, hand: frozenset[int], tops: tuple[int, ...]) -> tuple[tuple[Move, ...], ...] | None:
        """The turns of a win from the start, or none; the stack is explicit, games may be long."""
        drawn = len(hand)
        stack = [(hand, tops, drawn, 0, self._options(hand, tops))]
        line: list[tuple[Move, bool]] = []  # each move, and whether the turn ends after it
        while stack:
            hand, tops, drawn, played, options = stack[-1]
            if not hand and drawn == self.rules.size:
                return self._turns(line)
            if not options:
                stack.pop()
                if line:
                    line.pop()
                continue
            move = options.pop()
            rest = hand - {move.card}
            shown = (*tops[: move.pile], move.card, *tops[move.pile + 1 :])
            for ends in (False, True):
                following = self._after(rest, shown, drawn, played + 1, ends=ends)
                if following is not None:
                    line.append((move, ends))
                    if not ends and self._may_end(drawn, played + 1):
                        options.append(move)  # come back to end the turn here
                    stack.append((*following, self._options(following[0], following[1])))
                    break
        return None

    def _may_end(self, drawn: int, played: int) -> bool:
        return drawn < self.rules.size and played >= self.rules.turn

    def _after(
        self, hand: frozenset[int], tops: tuple[int, ...], drawn: int, played: int, *, ends: bool
    ) -> tuple[frozenset[int], tuple[int, ...], int, int] | None:
        """The position after a move, drawing when the turn ends; none if it was seen or cannot be."""
        if ends:
            if not self._may_end(drawn, played):
                return None
            wanted = self.rules.hand - len(hand)
            hand, played = hand | set(self.deck.order[drawn : drawn + wanted]), 0
            drawn = min(drawn + wanted, self.rules.size)
        elif drawn < self.rules.size and played >= 2 * self.rules.turn:
            return None
        owed = 0 if drawn == self.rules.size else played
        up, down = sorted(tops[: self.rules.up]), sorted(tops[self.rules.up :])
        key = (hand, (*up, *down), drawn, owed)
        if key in self.seen:
            return None
        if self.limit is not None and len(self.seen) >= self.limit:
            raise _OutOfStates
        self.seen.add(key)
        return hand, tops, drawn, owed

    def _options(self, hand: frozenset[int], tops: tuple[int, ...]) -> list[Move]:
        return [
            Move(card, pile)
            for card in sorted(hand)
            for pile, top in enumerate(tops)
            if self.rules.allows(pile, top, card)
        ]

    def _turns(self, line: list[tuple[Move, bool]]) -> tuple[tuple[Move, ...], ...]:
        turns: list[list[Move]] = [[]]
        for move, ends in line:
            turns[-1].append(move)
            if ends:
                turns.append([])
        return tuple(tuple(turn) for turn in turns if turn)
