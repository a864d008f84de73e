"""Certificates: a loss with a proof that code which shares nothing with the solver has checked.

A certificate is two files with one header: `X.cnf`, the formula, and `X.drat`, its refutation. The header
names versions, method, solver, rules and deal, and holds the SHA-256 digests of both bodies and of itself.
Checking rebuilds the formula from the deal, so `X.cnf` is for readers and other checkers; any changed byte
in either file is refused by a digest, any invalid step by the checker, whatever the digests say.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crewsolve.deal import Deal
from crewsolve.encodings.dimacs import dumps_dimacs, provenance, read_provenance, reading_of
from crewsolve.encodings.formula import OutOfTime
from crewsolve.encodings.method import NO_LIMITS, Limits
from crewsolve.encodings.sat import Problem, run_sat
from crewsolve.encodings.solvers import DEFAULT_SAT, able_solver
from crewsolve.errors import BadFile, CrewError, InternalBug
from crewsolve.notation import loads_line
from crewsolve.notation.sources import opened

Step = tuple[str, tuple[int, ...]]
Watch = Callable[[Sequence[Step]], Iterable[Step]]

_MANY_FREE_TASKS = 12


class BadProof(CrewError):
    """A certificate that does not hold; the message says what is wrong with which file."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checker did: steps of the proof, by the rule that justified them."""

    steps: int
    rup: int
    rat: int
    deletions: int


@dataclass(frozen=True, slots=True)
class Proof:
    """A checked proof that a deal is lost."""

    deal: Deal
    method: str
    solver: str
    formula_text: str
    proof_text: str
    checked: Checked

    @property
    def header(self) -> str:
        """The lines that both files start with."""
        return _header(
            {
                **provenance(self.deal, self.method),
                "solver": self.solver,
                "formula": f"sha256 {_digest(self.formula_text)}",
                "proof": f"sha256 {_digest(self.proof_text)}",
            }
        )

    def write(self, stem: str | os.PathLike[str]) -> tuple[Path, Path]:
        """Write `stem.cnf` and `stem.drat`."""
        formula, proof = _beside(stem, ".cnf"), _beside(stem, ".drat")
        for path, body in ((formula, self.formula_text), (proof, self.proof_text)):
            try:
                path.write_text(self.header + body, encoding="utf-8", newline="\n")
            except OSError as error:
                raise BadFile(f"cannot be written: {error.strerror}", file=str(path)) from error
        return formula, proof


def proof_method(deal: Deal) -> str:
    """The method whose formula a certificate refutes: the published one, or counters where it is too large.

    The lean formula is refuted in fewer steps, but it says more than the rules do: it breaks symmetries and
    names consequences, which a reader of the proof would have to believe.
    """
    many = deal.tasks.is_free and len(deal.tasks) > _MANY_FREE_TASKS
    return "cnf:seqcounter" if many else "cnf:binomial"


def prove(
    deal: Deal, *, method: str | None = None, sat: str | None = None, limits: Limits = NO_LIMITS
) -> Proof | None:
    """A checked proof that the deal is lost from the cards played so far; None where it is not found in time.

    A winnable deal has none either. `sat` must be a solver whose proofs the checker accepts.
    """
    name = proof_method(deal) if method is None else method
    solver = able_solver(sat or DEFAULT_SAT, "proofs", "proofs")
    try:
        formula = reading_of(deal, name, limits=limits).formula
        text = dumps_dimacs(formula)
        outcome = run_sat(Problem(formula.clauses, proof=True), solver, limits=limits)
        if outcome.proof is None:
            return None
        lines = outcome.proof if outcome.proof[-1:] == ["0"] else [*outcome.proof, "0"]
        body = "\n".join(lines) + "\n"
        checked = check_steps(text, body, limits=limits)
    except OutOfTime:
        return None
    except BadProof as error:
        raise InternalBug(f"{solver.name} gave a proof that does not hold for {deal}: {error}") from error
    return Proof(deal, name, solver.name, text, body, checked)


def check_steps(
    formula_text: str, proof_text: str, *, limits: Limits = NO_LIMITS, watch: Watch = iter
) -> Checked:
    """Check every step of a proof with dratify; `BadProof` names the first that does not follow.

    `watch` passes the steps on, one by one, to whoever shows the progress.
    """
    from dratify import DRATChecker, parse_dimacs, parse_proof, to_dimacs

    try:
        steps = parse_proof(proof_text)
    except ValueError as error:
        raise BadProof(str(error)) from error
    formula = parse_dimacs(formula_text)
    _require_known_variables(steps, formula.nvars)
    result = DRATChecker(formula).check(_timed(watch(steps), limits))
    if not result.ok:
        step = " ".join(str(to_dimacs(literal)) for literal in result.failed_clause or ())
        where = f"step {result.failed_step} ({step} 0): " if result.failed_step > 0 else ""
        raise BadProof(f"{where}{result.reason}")
    return Checked(result.steps, result.rup_steps, result.rat_steps, result.deletions)


def _require_known_variables(steps: Sequence[Step], known: int) -> None:
    """Refuse numbers of variables that neither the formula nor the length of the proof can explain."""
    most = known + sum(len(literals) for _, literals in steps)
    for number, (_, literals) in enumerate(steps, 1):
        if any((literal >> 1) + 1 > most for literal in literals):
            raise BadProof(f"step {number} names a variable beyond all that can occur ({most})")


def _timed(steps: Iterable[Step], limits: Limits) -> Iterator[Step]:
    for step in steps:
        if limits.expired:
            raise OutOfTime
        yield step


def check_certificate(deal: Deal, path: str | os.PathLike[str], *, watch: Watch = iter) -> Checked:
    """Check the certificate `X.drat`, and `X.cnf` beside it if it is there, against a deal."""
    file = os.fspath(path)
    fields, header, body = _read(file)
    proved = loads_line(fields["deal"])
    if proved != deal:
        raise BadProof(f"{file}: this proof is about another deal: {proved}")
    if _digest(body) != fields["proof"].removeprefix("sha256 "):
        raise BadProof(f"{file}: the steps do not have the digest that the header gives")
    formula = reading_of(deal, fields["method"]).formula
    text = dumps_dimacs(formula)
    if _digest(text) != fields["formula"].removeprefix("sha256 "):
        raise BadProof(
            f"{file}: the formula that {fields['method']} makes of the deal is not the one that was refuted "
            f"(the proof was made by {fields['version']})"
        )
    _check_formula_file(_beside(file, ".cnf"), header + text)
    try:
        return check_steps(text, body, watch=watch)
    except BadProof as error:
        raise BadProof(f"{file}: {error}") from error


def _check_formula_file(path: Path, expected: str) -> None:
    if path.exists() and _bytes_of(str(path)) != expected.encode():
        raise BadProof(f"{path}: this is not the formula of the deal under the header of the proof")


def _read(file: str) -> tuple[dict[str, str], str, str]:
    """The fields, the header and the body of a proof file whose header is whole."""
    try:
        text = _bytes_of(file).decode()
    except UnicodeDecodeError as error:
        raise BadProof(f"{file}: not a proof written by crewsolve: {error}") from error
    lines = text.split("\n")
    end = next((n for n, line in enumerate(lines, 1) if line.startswith("c seal ")), None)
    if end is None:
        raise BadProof(f"{file}: no header of a proof written by crewsolve")
    header, body = "\n".join(lines[:end]) + "\n", "\n".join(lines[end:])
    fields = read_provenance(lines[:end])
    missing = {"version", "method", "rules", "deal", "solver", "formula", "proof", "seal"} - fields.keys()
    if missing:
        raise BadProof(f"{file}: the header lacks {', '.join(sorted(missing))}")
    seal = fields.pop("seal")
    if header != _header(fields):
        raise BadProof(f"{file}: the header has been changed: its seal is {seal}")
    return fields, header, body


def _header(fields: dict[str, str]) -> str:
    """The fields as comment lines, sealed by their own digest."""
    lines = "".join(f"c {key} {value}\n" for key, value in fields.items())
    return f"{lines}c seal sha256 {_digest(lines)}\n"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _bytes_of(file: str) -> bytes:
    with opened(file) as stream:
        return stream.read()


def _beside(path: str | os.PathLike[str], ending: str) -> Path:
    """The path with another ending; a stem that has none of ours gets it appended."""
    given = Path(path)
    return given.with_suffix(ending) if given.suffix in (".cnf", ".drat") else Path(f"{given}{ending}")
