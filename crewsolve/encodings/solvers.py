"""The SAT solvers that PySAT brings, and what each can do here: probed, not assumed.

Every solver is tried once in a child process (see `probe`); the findings are kept in the user's cache under
a name that changes with PySAT's version and the probe itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from crewsolve.errors import CrewError, UnknownName

DEFAULT_SAT = "cadical195"
"""The solver for formulas in clauses."""

DEFAULT_NATIVE = "minicard"
"""The solver for formulas with native counts."""

_PROBE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class SatSolver:
    """One solver: its name, PySAT's name for it, and what it can do.

    `native`: takes "at most k" as it is. `assumptions`: solves under assumptions. `proofs`: logs proofs that
    the checker accepts. `budget`: stops after a number of conflicts. `interrupt`: can be stopped from
    another thread. `slices`: goes on after such a stop, so that it can work in short slices.
    """

    name: str
    alias: str
    native: bool = False
    assumptions: bool = False
    proofs: bool = False
    budget: bool = False
    interrupt: bool = False
    slices: bool = False

    @property
    def limit(self) -> str:
        """How a time limit is kept: by `interrupt`, between `slices` of conflicts, by ending a `process`."""
        if self.interrupt:
            return "interrupt"
        return "slices" if self.slices else "process"


@cache
def solver_names() -> dict[str, tuple[str, ...]]:
    """PySAT's own list: name -> the names under which it may know the solver, likeliest first."""
    from pysat.solvers import SolverNames

    listed = {name: value for name, value in vars(SolverNames).items() if isinstance(value, tuple)}
    return {name: (name, *(a for a in reversed(aliases) if a != name)) for name, aliases in listed.items()}


def solvers() -> dict[str, SatSolver]:
    """All solvers that work here, in PySAT's order."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = pool.map(probed, solver_names())
    return {solver.name: solver for solver in found if solver is not None}


def get_solver(name: str) -> SatSolver:
    """The solver of that name or alias; a wrong name lists the right ones."""
    for known, aliases in solver_names().items():
        if name in aliases:
            solver = probed(known)
            if solver is not None:
                return solver
    raise UnknownName("SAT solver", name, solvers())


def able_solver(name: str, ability: str, purpose: str) -> SatSolver:
    """The solver of that name, refused where it lacks the ability; `purpose` says what that is for."""
    solver = get_solver(name)
    if not getattr(solver, ability):
        able = [other.name for other in solvers().values() if getattr(other, ability)]
        raise CrewError(f"SAT solver {solver.name!r} cannot give {purpose}; these can: {', '.join(able)}")
    return solver


@cache
def probed(name: str) -> SatSolver | None:
    """What a solver of PySAT's list can do, from the cache or by trying; None where it does not work."""
    store = _cache_file(name)
    try:
        kept = json.loads(store.read_text())
        return None if kept is None else SatSolver(**kept)
    except (OSError, ValueError, TypeError):
        pass  # not there, not readable or not ours: probe again
    solver = _probe(name)
    _keep(store, json.dumps(None if solver is None else asdict(solver)))
    return solver


def _probe(name: str) -> SatSolver | None:
    for alias in solver_names()[name]:
        findings = _findings(alias)
        if findings.pop("works", False):
            return SatSolver(name, alias, **findings)
    return None


def _findings(alias: str) -> dict[str, bool]:
    """The lines that the probe printed before it ended, crashed or was ended."""
    command = [sys.executable, "-m", "crewsolve.encodings.probe", alias]
    try:
        output = subprocess.run(
            command, env=child_environment(), stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_PROBE_SECONDS,
        ).stdout  # fmt: skip
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    findings: dict[str, bool] = {}
    for line in output.splitlines():
        if line.startswith(b"{") and line.endswith(b"}"):
            findings.update(json.loads(line))
    return findings


def child_environment() -> dict[str, str]:
    """The environment in which a child finds this very package, wherever it was imported from."""
    import crewsolve

    root = str(Path(crewsolve.__file__).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _cache_file(name: str) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "crewsolve" / f"solver-{name}-{_fingerprint()}.json"


@cache
def _fingerprint() -> str:
    """A name for this PySAT, this Python and this probe together."""
    import pysat

    source = Path(__file__).with_name("probe.py").read_bytes()
    place = f"{pysat.__version__} {pysat.__file__} {sys.version}".encode()
    return hashlib.sha256(source + place).hexdigest()[:16]


def _keep(store: Path, text: str) -> None:
    """Write the cache file in one step; without a writable cache every process probes for itself."""
    partial = store.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        store.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text)
        partial.replace(store)
