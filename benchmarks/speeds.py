"""Speeds that are not decisions: playouts, perft nodes, imports and first answers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.plan import Plan
from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.solving import perft


def _full_deal() -> Deal:
    return random_deal(Deck.parse("4x9+4"), seats=4, tasks=5, key=(2021, 0), name="first")


def playouts_per_second(count: int) -> float:
    """Random playouts of 40 cards to the last trick, in one thread."""
    import numpy as np

    from crewsolve.kernels.playouts import play_out_many

    deal = _full_deal()
    hands = np.array([hand.mask for hand in deal.hands], np.int64)
    suits = np.array(deal.deck.suit_masks, np.int64)
    rng = np.array([2021], np.uint64)
    play_out_many(hands.copy(), deal.leader, deal.tricks, suits, False, 10, rng)  # compiled here, not timed
    started = time.process_time()
    play_out_many(hands.copy(), deal.leader, deal.tricks, suits, False, count, rng)
    return count / (time.process_time() - started)


def perft_per_second(depth: int) -> float:
    """Leaves of the tree of legal plays of a full deal that are counted in a second."""
    perft(_full_deal(), depth)  # compiled here, not timed
    started = time.process_time()
    leaves = perft(_full_deal(), depth)
    return leaves / (time.process_time() - started)


def starts() -> dict[str, float]:
    """Wall seconds of fresh processes; the first answer finds an empty cache, the second what it left."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "deal.deals"
        file.write_text(f"{_full_deal()}\n", encoding="utf-8")
        environment = _environment(Path(directory) / "cache")
        solve = ("-m", "crewsolve", "solve", str(file))
        return {
            "import crewsolve": _wall(environment, "-c", "import crewsolve"),
            "crewsolve --help": _wall(environment, "-m", "crewsolve", "--help"),
            "first crewsolve solve": _wall(environment, *solve),
            "second crewsolve solve": _wall(environment, *solve),
        }


def _environment(cache: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return {**kept, "XDG_CACHE_HOME": str(cache)}


def _wall(environment: dict[str, str], *arguments: str) -> float:
    started = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return seconds


def measure_speeds(plan: Plan) -> dict[str, float]:
    """All of them by name."""
    return {
        "playouts per second": playouts_per_second(plan.playouts),
        "perft nodes per second": perft_per_second(plan.perft_depth),
        **starts(),
    }
