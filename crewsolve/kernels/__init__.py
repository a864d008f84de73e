"""Compiled kernels over bit masks: arrays and scalars in, arrays and scalars out, no objects.

Masks are `int64` everywhere: at most 63 cards, and no mixing of signed and unsigned words.
"""
