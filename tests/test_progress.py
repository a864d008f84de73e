"""Progress is shown to people and to nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from crewsolve.experiments.progress import show_progress

_SCRIPT = """
from crewsolve.experiments.progress import show_progress
with show_progress(items="deals", total=12, done=4, cells={"a": 0, "b": 3, "c": 5}) as progress:
    for cell, count in (("b", 3), ("c", 5)):
        progress.advance(cell, count)
"""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal to look at")
def test_a_terminal_sees_cells_items_and_speed(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    environment = {
        **os.environ,
        "TERM": "xterm",
        "COLUMNS": "120",
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    done = subprocess.run([sys.executable, "-c", _SCRIPT], stderr=theirs, env=environment, cwd=tmp_path)
    os.close(theirs)
    seen = b""
    while chunk := _read(ours):
        seen += chunk
    os.close(ours)
    assert done.returncode == 0
    assert b"3/3 cells" in seen and b"12/12 deals" in seen and b"/s" in seen


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the other end is closed
        return b""


def test_nobody_looking_means_silence(capfd: pytest.CaptureFixture[str]) -> None:
    with show_progress(items="deals", total=2, done=0, cells={"a": 2}) as progress:
        progress.advance("a", 2)
    assert capfd.readouterr() == ("", "")
