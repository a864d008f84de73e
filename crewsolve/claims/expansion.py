"""De Jong's equations (4) to (15) written out literally: his names, his indices, nothing shared with `cnf`.

A literal is a sign and a name: ("x", p, t, i) is x^p_{t,i}, ("r", t, s), ("w", t, p), ("o", p, q, i).
Players, tricks and cards of a hand count from 1 as in the document. Where an index set says i ≠ j the
clause of a pair is listed once, not once for each order; a clause is a frozen set of literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from crewsolve.cards import ROCKETS, Card
from crewsolve.deal import Deal
from crewsolve.tasks import FixedTasks, FreeTasks

Name = tuple[Any, ...]
Literal = tuple[bool, Name]
Clause = frozenset[Literal]


def literal_less(card: Card, other: Card, suit: int) -> bool:
    """Equation (6) as printed: `card` loses to `other` in a trick of `suit`."""
    star = ROCKETS
    return (
        (other.suit == card.suit and card.suit in (suit, star) and card.rank < other.rank)
        or (other.suit == star and card.suit != star)
        or (other.suit == suit and card.suit not in (suit, star))
    )


class Expansion:
    """The clauses of each printed equation for one deal."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.hands = {p: list(hand) for p, hand in enumerate(deal.hands, 1)}
        self.tricks = range(1, deal.tricks + 1)
        self.suits = [suit for suit in deal.deck.suits if deal.in_play.of_suit(suit)]
        self.place = {card: (p, i) for p, hand in self.hands.items() for i, card in enumerate(hand, 1)}

    def equation(self, number: str) -> Iterator[Clause]:
        """The clauses of one equation."""
        clauses: Iterator[Clause] = getattr(self, f"_equation_{number}")()
        return clauses

    def owned(self) -> list[set[tuple[int, int]]]:
        """O_p for every player (10)."""
        assert isinstance(self.deal.tasks, FixedTasks)
        return [
            {self.place[card] for card, owner in self.deal.tasks.owners if owner == p - 1} for p in self.hands
        ]

    def free_tasks(self) -> set[tuple[int, int]]:
        """O (14)."""
        return {self.place[card] for card in self.deal.tasks.cards}

    def choices(self) -> set[Name]:
        """The variables of (12)."""
        return {("o", p, q, i) for p in self.hands for q, i in self.free_tasks()}

    def _equation_4(self) -> Iterator[Clause]:
        for p, hand in self.hands.items():
            places = range(1, len(hand) + 1)
            for t in self.tricks:
                yield _clause(*((True, ("x", p, t, i)) for i in places))
                for i, j in combinations(places, 2):
                    yield _clause((False, ("x", p, t, i)), (False, ("x", p, t, j)))
            for i in places:
                for t, u in combinations(self.tricks, 2):
                    yield _clause((False, ("x", p, t, i)), (False, ("x", p, u, i)))

    def _equation_5(self) -> Iterator[Clause]:
        for t in self.tricks:
            yield _clause(*((True, ("w", t, p)) for p in self.hands))
            for p, hand in self.hands.items():
                for q, other_hand in self.hands.items():
                    if p == q:
                        continue
                    for i, card in enumerate(hand, 1):
                        for j, other in enumerate(other_hand, 1):
                            for s in self.suits:
                                if literal_less(card, other, s):
                                    yield _clause(
                                        (False, ("w", t, p)), (False, ("r", t, s)),
                                        (False, ("x", p, t, i)), (False, ("x", q, t, j)),
                                    )  # fmt: skip

    def _equation_7(self) -> Iterator[Clause]:
        commander = self.deal.leader + 1
        for i, card in enumerate(self.hands[commander], 1):
            if 1 in self.tricks:
                yield _clause((False, ("x", commander, 1, i)), (True, ("r", 1, card.suit)))
        for t in self.tricks:
            for s, other in combinations(self.suits, 2):
                yield _clause((False, ("r", t, s)), (False, ("r", t, other)))
            if t != 1:
                for p, hand in self.hands.items():
                    for i, card in enumerate(hand, 1):
                        yield _clause(
                            (False, ("w", t - 1, p)), (False, ("x", p, t, i)), (True, ("r", t, card.suit))
                        )

    def _equation_8(self) -> Iterator[Clause]:
        for p, hand in self.hands.items():
            for t in self.tricks:
                for i, card in enumerate(hand, 1):
                    for s in self.suits:
                        if s == card.suit:
                            continue
                        for j, held in enumerate(hand, 1):
                            if held.suit == s:
                                earlier = [(True, ("x", p, u, j)) for u in self.tricks if u < t]
                                yield _clause((False, ("x", p, t, i)), (False, ("r", t, s)), *earlier)

    def _equation_9(self) -> Iterator[Clause]:
        for p, own in enumerate(self.owned(), 1):
            for q, i in own:
                yield _clause(*((True, ("x", q, t, i)) for t in self.tricks))
                for t in self.tricks:
                    yield _clause((False, ("x", q, t, i)), (True, ("w", t, p)))

    def _equation_13(self) -> Iterator[Clause]:
        assert isinstance(self.deal.tasks, FreeTasks)
        tasks = sorted(self.free_tasks())
        for p, share in enumerate(self.deal.tasks.counts, 1):
            for group in combinations(tasks, share + 1):
                yield _clause(*((False, ("o", p, *task)) for task in group))
        for task in tasks:
            yield _clause(*((True, ("o", p, *task)) for p in self.hands))

    def _equation_15(self) -> Iterator[Clause]:
        for q, i in self.free_tasks():
            yield _clause(*((True, ("x", q, t, i)) for t in self.tricks))
            for p in self.hands:
                for t in self.tricks:
                    yield _clause((False, ("o", p, q, i)), (False, ("x", q, t, i)), (True, ("w", t, p)))


def _clause(*literals: Literal) -> Clause:
    return frozenset(literals)


def is_satisfiable(deal: Deal) -> bool:
    """Whether the printed formula, (11) or its form for free tasks, has a model."""
    from pysat.solvers import Solver

    equations = ("4", "5", "7", "8", *(("13", "15") if deal.tasks.is_free else ("9",)))
    expansion = Expansion(deal)
    numbers: dict[Name, int] = {}
    with Solver(name="cadical153") as solver:
        for equation in equations:
            for clause in expansion.equation(equation):
                signed = [(numbers.setdefault(name, len(numbers) + 1), sign) for sign, name in clause]
                solver.add_clause([number if sign else -number for number, sign in signed])
        return bool(solver.solve())
