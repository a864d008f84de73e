"""The deck as a CP-SAT model.

Every card has a time and a predecessor: the card that it covers, or the bottom of a pile. A predecessor on an
ascending pile is lower, or exactly a trick higher; on a descending one the other way round. A card that is
drawn later waits for the end of a turn that brings it: `ends[j]` says that a turn ends after j cards, and
ends lie at least a minimum turn apart.
"""

from __future__ import annotations

import itertools
from typing import Any

from crewsolve.result import Verdict
from crewsolve.thegame.model import Move, Parameters
from crewsolve.thegame.simulator import Deck, Game
from crewsolve.thegame.winnability import Answer, Limits

BOTTOM = None
"""What the first card of a pile covers."""


def solve(deck: Deck, limits: Limits) -> Answer:
    """Let CP-SAT decide the deck."""
    from ortools.sat.python import cp_model

    model = _Model(deck)
    solver = cp_model.CpSolver()
    solver.parameters.num_search_workers = 1
    if limits.seconds is not None:
        solver.parameters.max_time_in_seconds = limits.seconds
    if limits.conflicts is not None:
        solver.parameters.max_number_of_conflicts = limits.conflicts
    status = solver.solve(model.model)
    if status == cp_model.INFEASIBLE:
        return Answer(deck, Verdict.UNWINNABLE, "cpsat", reason="the model has no solution")
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Answer(deck, Verdict.UNKNOWN, "cpsat", reason="a limit was reached")
    return Answer(deck, Verdict.WINNABLE, "cpsat", model.game(solver))


class _Model:
    def __init__(self, deck: Deck) -> None:
        from ortools.sat.python import cp_model

        self.deck, self.rules = deck, deck.parameters
        self.model = cp_model.CpModel()
        size = self.rules.size
        self.times = {card: self.model.new_int_var(0, size - 1, f"time {card}") for card in self.rules.cards}
        self.model.add_all_different(list(self.times.values()))
        self.arcs = self._make_arcs()
        self._cover_once()
        self.ends = self._make_ends()
        self._wait_for_cards()

    def _make_arcs(self) -> dict[tuple[bool, int | None, int], Any]:
        """A literal for each (ascending?, predecessor, card) that the rules allow; it orders their times."""
        arcs: dict[tuple[bool, int | None, int], Any] = {}
        for ascends, pile, piles in ((True, 0, self.rules.up), (False, self.rules.up, self.rules.down)):
            if not piles:
                continue
            for card in self.rules.cards:
                arcs[ascends, BOTTOM, card] = self.model.new_bool_var(f"{card} on the bottom")
                for below in self.rules.cards:
                    if below != card and self.rules.allows(pile, below, card):
                        arc = self.model.new_bool_var(f"{card} on {below}")
                        self.model.add(self.times[below] < self.times[card]).only_enforce_if(arc)
                        arcs[ascends, below, card] = arc
        return arcs

    def _cover_once(self) -> None:
        """Every card covers one thing and is covered at most once, on a pile of one direction."""
        directions = [d for d, piles in ((True, self.rules.up), (False, self.rules.down)) if piles]
        into: dict[tuple[bool, int], list[Any]] = {(d, c): [] for d in directions for c in self.rules.cards}
        out: dict[tuple[bool, int | None], list[Any]] = {
            (d, c): [] for d in directions for c in (BOTTOM, *self.rules.cards)
        }
        for (ascends, below, card), arc in self.arcs.items():
            into[ascends, card].append(arc)
            out[ascends, below].append(arc)
        for card in self.rules.cards:
            self.model.add_exactly_one(arc for d in directions for arc in into[d, card])
            for d in directions:
                self.model.add(sum(out[d, card]) <= sum(into[d, card]))
        for d in directions:
            self.model.add(sum(out[d, BOTTOM]) <= (self.rules.up if d else self.rules.down))

    def _make_ends(self) -> list[Any]:
        """Ends of turns, as far as cards are left to draw: at least a turn and less than two apart."""
        last = min(self.rules.size, self.rules.size - self.rules.hand + 2 * self.rules.turn)
        ends = [self.model.new_bool_var(f"turn ends after {j}") for j in range(last + 1)]
        self.model.add(ends[0] == 1)
        for j in range(last + 1):
            self.model.add_at_most_one(ends[j : j + self.rules.turn])
        return ends

    def _wait_for_cards(self) -> None:
        """A card that comes with the end of a turn is played after it."""
        for place, card in enumerate(self.deck.order):
            first = place - self.rules.hand + 1
            if first <= 0:
                continue
            arrival = self.model.new_int_var(first, len(self.ends) - 1, f"{card} drawn")
            choices = []
            for j in range(first, len(self.ends)):
                here = self.model.new_bool_var(f"{card} drawn after {j}")
                self.model.add_implication(here, self.ends[j])
                self.model.add(arrival == j).only_enforce_if(here)
                choices.append(here)
            self.model.add_exactly_one(choices)
            self.model.add(self.times[card] >= arrival)

    def game(self, solver: Any) -> Game:
        """The game that a solution describes."""
        ends = {j for j, end in enumerate(self.ends) if solver.value(end)}
        return Game(self.deck, _turns(self.rules, self._line(solver), ends))

    def _line(self, solver: Any) -> list[Move]:
        """The moves by time, each chain on a pile of its own."""
        chosen = [key for key, arc in self.arcs.items() if solver.value(arc)]
        below = {card: (ascends, under) for ascends, under, card in chosen}
        piles: dict[int, int] = {}
        bottoms = {True: 0, False: self.rules.up}
        line = []
        for card in sorted(self.rules.cards, key=lambda card: solver.value(self.times[card])):
            ascends, under = below[card]
            if under is BOTTOM:
                piles[card] = bottoms[ascends]
                bottoms[ascends] += 1
            else:
                piles[card] = piles[under]
            line.append(Move(card, piles[card]))
        return line


def _turns(rules: Parameters, line: list[Move], ends: set[int]) -> tuple[tuple[Move, ...], ...]:
    """Cut the moves where turns end; with an empty deck one long turn is as good as many."""
    cuts = [*sorted(j for j in ends if j < rules.size), rules.size]
    return tuple(tuple(line[a:b]) for a, b in itertools.pairwise(cuts))
