"""Worker processes for a long stream: order kept, memory bounded, nothing lost when one of them dies.

The unit of work is a chunk of items. Chunks start small and grow while they are quick, so that the first
answer is early and cheap items do not drown in messages. A chunk whose worker dies is done again item by
item; an item that kills its worker once more is given up and reported in its place.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from crewsolve.errors import CrewError, InternalBug
from crewsolve.solving.chunks import Chunks

A = TypeVar("A")
B = TypeVar("B")

CHUNKS_AHEAD = 8
"""Chunks in the making or waiting for their turn, for each worker: this bounds the memory."""

GRACE = 1.0  # seconds a worker has to end when asked, before it is killed


@dataclass
class _Job(Generic[A, B]):
    """One chunk on its way: the items, the outcomes so far, and whether its worker has died on it."""

    items: list[A]
    outcomes: list[B] = field(default_factory=list)
    careful: bool = False

    @property
    def next_items(self) -> list[A]:
        first = len(self.outcomes)
        return self.items[first : first + 1] if self.careful else self.items[first:]

    @property
    def finished(self) -> bool:
        return len(self.outcomes) == len(self.items)


class _Worker(Generic[A, B]):
    """One process and the job it is on."""

    def __init__(self, function: Callable[[list[A]], Iterable[B]]) -> None:
        context = get_context("spawn")  # forking a process with threads (numba, CP-SAT) is not safe
        self.pipe, theirs = context.Pipe()
        self.job: _Job[A, B] | None = None
        self.ready = False
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs, function))
        with _interrupts_blocked():
            self.process.start()
        theirs.close()

    def send(self, job: _Job[A, B]) -> None:
        self.job = job
        with suppress(OSError):  # a dead worker is noticed when its answer is awaited
            self.pipe.send(job.next_items)

    def end(self, *, dying: bool = False) -> str:
        """End the process if it still runs, and say how it ended; a dying one may do so by itself."""
        self.pipe.close()
        if dying:
            self.process.join(GRACE)
        self.process.terminate()
        self.process.join(GRACE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        code = self.process.exitcode or 0
        self.process.close()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


class Workers(Generic[A, B]):
    """Applies a function of chunks to a stream in several processes."""

    def __init__(
        self,
        function: Callable[[list[A]], Iterable[B]],
        *,
        count: int,
        given_up: Callable[[A, str], B],
    ) -> None:
        """`given_up` makes the outcome of an item that twice ended its worker, from the item and the way."""
        self._function = function
        self._given_up = given_up
        self._count = count
        self._workers: list[_Worker[A, B]] = []
        self._retry: deque[_Job[A, B]] = deque()

    def map(self, items: Iterable[A]) -> Iterator[B]:
        """The outcomes in the order of the items; processes end with the iterator."""
        atexit.register(self._stop)  # before multiprocessing waits for its children
        try:
            yield from self._map(Chunks(items))
        finally:
            self._stop()
            atexit.unregister(self._stop)

    def _map(self, chunks: Chunks[A]) -> Iterator[B]:
        waiting: deque[_Job[A, B]] = deque()
        while True:
            self._feed(chunks, waiting)
            while waiting and waiting[0].finished:
                yield from waiting.popleft().outcomes
            if not waiting and chunks.exhausted:
                return
            if waiting:
                self._collect(chunks)

    def _feed(self, chunks: Chunks[A], waiting: deque[_Job[A, B]]) -> None:
        while any(worker.job is None for worker in self._workers) or len(self._workers) < self._count:
            if self._retry:
                job = self._retry.popleft()
            elif not chunks.exhausted and len(waiting) < CHUNKS_AHEAD * self._count:
                if not (chunk := chunks.take()):
                    return
                waiting.append(job := _Job(chunk))
            else:
                return
            self._idle().send(job)

    def _idle(self) -> _Worker[A, B]:
        for worker in self._workers:
            if worker.job is None:
                return worker
        self._workers.append(_Worker(self._function))
        return self._workers[-1]

    def _collect(self, chunks: Chunks[A]) -> None:
        """Wait for messages, and take each in."""
        pipes = {worker.pipe: worker for worker in self._workers if worker.job is not None}
        for pipe in connection.wait(list(pipes)):
            assert isinstance(pipe, Connection)
            worker = pipes[pipe]
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if not worker.ready:
                worker.ready = True
            else:
                self._take_in(worker, message, chunks)

    def _take_in(
        self, worker: _Worker[A, B], message: tuple[float, list[B] | str], chunks: Chunks[A]
    ) -> None:
        seconds, outcomes = message
        if isinstance(outcomes, str):
            raise InternalBug(f"a worker failed:\n{outcomes}")
        job, worker.job = worker.job, None
        assert job is not None
        job.outcomes += outcomes
        if not job.careful:
            chunks.learn(len(outcomes), seconds)
        elif not job.finished:
            self._retry.append(job)

    def _bury(self, worker: _Worker[A, B]) -> None:
        """A worker has died: its job is done again with care, or its item is given up."""
        self._workers.remove(worker)
        way = worker.end(dying=True)
        if not worker.ready and not way.startswith("signal"):
            raise CrewError(
                f"a worker process ended before it could start ({way}); a script that uses workers must "
                "start its work under `if __name__ == '__main__':`"
            )
        job = worker.job
        assert job is not None
        if job.careful:
            job.outcomes.append(self._given_up(job.next_items[0], way))
        job.careful = True
        if not job.finished:
            self._retry.append(job)

    def _stop(self) -> None:
        while self._workers:
            self._workers.pop().end()


def _serve(pipe: Connection, function: Callable[[list[A]], Iterable[B]]) -> None:
    """The life of a worker: chunks in, outcomes out, until the pipe closes."""
    _leave_signals_to_the_parent()
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            items = pipe.recv()
            started = time.perf_counter()
            outcomes: list[B] | str
            try:
                outcomes = list(function(items))
            except Exception:
                outcomes = traceback.format_exc()  # as text: not every exception survives the pipe
            pipe.send((time.perf_counter() - started, outcomes))


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A process started here is born deaf to Ctrl-C, even before its first own line."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # started with the first process, it would unblock the signal again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_signals_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # An orderly exit, so that a method can end the process it may have started itself.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
