from __future__ import annotations

import io
import sys
import threading
import time

import pytest

from crewsolve.cli import asking


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, quiet_seconds: float) -> Terminal:
    """Called in the test itself: pytest puts its own stderr in place between a fixture and the test."""
    monkeypatch.setattr(asking, "QUIET_SECONDS", quiet_seconds)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_long_work_is_told_on_a_terminal_and_leaves_nothing_running(monkeypatch):
    terminal = at_a_terminal(monkeypatch, 0.01)
    before = set(threading.enumerate())
    with asking.talking("solving") as say:
        say("half way")
        deadline = time.monotonic() + 10
        while "half way" not in terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "solving: half way" in terminal.getvalue()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)  # rich's painter has been told to end, but is not waited for
        assert not thread.is_alive()


def test_quick_work_is_not_told(monkeypatch):
    terminal = at_a_terminal(monkeypatch, 60)
    with asking.talking("solving"):
        pass
    assert "solving" not in terminal.getvalue()


def test_nobody_is_told_where_there_is_no_terminal(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with asking.talking("solving") as say:
        say("half way")
    assert stream.getvalue() == ""
