"""What one PySAT solver can do, found by trying: `python -m crewsolve.encodings.probe NAME`.

Meant to run in a child process, because a solver may abort or never return. Every finding is printed as
soon as it is made, one JSON object per line, so that what was found before a crash is kept.
"""

from __future__ import annotations

import json
import sys
import threading
import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

_BUDGET = 20
_SLICES = 500
_INTERRUPT_AFTER = 0.02


def pigeons(holes: int) -> list[list[int]]:
    """The pigeonhole formula: holes + 1 pigeons, one hole each; unsatisfiable and hard for resolution."""
    place = [[1 + pigeon * holes + hole for hole in range(holes)] for pigeon in range(holes + 1)]
    apart = [[-a[hole], -b[hole]] for hole in range(holes) for a, b in combinations(place, 2)]
    return place + apart


def _works(name: str) -> bool:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=[[1, 2], [-1, 2], [1, -2]]) as solver:
        if solver.solve() is not True or not {1, 2} <= set(solver.get_model()):
            return False
    with Solver(name=name, bootstrap_with=pigeons(4)) as solver:
        return solver.solve() is False


def _native(name: str) -> bool:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=[[1, 2], [3, 4]]) as solver:
        if not solver.supports_atmost():
            return False
        solver.add_atmost([1, 2, 3, 4], 2)
        two = solver.solve()
        solver.add_atmost([1, 2, 3, 4], 1)
        return two is True and solver.solve() is False


def _assumptions(name: str) -> bool:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=[[1, 2]]) as solver:
        return solver.solve(assumptions=[-1, -2]) is False and solver.solve(assumptions=[-1]) is True


def _proofs(name: str) -> bool:
    from dratify import check_proof, parse_dimacs
    from pysat.formula import CNF
    from pysat.solvers import Solver

    clauses = pigeons(5)
    with Solver(name=name, bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve() is not False:
            return False
        proof = solver.get_proof()
    formula = parse_dimacs(CNF(from_clauses=clauses).to_dimacs())
    return bool(proof) and bool(check_proof(formula, "\n".join(proof)).ok)


def _interrupt(name: str) -> bool:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=pigeons(12)) as solver:
        solver.interrupt()  # raises where there is none; from the timer's thread that would go unnoticed
        solver.clear_interrupt()
        timer = threading.Timer(_INTERRUPT_AFTER, solver.interrupt)
        timer.start()
        answer = solver.solve_limited(expect_interrupt=True)
        timer.join()
    return answer is None


def _budget(name: str) -> bool:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=pigeons(7)) as solver:
        solver.conf_budget(_BUDGET)
        return solver.solve_limited() is None


def _slices(name: str) -> bool:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=pigeons(5)) as solver:
        for _ in range(_SLICES):
            solver.conf_budget(_BUDGET)
            answer = solver.solve_limited()
            if answer is not None:
                return answer is False
    return False


PROBES: dict[str, Callable[[str], bool]] = {
    "works": _works,
    "native": _native,
    "assumptions": _assumptions,
    "proofs": _proofs,
    "budget": _budget,
    "interrupt": _interrupt,
    "slices": _slices,
}
"""Ability -> how it is tried; the ones that may end the process come last."""


def try_one(ability: str, name: str) -> bool:
    """Whether a solver has an ability; whatever it raises or warns of means no."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return PROBES[ability](name)
    except Exception:  # the many ways in which solvers say that they cannot
        return False


def main(arguments: list[str]) -> None:
    """Print the findings on the solver named first."""
    for ability in PROBES:
        finding: dict[str, Any] = {ability: try_one(ability, arguments[0])}
        print(json.dumps(finding), flush=True)
        if finding == {"works": False}:
            return


if __name__ == "__main__":
    main(sys.argv[1:])
