"""What the experiment engine costs on the real sweep, as a share of the solving time.

Three ways to the same verdicts: solving alone (deals dealt beforehand, nothing stored), the engine in one
process with a store on disk, and the engine with worker processes. The overhead of the first engine run is
all that is not solving: dealing, scheduling, storing; its reference is solving alone. That of the second is
the worker time that was not spent on chunks: starting, waiting for work, waiting for the store.

    python benchmarks/engine_overhead.py [--deals 200] [--tasks 4,12,20,28] [--free] [--workers 2]
    python benchmarks/engine_overhead.py --store fixed.sqlite    # what a finished sweep has cost
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from crewsolve.cards import Deck
from crewsolve.encodings import METHODS
from crewsolve.experiments import Experiment, get_executor, parse_numbers, read_store, run_in
from crewsolve.experiments.deciding import Effort, decide
from crewsolve.experiments.sweep import Sweep


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--tasks", type=parse_numbers, default=(4, 12, 20, 28))
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--method", default=next(iter(METHODS)))
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--conflicts", type=int)
    parser.add_argument("--store", type=Path, action="append", help="read the runs of a store instead")
    asked = parser.parse_args()
    for path in asked.store or ():
        history(path)
    if asked.store:
        return
    sweep = Sweep(Deck.parse("4x9+4"), 4, asked.free)
    effort = Effort(asked.method, asked.nodes, asked.conflicts)
    experiment = sweep.experiment(tasks=asked.tasks, deals=asked.deals, seed=1, effort=effort)
    solving = solving_alone(sweep, experiment, effort)
    print(f"{experiment.items} deals, {asked.method}: solving alone takes {solving:.2f} s")
    elapsed, _ = engine(experiment, workers=1)
    print(f"in-process    overhead {(elapsed - solving) / solving:7.1%} of solving")
    elapsed, busy = engine(experiment, workers=asked.workers)
    print(f"{asked.workers} processes   overhead {(elapsed * asked.workers - busy) / busy:7.1%} of solving")


def solving_alone(sweep: Sweep, experiment: Experiment, effort: Effort) -> float:
    """Seconds to decide all deals of the experiment, dealt beforehand; kernels are warm."""
    decide([sweep.deal(0, 0, tasks=3)], effort)
    spent = 0.0
    for cell in experiment.cells:
        tasks = cell.key["tasks"]
        deals = [sweep.deal(experiment.seed, tasks, number, tasks=tasks) for number in range(cell.items)]
        started = time.perf_counter()
        decide(deals, effort)
        spent += time.perf_counter() - started
    return spent


def engine(experiment: Experiment, *, workers: int) -> tuple[float, float]:
    """Seconds from start to end of a run into a new file, and seconds its workers were busy with chunks."""
    with tempfile.TemporaryDirectory() as folder:
        path, executor = Path(folder) / "sweep.sqlite", get_executor(workers=workers)
        started = time.perf_counter()
        with run_in(path, experiment, executor=executor) as store:
            return time.perf_counter() - started, float(store.runs[-1]["busy"])


def history(path: Path) -> None:
    """The overhead of the runs that filled a store."""
    with read_store(path) as store:
        for entry in store.runs:
            last = entry["workers"].split()[-1]
            workers = int(last) if last.isdecimal() else 1
            idle = entry["elapsed"] * workers - entry["busy"]
            print(
                f"{path.name}: {entry['items']} deals, {entry['workers']}, {entry['elapsed']:.0f} s: "
                f"overhead {idle / max(entry['busy'], 1e-9):.1%} of the work"
            )


if __name__ == "__main__":
    main()
