"""A dask.distributed cluster: the scheduler's address, or `local` for a cluster on this machine.

The workers need the same crewsolve installed. dask itself gives a dead worker's chunk to another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import uuid4

from crewsolve.errors import CrewError
from crewsolve.experiments.executors import MAX_ATTEMPTS, gave_up, usable_cores
from crewsolve.experiments.kinds import Chunk, Finished, execute

LOCAL = "local"
"""The address that stands for a cluster of our own."""

_CONNECT_SECONDS = 10


class Cluster:
    """Chunks run by the workers of a dask cluster."""

    def __init__(self, *, workers: int | None = None, address: str | None = None) -> None:
        self.address = address or LOCAL
        self.workers = usable_cores() if workers is None else workers
        self._client: Any = None
        self._cluster: Any = None

    def __enter__(self) -> Cluster:
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError as error:
            raise CrewError("a cluster needs dask: install crewsolve[cluster]") from error
        dask.config.set({"distributed.scheduler.allowed-failures": MAX_ATTEMPTS - 1})
        target = self.address
        if self.address == LOCAL:
            target = self._cluster = LocalCluster(
                n_workers=self.workers, threads_per_worker=1, dashboard_address=None
            )
        try:
            self._client = Client(target, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise CrewError(f"no dask scheduler answers at {self.address}: {error}") from error
        return self

    def __exit__(self, *exc: object) -> None:
        for part in (self._client, self._cluster):
            if part is not None:
                part.close()
        self._client = self._cluster = None

    def __str__(self) -> str:
        return f"dask {LOCAL} {self.workers}" if self.address == LOCAL else "dask"

    def map(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Finished]]:
        """Run every chunk, keeping two in flight for each thread of the cluster."""
        from distributed import KilledWorker, as_completed

        run, serial = uuid4().hex, count()
        in_flight: dict[str, Chunk] = {}
        completed = as_completed(loop=self._client.loop)

        def refill() -> None:
            while len(in_flight) < 2 * max(1, sum(self._client.nthreads().values())):
                chunk = next(chunks, None)
                if chunk is None:
                    return
                future = self._client.submit(execute, chunk, key=f"crewsolve-{run}-{next(serial)}")
                in_flight[future.key] = chunk
                completed.add(future)

        refill()
        while in_flight:
            future = next(completed)
            chunk = in_flight.pop(future.key)
            try:
                finished = future.result()
            except KilledWorker as error:
                raise gave_up(chunk) from error
            refill()
            yield chunk, finished
