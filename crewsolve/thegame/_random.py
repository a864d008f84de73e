"""Random decks inside a kernel: the bit stream of `crewsolve.randomness`, again, for numba.

Deck number i of a seed is a Fisher-Yates shuffle, from the last place down, on the raw output of
`PCG64(SeedSequence((seed, i)))`. Making numpy objects would cost more than playing the game, so the seed
hash (O'Neill's `seed_seq_fe`) and the generator (PCG XSL RR 128/64) are written out here; the tests
compare them with numpy's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from crewsolve.kernels.jit import kernel

_U32 = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_16 = np.uint64(16)
_ONE = np.uint64(1)
_POOL = 4
_INIT_A, _MULT_A = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
_INIT_B, _MULT_B = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_MIX_L, _MIX_R = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_PCG_HIGH, _PCG_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)


def seed_words(seed: int) -> np.ndarray:
    """The 32-bit words of a seed, lowest first, as `SeedSequence` reads an integer."""
    words = [seed & 0xFFFFFFFF]
    while seed := seed >> 32:
        words.append(seed & 0xFFFFFFFF)
    return np.array(words, dtype=np.uint64)


@njit(inline="always")
def _hash(value: np.uint64, constant: np.uint64, multiplier: np.uint64) -> Any:
    """One step of the seed hash on 32-bit words; returns the hashed word and the next constant."""
    value = (value ^ constant) & _U32
    constant = (constant * multiplier) & _U32
    value = (value * constant) & _U32
    return value ^ (value >> _16), constant


@njit(inline="always")
def _mix(x: np.uint64, y: np.uint64) -> np.uint64:
    result = (_MIX_L * x - _MIX_R * y) & _U32
    return result ^ (result >> _16)


@kernel
def _fill_pool(entropy: np.ndarray, length: int, pool: np.ndarray) -> None:
    """Stir the entropy words into the four words of the pool."""
    constant = _INIT_A
    for i in range(_POOL):
        word = entropy[i] if i < length else np.uint64(0)
        pool[i], constant = _hash(word, constant, _MULT_A)
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                word, constant = _hash(pool[source], constant, _MULT_A)
                pool[target] = _mix(pool[target], word)
    for source in range(_POOL, length):
        for target in range(_POOL):
            word, constant = _hash(entropy[source], constant, _MULT_A)
            pool[target] = _mix(pool[target], word)


@njit(inline="always")
def _wide_product(a: np.uint64, b: np.uint64) -> Any:
    """The 128-bit product of two 64-bit words, as (high, low)."""
    a_low, a_high = a & _U32, a >> _32
    b_low, b_high = b & _U32, b >> _32
    low = a_low * b_low
    middle = a_high * b_low + (low >> _32)
    cross = a_low * b_high + (middle & _U32)
    return a_high * b_high + (middle >> _32) + (cross >> _32), (cross << _32) | (low & _U32)


@njit(inline="always")
def _add(high: np.uint64, low: np.uint64, more_high: np.uint64, more_low: np.uint64) -> Any:
    total = low + more_low
    carry = _ONE if total < low else np.uint64(0)
    return high + more_high + carry, total


@njit(inline="always")
def _step(high: np.uint64, low: np.uint64, inc_high: np.uint64, inc_low: np.uint64) -> Any:
    """One step of the 128-bit congruential generator."""
    top, bottom = _wide_product(low, _PCG_LOW)
    top = top + high * _PCG_LOW + low * _PCG_HIGH
    return _add(top, bottom, inc_high, inc_low)


@njit(inline="always")
def next_raw(stream: np.ndarray) -> np.uint64:
    """The next 64 raw bits; `stream` holds state and increment, high words first."""
    high, low = _step(stream[0], stream[1], stream[2], stream[3])
    stream[0], stream[1] = high, low
    word, turn = high ^ low, high >> np.uint64(58)
    return (word >> turn) | (word << ((np.uint64(64) - turn) & np.uint64(63)))


@kernel
def open_stream(seed: np.ndarray, index: np.uint64, stream: np.ndarray) -> None:
    """Set the stream to the start of `PCG64(SeedSequence((seed, index)))`."""
    entropy = np.zeros(len(seed) + 2, np.uint64)
    length = len(seed)
    entropy[:length] = seed
    entropy[length] = index & _U32
    length += 1
    if index >> _32 != np.uint64(0):
        entropy[length] = index >> _32
        length += 1
    pool = np.zeros(_POOL, np.uint64)
    _fill_pool(entropy, length, pool)
    words = np.zeros(4, np.uint64)
    constant = _INIT_B
    for i in range(8):
        half, constant = _hash(pool[i % _POOL], constant, _MULT_B)
        words[i // 2] |= half << (_32 if i % 2 else np.uint64(0))
    inc_high = (words[2] << _ONE) | (words[3] >> np.uint64(63))
    inc_low = (words[3] << _ONE) | _ONE
    high, low = _add(inc_high, inc_low, words[0], words[1])
    high, low = _step(high, low, inc_high, inc_low)
    stream[0], stream[1], stream[2], stream[3] = high, low, inc_high, inc_low


@kernel
def below(stream: np.ndarray, n: int) -> int:
    """A uniform number below n: the highest incomplete block of residues is drawn again."""
    size = np.uint64(n)
    spare = (np.uint64(0) - size) % size
    raw = next_raw(stream)
    while spare != np.uint64(0) and raw >= np.uint64(0) - spare:
        raw = next_raw(stream)
    return np.int64(raw % size)  # type: ignore[return-value]


@kernel
def shuffle(stream: np.ndarray, order: np.ndarray) -> None:
    """Fisher-Yates from the last place down, on the numbers 0 to len - 1."""
    for i in range(len(order)):
        order[i] = i
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
