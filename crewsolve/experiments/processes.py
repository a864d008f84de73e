"""Processes on this machine: one pipe to each, and a dead worker's chunk goes to a new one.

The standard pools lose every chunk in flight when one worker dies; here only the dead worker's chunk is
done again. Workers are spawned, not forked, so that they hold no copy of each other's pipes and end when
the parent does, even by kill -9.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from crewsolve.experiments.executors import MAX_ATTEMPTS, gave_up, usable_cores
from crewsolve.experiments.kinds import Chunk, Finished, execute

_SPAWN = multiprocessing.get_context("spawn")


def _work(pipe: Connection) -> None:
    """The life of a worker: chunks in, results out, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        while True:
            pipe.send(execute(pipe.recv()))
    except (EOFError, OSError):
        return


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class _Worker:
    """A process, our end of its pipe and the chunk it is at."""

    def __init__(self) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process: SpawnProcess = _SPAWN.Process(target=_work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.chunk: Chunk | None = None
        self.deaths = 0  # workers that died on this chunk before

    def give(self, chunk: Chunk, *, deaths: int = 0) -> None:
        self.chunk, self.deaths = chunk, deaths
        try:
            self.pipe.send(chunk)
        except OSError:
            pass  # it died while idle: `take` will find the pipe closed

    def take(self) -> Finished | None:
        """Its result, None where it died."""
        try:
            finished = self.pipe.recv()
        except (EOFError, OSError):
            return None
        assert isinstance(finished, Finished)
        return finished

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class Processes:
    """As many worker processes as asked for, by default one for each core."""

    def __init__(self, *, workers: int | None = None, address: str | None = None) -> None:
        del address  # everything is on this machine
        self.workers = usable_cores() if workers is None else workers
        self._pool: list[_Worker] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *exc: object) -> None:
        for worker in self._pool:
            worker.end()
        self._pool.clear()

    def __str__(self) -> str:
        return f"processes {self.workers}"

    def map(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Finished]]:
        """Run every chunk; a worker gets its next one before its last result is handed on."""
        for _ in range(self.workers):
            chunk = next(chunks, None)
            if chunk is None:
                break
            self._hire().give(chunk)
        while busy := {worker.pipe: worker for worker in self._pool if worker.chunk is not None}:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                yield from self._collect(busy[pipe], chunks)

    def _collect(self, worker: _Worker, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Finished]]:
        chunk, finished = worker.chunk, worker.take()
        assert chunk is not None
        worker.chunk = None
        if finished is None:
            self._replace(worker, chunk)
            return
        following = next(chunks, None)
        if following is not None:
            worker.give(following)
        yield chunk, finished

    def _replace(self, dead: _Worker, chunk: Chunk) -> None:
        self._pool.remove(dead)
        dead.end()
        if dead.deaths + 1 == MAX_ATTEMPTS:
            raise gave_up(chunk)
        self._hire().give(chunk, deaths=dead.deaths + 1)

    def _hire(self) -> _Worker:
        worker = _Worker()
        self._pool.append(worker)
        return worker
