"""What the workers of these tests do; in a module of its own, because processes must find it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def square(numbers: list[int]) -> list[int]:
    return [n * n for n in numbers]


def square_out_of_step(numbers: list[int]) -> list[int]:
    """The first numbers take longest, so that later chunks are done before them."""
    time.sleep(0.15 if numbers[0] < 2 else 0)
    return square(numbers)


def die_once(numbers: list[int], *, at: int, mark: str) -> list[int]:
    """Is killed at one number, but only the first time."""
    if at in numbers and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(numbers)


def die_always(numbers: list[int], *, at: int) -> list[int]:
    """Is killed at one number whenever it comes to it."""
    if at in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return square(numbers)


def fail(numbers: list[int]) -> list[int]:
    raise ZeroDivisionError("a bug")


def sleep_long(numbers: list[int]) -> list[int]:
    time.sleep(600)
    return numbers
