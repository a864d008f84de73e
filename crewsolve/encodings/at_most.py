"""At most k of n literals: the encodings to choose from, in one table.

The published formula (de Jong 2021, section 4) says "at most" in four places: a seat plays at most one card
to a trick, a card is played at most once, a trick has at most one led suit, and a seat has at most n_p free
tasks. Every `cnf:<encoding>` says all four with the encoding of its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysat.formula import IDPool

Clause = list[int]
Encode = Callable[[Sequence[int], int, "IDPool"], Iterable[Clause]]


@dataclass(frozen=True, slots=True)
class AtMost:
    """One encoding: `encode` gives the clauses for 0 < k < n - 1, `words` says what it is.

    `encode` is None where a solver takes the count itself instead of clauses.
    """

    words: str
    encode: Encode | None

    @property
    def is_native(self) -> bool:
        """Whether counts stay counts and only solvers with native cardinality can take them."""
        return self.encode is None

    def clauses(self, literals: Sequence[int], k: int, pool: IDPool) -> Iterable[Clause]:
        """Clauses for "at most k of these literals"; new variables come from the pool.

        The border cases are the same for all: nothing to say for k ≥ n, one clause for k = n - 1, a unit for
        each literal for k = 0, the empty clause below.
        """
        border = border_case(literals, k)
        if border is not None:
            return border
        assert self.encode is not None, "native counts are no clauses"
        return self.encode(literals, k, pool)

    def size(self, n: int, k: int) -> int:
        """The number of clauses for n literals: exact for `binomial`, an upper bound for the others."""
        if k >= n:
            return 0
        if self.encode is binomial:
            return comb(n, k + 1)
        return max(n, 1) * (n + 1) * max(k + 1, 1)


def border_case(literals: Sequence[int], k: int) -> list[Clause] | None:
    """The clauses that need no encoding: k < 0, k = 0, k = n - 1 and k ≥ n; None in between."""
    if k < 0:
        return [[]]
    if k >= len(literals):
        return []
    if k == 0:
        return [[-literal] for literal in literals]
    if k == len(literals) - 1:
        return [[-literal for literal in literals]]
    return None


def binomial(literals: Sequence[int], k: int, pool: IDPool) -> Iterator[Clause]:
    """Every k + 1 literals hold a false one: C(n, k+1) clauses, no new variable."""
    return ([-literal for literal in group] for group in combinations(literals, k + 1))


def _pysat(name: str, literals: Sequence[int], k: int, pool: IDPool) -> list[Clause]:
    """The encoding that PySAT calls `name`, its new variables taken from the shared pool."""
    from pysat.card import CardEnc, EncType

    encoded = CardEnc.atmost(list(literals), bound=k, vpool=pool, encoding=getattr(EncType, name))
    clauses: list[Clause] = encoded.clauses
    return clauses


def _one_or_count(one: str, count: str, literals: Sequence[int], k: int, pool: IDPool) -> list[Clause]:
    """Encoding `one` for k = 1, the only bound it can say, and `count` for larger bounds."""
    return _pysat(one if k == 1 else count, literals, k, pool)


AT_MOST: dict[str, AtMost] = {
    "binomial": AtMost("every k + 1 literals hold a false one; as published", binomial),
    "seqcounter": AtMost("sequential counter (Sinz 2005)", partial(_pysat, "seqcounter")),
    "sortnetwrk": AtMost("sorting network (Batcher 1968)", partial(_pysat, "sortnetwrk")),
    "cardnetwrk": AtMost("cardinality network (Asín et al. 2009)", partial(_pysat, "cardnetwrk")),
    "totalizer": AtMost("totalizer (Bailleux & Boufkhad 2003)", partial(_pysat, "totalizer")),
    "mtotalizer": AtMost("modulo totalizer (Ogawa et al. 2013)", partial(_pysat, "mtotalizer")),
    "kmtotalizer": AtMost("modulo totalizer up to k (Morgado et al. 2014)", partial(_pysat, "kmtotalizer")),
    "ladder": AtMost(
        "ladder for k = 1 (Gent & Nightingale 2004), sequential counter above",
        partial(_one_or_count, "ladder", "seqcounter"),
    ),
    "bitwise": AtMost(
        "binary numbers for k = 1 (Prestwich 2009), totalizer above",
        partial(_one_or_count, "bitwise", "totalizer"),
    ),
    "native": AtMost("counts kept as counts, for the solvers that take them", None),
}  # fmt: skip
"""Name -> encoding. PySAT's `pairwise` is `binomial` at k = 1, the only bound it takes."""
