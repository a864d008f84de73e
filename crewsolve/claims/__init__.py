"""One registry of the counts, formulas and probabilities printed in the documents, each found out again.

A new claim is one `Claim` in the list of its document's module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crewsolve.claims import (
    burnside,
    clauses,
    determinization,
    free_deals,
    litjens,
    losing_deals,
    rejected,
    thegame,
    theorems,
)
from crewsolve.claims.claim import DEEP, QUICK, Claim, Effort, Finding, find_out
from crewsolve.errors import UnknownName

__all__ = ["CLAIMS", "DEEP", "QUICK", "Claim", "Effort", "Finding", "find_out", "select"]

_MODULES = (
    clauses,
    determinization,
    rejected,
    free_deals,
    burnside,
    theorems,
    losing_deals,
    litjens,
    thegame,
)

CLAIMS: dict[str, Claim] = {claim.id: claim for module in _MODULES for claim in module.CLAIMS}
"""Every claim by its name, in the order of the documents."""


def select(names: Iterable[str]) -> Iterator[Claim]:
    """The claims of these names, each a whole name or its beginning; all where none is given."""
    asked = list(names)
    for name in asked:
        if not any(_matches(claim, name) for claim in CLAIMS):
            raise UnknownName("claim", name, CLAIMS)
    return (claim for claim in CLAIMS.values() if not asked or any(_matches(claim.id, n) for n in asked))


def _matches(claim: str, name: str) -> bool:
    return claim == name or claim.startswith(f"{name}-")
