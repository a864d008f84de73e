from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from crewsolve.errors import InternalBug
from crewsolve.solving.chunks import LARGEST_CHUNK
from crewsolve.solving.workers import CHUNKS_AHEAD, Workers
from tests.solving import jobs

ROOT = Path(__file__).parents[2]


def give_up(number: int, way: str) -> str:
    return f"{number} given up: {way}"


def run(function, items, *, count=2):
    return Workers(function, count=count, given_up=give_up).map(items)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(condition, seconds=20.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def test_the_order_is_kept_when_later_chunks_are_done_first():
    assert list(run(jobs.square_out_of_step, range(40))) == [n * n for n in range(40)]
    assert multiprocessing.active_children() == []


def test_a_killed_worker_loses_nothing(tmp_path):
    function = partial(jobs.die_once, at=7, mark=str(tmp_path / "mark"))
    assert list(run(function, range(30))) == [n * n for n in range(30)]
    assert (tmp_path / "mark").exists()


def test_an_item_that_kills_its_worker_is_given_up_in_its_place():
    found = list(run(partial(jobs.die_always, at=9), range(20)))
    assert found[9] == "9 given up: signal 9"
    assert found[:9] + found[10:] == [n * n for n in range(20) if n != 9]


def test_a_bug_in_a_worker_is_raised_with_its_traceback():
    with pytest.raises(InternalBug, match="ZeroDivisionError: a bug"):
        list(run(jobs.fail, range(3)))
    assert multiprocessing.active_children() == []


def test_an_endless_stream_is_read_only_so_far_ahead():
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield read

    stream = run(jobs.square, endless())
    for n in range(1, 3000):
        assert next(stream) == n * n
        assert read - n <= CHUNKS_AHEAD * 2 * LARGEST_CHUNK + LARGEST_CHUNK
    stream.close()
    assert multiprocessing.active_children() == []


def test_an_empty_stream_starts_no_process():
    assert list(run(jobs.square, [])) == []


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path, how):
    """Ctrl-C and even a killed parent leave no process behind."""
    script = tmp_path / "busy.py"
    script.write_text(
        "import multiprocessing, threading, time\n"
        "from crewsolve.solving.workers import Workers\n"
        "from tests.solving import jobs\n"
        "def tell():\n"
        "    while len(multiprocessing.active_children()) < 2: time.sleep(0.01)\n"
        "    print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        "if __name__ == '__main__':\n"
        "    threading.Thread(target=tell, daemon=True).start()\n"
        "    list(Workers(jobs.sleep_long, count=2, given_up=None).map(range(9)))\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(script)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    workers = [int(pid) for pid in process.stdout.readline().split()]
    assert len(workers) == 2 and all(map(alive, workers))
    time.sleep(0.5)  # the workers may still be starting: they must be deaf to Ctrl-C from the first moment
    target = os.killpg if how is signal.SIGINT else os.kill
    target(process.pid, how)
    _, errors = process.communicate(timeout=20)
    assert wait_until(lambda: not any(map(alive, workers)))
    if how is signal.SIGINT:
        assert errors.count("Traceback") == 1, errors  # the parent's KeyboardInterrupt alone
