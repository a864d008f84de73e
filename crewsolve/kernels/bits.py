"""Bits and random bits inside kernels.

`bit_count` is one machine instruction when compiled and an ordinary function when numba is switched off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
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

else:

    @intrinsic
    def bit_count(typingctx: Any, mask: Any) -> Any:
        """The number of set bits of a non-negative mask."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            ctpop = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
            return builder.call(ctpop, args)

        return types.int64(types.int64), codegen


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
