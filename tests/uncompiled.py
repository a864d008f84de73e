"""Kernels and their plain-Python twins: the same script with numba and without."""

from __future__ import annotations

import os
import subprocess
import sys


def with_and_without_numba(script: str, *options: str) -> tuple[str, str]:
    """What the script prints when its kernels are compiled, and when they run as plain Python."""
    compiled, plain = (_printed(script, options, disabled) for disabled in ("0", "1"))
    return compiled, plain


def _printed(script: str, options: tuple[str, ...], disabled: str) -> str:
    run = subprocess.run(
        [sys.executable, *options, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": disabled}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout
