"""What a claim is: a printed item, our own value, a second way to it, and the cause where they differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from crewsolve.errors import ProofError

DE_JONG = "de Jong 2021"
WITTEVEEN = "Witteveen"
LITJENS = "Litjens 2022"


@dataclass(frozen=True, slots=True)
class Effort:
    """How far a check goes: quick, or as far as a machine reaches in an hour or so."""

    deep: bool = False

    def choose(self, quick: Any, deep: Any) -> Any:
        """One of two sizes of a check."""
        return deep if self.deep else quick


QUICK, DEEP = Effort(), Effort(deep=True)

Compute = Callable[[Effort], Any]
Check = Callable[[Effort], str]


def equal(printed: Any, computed: Any) -> bool:
    """Agreement of exact values."""
    return bool(printed == computed)


@dataclass(frozen=True, slots=True)
class Cases:
    """How often a printed formula is wrong, of so many cases."""

    wrong: int
    of: int

    def __str__(self) -> str:
        return f"{self.wrong:,} of {self.of:,}"


def as_many_wrong(printed: int, computed: Cases) -> bool:
    """Agreement where what is printed is a number of wrong cases, usually none."""
    return printed == computed.wrong


@dataclass(frozen=True, slots=True)
class Claim:
    """One item of a document.

    `says` is the value of what is printed, `compute` ours; `check` reaches ours by an independent method,
    raises `ProofError` where it does not, and says how it went. `cause` is asked only where the two values
    differ: it recomputes the step that went wrong and names it.
    """

    id: str
    seed: str
    place: str
    printed: str
    says: Compute
    compute: Compute
    check: Check
    cause: Compute | None = None
    agree: Callable[[Any, Any], bool] = equal


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim after its check: one row of `crewsolve verify`."""

    id: str
    seed: str
    place: str
    printed: str
    computed: Any
    checked_by: str
    agrees: bool
    cause: str

    def to_json(self) -> dict[str, Any]:
        """The object that `verify --json` prints."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}


def find_out(claim: Claim, effort: Effort = QUICK) -> Finding:
    """Compute a claim, check it, and compare it with what is printed."""
    computed = claim.compute(effort)
    checked_by = claim.check(effort)
    agrees = claim.agree(claim.says(effort), computed)
    cause = ""
    if not agrees:
        if claim.cause is None:
            raise ProofError(
                f"{claim.id}: {claim.printed} is printed, {show(computed)} computed, cause unknown"
            )
        cause = claim.cause(effort)
    return Finding(claim.id, claim.seed, claim.place, claim.printed, computed, checked_by, agrees, cause)


def expect(found: Any, computed: Any, what: str) -> None:
    """Raise `ProofError` where two exact computations of one thing differ."""
    if found != computed:
        raise ProofError(f"{what}: {show(found)} and {show(computed)} should be equal")


def show(value: Any) -> str:
    """A value as a table shows it: grouped digits, fractions, tuples without brackets."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, tuple):
        return ", ".join(f"({show(part)})" if isinstance(part, tuple) else show(part) for part in value)
    return str(value)


def plain(value: Any) -> Any:
    """A value as JSON has it: integers and truths as they are, tuples as lists, the rest as text."""
    if isinstance(value, bool | int):
        return value
    return [plain(part) for part in value] if isinstance(value, tuple) else str(value)


def constant(value: Any) -> Compute:
    """A printed value that needs no evaluation."""
    return lambda effort: value
