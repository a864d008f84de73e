"""A float seen as an integer, inside kernels."""

from __future__ import annotations

from typing import Any

from numba import config, types
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def float_bits(number: float) -> int:
        """The 64 bits of a float64 as an int64."""
        import struct

        return int(struct.unpack("<q", struct.pack("<d", number))[0])

else:

    @intrinsic
    def float_bits(typing_context: Any, number: Any) -> Any:
        """The 64 bits of a float64 as an int64."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.bitcast(args[0], ir.IntType(64))

        return types.int64(types.float64), generate
