"""Bits and random bits inside kernels.

`bit_count`, `lowest` and `highest` are one machine instruction each when compiled and ordinary functions when
numba is switched off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config, njit, types
from numba.extending import intrinsic

# Weyl step and mixing constants of SplitMix64 (Steele, Lea, Flood 2014).
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


if config.DISABLE_JIT:

    def bit_count(mask: int) -> int:
        """The number of set bits of a non-negative mask."""
        return int(mask).bit_count()

    def lowest(mask: int) -> int:
        """The number of the lowest bit of a mask that is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def highest(mask: int) -> int:
        """The number of the highest bit of a mask that is not empty."""
        return int(mask).bit_length() - 1

else:

    @intrinsic
    def bit_count(typingctx: Any, mask: Any) -> Any:
        """The number of set bits of a non-negative mask."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest(typingctx: Any, mask: Any) -> Any:
        """The number of the lowest bit of a mask that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen

    @intrinsic
    def highest(typingctx: Any, mask: Any) -> Any:
        """The number of the highest bit of a mask that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], context.get_constant(types.boolean, True))
            return builder.sub(context.get_constant(types.int64, 63), zeros)

        return types.int64(types.int64), codegen


@njit(inline="always")
def top_bit(mask: int) -> int:
    """The highest bit of a mask, 0 for the empty one."""
    return 1 << highest(mask) if mask else 0


@njit(inline="always")
def above(bit: int) -> int:
    """All bits above a single bit; all bits for 0."""
    return -bit ^ bit if bit else -1


@njit(inline="always")
def random_word(rng: Any) -> Any:
    """The next 64 bits of SplitMix64; `rng` is an array of one uint64."""
    rng[0] += _STEP
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@njit(inline="always")
def random_below(rng: Any, n: int) -> Any:
    """Uniform in 0..n-1 up to one part in 2^32, by multiplication and shift."""
    return np.int64(((random_word(rng) >> _S32) * np.uint64(n)) >> _S32)


@njit(inline="always")
def nth_bit(mask: int, n: int) -> int:
    """The mask of the n-th lowest set bit, counted from 0."""
    for _ in range(n):
        mask &= mask - 1
    return mask & -mask


@njit(inline="always")
def random_bit(mask: int, rng: Any) -> int:
    """The mask of one set bit, drawn uniformly."""
    count = bit_count(mask)
    if count == 1:
        return mask
    return nth_bit(mask, random_below(rng, count))
