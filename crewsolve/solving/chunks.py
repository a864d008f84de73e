"""A long stream in chunks: large enough to be worth their overhead, small enough to keep nobody waiting."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Generic, TypeVar

A = TypeVar("A")

LARGEST_CHUNK = 256
QUICK, SLOW = 0.05, 0.5  # seconds: quicker chunks grow, slower ones shrink


class Chunks(Generic[A]):
    """Cuts a stream into chunks whose size follows the time they take: 1, 2, 4, … while they are quick.

    >>> chunks = Chunks("abcdefgh")
    >>> chunks.take(), chunks.learn(1, 0.01), chunks.take()
    (['a'], None, ['b', 'c'])
    """

    def __init__(self, items: Iterable[A]) -> None:
        self._items = iter(items)
        self._size = 1
        self.exhausted = False

    def take(self) -> list[A]:
        """The next chunk, empty at the end of the stream."""
        chunk = list(islice(self._items, self._size))
        self.exhausted = not chunk
        return chunk

    def learn(self, size: int, seconds: float) -> None:
        """Let the size of the next chunks follow the time that one of this size has taken."""
        if seconds < QUICK and size >= self._size:
            self._size = min(2 * self._size, LARGEST_CHUNK)
        elif seconds > SLOW:
            self._size = max(self._size // 2, 1)
