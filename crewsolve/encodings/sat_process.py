"""A SAT solver in a child process, ended when its time is up: `python -m crewsolve.encodings.sat_process`."""

from __future__ import annotations

import pickle
import subprocess
import sys
from array import array

from crewsolve.encodings.at_most import Clause
from crewsolve.encodings.method import Limits
from crewsolve.encodings.sat import UNKNOWN, Outcome, Problem, load_steps, new_solver, outcome_of
from crewsolve.encodings.solvers import SatSolver, child_environment
from crewsolve.errors import InternalBug

_CHUNK = 100_000


def run_in_process(problem: Problem, solver: SatSolver, limits: Limits) -> Outcome:
    """Solve in a child process; at the deadline, on Ctrl-C or any error the child is ended and reaped."""
    message = _pack(problem, solver, limits)
    if message is None:
        return UNKNOWN
    command = [sys.executable, "-m", "crewsolve.encodings.sat_process"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=child_environment(),
    ) as child:
        try:
            answer, talk = child.communicate(message, timeout=limits.seconds_left)
        except subprocess.TimeoutExpired:
            return UNKNOWN
        finally:
            child.kill()
            child.wait()
    if child.returncode != 0:
        last = talk.decode(errors="replace").strip().rpartition("\n")[2]
        raise InternalBug(f"SAT solver {solver.name} ended with code {child.returncode}: {last}")
    outcome: Outcome = pickle.loads(answer)
    return outcome


def _pack(problem: Problem, solver: SatSolver, limits: Limits) -> bytes | None:
    """The request as bytes, the clauses as one run of integers with a 0 after each; None when time is up."""
    numbers = array("i")
    for start in range(0, len(problem.clauses), _CHUNK):
        if limits.expired:
            return None
        for clause in problem.clauses[start : start + _CHUNK]:
            numbers.extend(clause)
            numbers.append(0)
    return pickle.dumps((numbers.tobytes(), problem.counts, problem.proof, solver, limits.conflicts))


def _unpack(numbers: array[int]) -> list[Clause]:
    clauses: list[Clause] = []
    clause: Clause = []
    for number in numbers:
        if number:
            clause.append(number)
        else:
            clauses.append(clause)
            clause = []
    return clauses


def main() -> None:
    """Read a request from stdin, solve it, write the outcome to stdout."""
    data, counts, proof, solver, conflicts = pickle.load(sys.stdin.buffer)
    numbers = array("i")
    numbers.frombytes(data)
    problem = Problem(_unpack(numbers), counts, proof)
    running = new_solver(solver, proof=proof)
    for step in load_steps(running, problem):
        step()
    if conflicts is None:
        answer = running.solve()
    else:
        running.conf_budget(conflicts)
        answer = running.solve_limited()
    sys.stdout.buffer.write(pickle.dumps(outcome_of(running, answer, proof)))


if __name__ == "__main__":
    main()
