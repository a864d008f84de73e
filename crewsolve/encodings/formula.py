"""A formula under construction: named variables, clauses by group, counts, and an eye on the clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pysat.formula import IDPool

from crewsolve.encodings.at_most import AT_MOST, AtMost, Clause, border_case
from crewsolve.encodings.method import NO_LIMITS, Limits
from crewsolve.errors import TooLarge

MAX_CLAUSES = 4_000_000
"""About a gigabyte of clauses here and in the solver; more is refused before it is built."""

_CHECK_EVERY = 4096


class OutOfTime(Exception):
    """The deadline passed while a formula was being built; the method answers UNKNOWN."""


class Formula:
    """Clauses over named variables.

    Variables are named by tuples such as `("plays", seat, trick, card)`; helper variables of an encoding
    have no name. `groups` counts the clauses by the rule they state. `counts` holds the "at most k of these"
    that stay as they are when the encoding is `native`.
    """

    def __init__(self, *, encoding: str = "binomial", limits: Limits = NO_LIMITS) -> None:
        self.encoding: AtMost = AT_MOST[encoding]
        self.limits = limits
        self.clauses: list[Clause] = []
        self.counts: list[tuple[list[int], int]] = []
        self.groups: dict[str, int] = {}
        self._pool = IDPool()

    def variable(self, *name: Any) -> int:
        """The variable of that name, made on first use."""
        number: int = self._pool.id(name)
        return number

    def has(self, *name: Any) -> bool:
        """Whether there is a variable of that name already."""
        return name in self._pool.obj2id

    def name_of(self, variable: int) -> tuple[Any, ...] | None:
        """The name of a variable, None for the helpers of an encoding."""
        name: tuple[Any, ...] | None = self._pool.obj(variable)
        return name

    @property
    def variables(self) -> int:
        """The highest variable."""
        top: int = self._pool.top
        return top

    @property
    def true(self) -> int:
        """A literal that is true."""
        known = self.has("true")
        literal = self.variable("true")
        if not known:
            self.extend("true_is_true", [[literal]])
        return literal

    @property
    def false(self) -> int:
        """A literal that is false."""
        return -self.true

    def extend(self, group: str, clauses: Iterable[Clause]) -> None:
        """Add the clauses of a rule; `OutOfTime` once the deadline has passed."""
        before = len(self.clauses)
        for number, clause in enumerate(clauses):
            if number % _CHECK_EVERY == 0:
                self.check_clock()
            self.clauses.append(clause if clause else self._contradiction())
        self.groups[group] = self.groups.get(group, 0) + len(self.clauses) - before

    def at_most(self, literals: Sequence[int], k: int) -> Iterable[Clause]:
        """The clauses for "at most k of these literals"; none where the encoding keeps the count."""
        if self.encoding.is_native:
            border = border_case(literals, k)
            if border is not None:
                return border
            self.counts.append((list(literals), k))
            return []
        return self.encoding.clauses(literals, k, self._pool)

    def require_room(self, counts: Iterable[tuple[int, int]], *, what: str) -> None:
        """Refuse to start on "at most k of n" for all these (n, k) when their clauses cannot fit."""
        needed = 0 if self.encoding.is_native else sum(self.encoding.size(n, k) for n, k in counts)
        if needed + len(self.clauses) > MAX_CLAUSES:
            raise TooLarge(
                f"{what} would take about {needed:,} clauses, more than the {MAX_CLAUSES:,} that fit; "
                "choose an encoding with helper variables, such as cnf:totalizer"
            )

    def check_clock(self) -> None:
        """Stop building once the deadline has passed."""
        if self.limits.expired:
            raise OutOfTime

    def _contradiction(self) -> Clause:
        # Solvers and DIMACS readers differ on the empty clause; a false unit means the same to all.
        return [self.false]
