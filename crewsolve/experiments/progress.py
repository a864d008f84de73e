"""Progress of a long run on stderr: cells, items per second, time left; silent when nobody looks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """What the engine tells about its advance."""

    def advance(self, cell: str, items: int) -> None:
        """`items` more of a cell are stored."""
        ...


class _Silent:
    def advance(self, cell: str, items: int) -> None:
        return None


@contextmanager
def show_progress(
    *, items: str, total: int, done: int, cells: dict[str, int], quiet: bool = False
) -> Iterator[Progress]:
    """A live line while the run lasts. `cells` maps each cell's name to what it still lacks."""
    import sys

    if quiet or not sys.stderr.isatty():
        yield _Silent()
        return
    with _bar(items, total, done, cells) as shown:
        yield shown


@contextmanager
def _bar(items: str, total: int, done: int, cells: dict[str, int]) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.fields[cells]} cells"),
        BarColumn(),
        TextColumn(f"{{task.completed:,.0f}}/{{task.total:,.0f}} {items}"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
    )
    lacking = {name: count for name, count in cells.items() if count}
    started = time.perf_counter()

    def cells_done() -> str:
        return f"{len(cells) - len(lacking)}/{len(cells)}"

    class Shown:
        def advance(self, cell: str, items: int) -> None:
            lacking[cell] = lacking.get(cell, 0) - items
            if lacking[cell] <= 0:
                del lacking[cell]
            finished = bar.tasks[task].completed + items
            speed = (finished - done) / max(time.perf_counter() - started, 1e-9)
            bar.update(task, completed=finished, cells=cells_done(), speed=f"{speed:,.0f}/s")

    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total, completed=done, cells=cells_done(), speed="")
        yield Shown()
