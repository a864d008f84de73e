"""A documented stream of random numbers: the same on every machine and for every library version.

The bits are the raw 64-bit outputs of PCG64 (O'Neill 2014), seeded through numpy's `SeedSequence` with the
integers of the key; both algorithms are fixed by numpy's compatibility policy. Everything above the raw
bits is ours, because numpy's own `shuffle` and `integers` may change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
_RANGE = 1 << 64
_BLOCK = 64


class Stream:
    """Random numbers from a key of non-negative integers, such as (seed, index).

    >>> stream = Stream(1, 0)
    >>> [stream.below(10) for _ in range(5)]
    [7, 6, 5, 8, 9]
    """

    def __init__(self, *key: int) -> None:
        from numpy.random import PCG64, SeedSequence

        self._bits = PCG64(SeedSequence(key))
        self._block: list[int] = []

    def raw(self) -> int:
        """The next 64 bits."""
        if not self._block:
            self._block = self._bits.random_raw(_BLOCK)[::-1].tolist()
        return self._block.pop()

    def raws(self, count: int) -> NDArray[np.uint64]:
        """The next `count` words of 64 bits as an array."""
        import numpy as np

        buffered = [self._block.pop() for _ in range(min(count, len(self._block)))]
        fresh = self._bits.random_raw(count - len(buffered))
        return np.concatenate([np.array(buffered, np.uint64), fresh])

    def below(self, n: int) -> int:
        """Uniform in 0..n-1: raw bits modulo n, redrawn where the last incomplete run of n is hit."""
        if n > _RANGE:
            return self._below_large(n)
        limit = _RANGE - _RANGE % n
        value = self.raw()
        while value >= limit:
            value = self.raw()
        return value % n

    def _below_large(self, n: int) -> int:
        """The same with as many words as n needs, the first draw being the lowest bits."""
        words = -(-(n - 1).bit_length() // 64)
        limit = (1 << 64 * words) - (1 << 64 * words) % n
        while True:
            value = sum(self.raw() << 64 * place for place in range(words))
            if value < limit:
                return value % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All items in uniformly random order: Fisher-Yates from the last place down."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` items in random order, one draw each: a longer sample starts with the shorter one."""
        result = list(items)
        for i in range(count):
            j = i + self.below(len(result) - i)
            result[i], result[j] = result[j], result[i]
        return result[:count]
