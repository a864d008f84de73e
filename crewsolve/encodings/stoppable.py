"""Work in foreign code that neither the clock nor Ctrl-C can reach, made to end with its caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_ASK_AGAIN = 0.01


def run_stoppable(work: Callable[[], T], stop: Callable[[], None], *, seconds: float | None) -> T:
    """The result of `work`, done in a thread of its own, which is over when this returns or raises.

    When the time is up, or on Ctrl-C, `stop` is called from here until the work ends; it must make `work`
    return soon, wherever that is. The caller's thread only waits, so it sees signals at once.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    over = threading.Event()  # a `join` broken off by Ctrl-C takes the thread for dead (CPython issue 90882)

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again in the caller's thread
            errors.append(error)
        finally:
            over.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        over.wait(seconds)
    finally:
        while not over.is_set():
            stop()
            over.wait(_ASK_AGAIN)
        thread.join()
    if errors:
        raise errors[0]
    return results[0]
