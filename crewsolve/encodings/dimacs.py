"""Formulas for other people's solvers, and their answers read back.

DIMACS and OPB files carry their origin and the names of their variables in comments, so that a model can be
read without this package; `decode` reads one with it, and lets the simulator judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from crewsolve.deal import Deal
from crewsolve.encodings import get_method
from crewsolve.encodings.method import NO_LIMITS, Limits
from crewsolve.encodings.sat_method import ClauseMethod, Clauses, Reading
from crewsolve.errors import BadFile, CrewError
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.simulator import verify

_STATUS = {
    "SATISFIABLE": Verdict.WINNABLE,
    "SAT": Verdict.WINNABLE,
    "UNSATISFIABLE": Verdict.UNWINNABLE,
    "UNSAT": Verdict.UNWINNABLE,
    "UNKNOWN": Verdict.UNKNOWN,
    "INDETERMINATE": Verdict.UNKNOWN,
}
"""What solvers print for their answer, with and without a leading `s`."""


def clause_method(name: str) -> ClauseMethod:
    """The method of that name, which must be one that builds clauses."""
    method = get_method(name)
    if not isinstance(method, ClauseMethod):
        raise CrewError(f"method {name!r} builds no clauses: choose one such as cnf:binomial")
    return method


def reading_of(deal: Deal, method: str, *, limits: Limits = NO_LIMITS) -> Reading:
    """The formula of a deal by a method that builds clauses, and how its models are read."""
    return clause_method(method).facts(Position.of(deal), limits)


def provenance(deal: Deal, method: str) -> dict[str, str]:
    """Where a formula comes from: versions, method, rules and deal."""
    import pysat

    from crewsolve import __version__

    return {
        "version": f"crewsolve {__version__}, python-sat {pysat.__version__}",
        "method": method,
        "rules": str(deal.rules) or "official",
        "deal": str(deal),
    }


def read_provenance(lines: Iterable[str]) -> dict[str, str]:
    """The `key value` comments at the start of a DIMACS, OPB or proof file.

    >>> read_provenance(["c method cnf:binomial", "c rules official", "p cnf 1 1", "1 0"])
    {'method': 'cnf:binomial', 'rules': 'official'}
    """
    found: dict[str, str] = {}
    for line in lines:
        comment = re.match(r"(?:c|\*) (\S+) (.*)", line)
        if comment is None or comment[1] == "varname":
            break
        found[comment[1]] = comment[2]
    return found


def variable_names(formula: Clauses) -> Iterator[str]:
    """Lines like `varname 17 plays(0,3,Y7)` for all variables that have a name."""
    for variable in range(1, formula.variables + 1):
        name = formula.name_of(variable)
        if name is not None:
            yield f"varname {variable} {name[0]}({','.join(map(str, name[1:]))})"


def dumps_dimacs(formula: Clauses, *, comments: Iterable[str] = ()) -> str:
    """The formula in DIMACS, with comments, then the names of the variables, before it."""
    if formula.counts:
        raise CrewError("DIMACS has no counts: choose another encoding than native, or write OPB")
    lines = [f"c {comment}" for comment in (*comments, *variable_names(formula))]
    lines.append(f"p cnf {formula.variables} {len(formula.clauses)}")
    lines += [f"{' '.join(map(str, clause))} 0" for clause in formula.clauses]
    return "\n".join(lines) + "\n"


def dumps_opb(formula: Clauses, *, comments: Iterable[str] = ()) -> str:
    """The formula as pseudo-Boolean constraints; counts stay counts."""
    size = len(formula.clauses) + len(formula.counts)
    lines = [f"* #variable= {formula.variables} #constraint= {size}"]
    lines += [f"* {comment}" for comment in (*comments, *variable_names(formula))]
    lines += [_at_least(clause, 1) for clause in formula.clauses]
    # At most k of n literals are true: at least n - k of their opposites.
    lines += [_at_least([-lit for lit in lits], len(lits) - k) for lits, k in formula.counts]
    return "\n".join(lines) + "\n"


def _at_least(literals: list[int], bound: int) -> str:
    """Σ literals ≥ bound, with 1 - x for a negative literal of x."""
    terms = " ".join(f"{'+' if literal > 0 else '-'}1 x{abs(literal)}" for literal in literals)
    return f"{terms} >= {bound - sum(literal < 0 for literal in literals)} ;"


@dataclass(frozen=True, slots=True)
class ForeignAnswer:
    """What another solver printed: its verdict and, where it has one, its model."""

    verdict: Verdict
    model: frozenset[int]


def loads_model(text: str, *, file: str = "<model>") -> ForeignAnswer:
    """Read a solver's output: `s` and `v` lines, or the bare `SAT` and literals that minisat writes.

    >>> sorted(loads_model("c hello\\ns SATISFIABLE\\nv 1 -2\\nv 3 0\\n").model)
    [-2, 1, 3]
    """
    verdict: Verdict | None = None
    literals: set[int] = set()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        rest = words[1:] if words[0] in ("s", "v") else words
        if rest and rest[0] in _STATUS and words[0] != "v":
            verdict = _STATUS[rest[0]]
            continue
        literals.update(_literals(rest, file, number))
    if verdict is None:
        if not literals:
            raise BadFile("no `s` line and no model: is this a solver's output?", file=file)
        verdict = Verdict.WINNABLE
    return ForeignAnswer(verdict, frozenset(literals))


def _literals(words: list[str], file: str, line: int) -> Iterator[int]:
    for word in words:
        match = re.fullmatch(r"(-?)x?([0-9]+)", word)  # OPB solvers write x17 and -x17
        if match is None:
            raise BadFile(f"{word[:40]!r} is neither a literal nor a status", file=file, line=line)
        if int(match[2]):
            yield int(match[1] + match[2])


def decode(deal: Deal, answer: ForeignAnswer, *, method: str) -> Playout:
    """The playout that a model stands for, verified by the simulator."""
    if answer.verdict is not Verdict.WINNABLE:
        raise CrewError(f"the solver's answer is {answer.verdict}: there is no model to decode")
    reading = reading_of(deal, method)
    false = next((c for c in reading.formula.clauses if not any(x in answer.model for x in c)), None)
    if false is not None:
        raise CrewError(
            f"this is no model of the formula that {method} makes of the deal: clause "
            f"{' '.join(map(str, false))} is not true in it; are deal and method those of the formula?"
        )
    playout = Playout(reading.line(answer.model), deal.seats)
    verify(deal, playout)
    return playout
