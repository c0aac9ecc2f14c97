"""The nine squares that draws against Perfect earn, one bit each."""

from __future__ import annotations

from functools import cache

from engine.position import Square

NINE = 0b111_111_111


@cache  # at most 512 entries
def earned_squares(bits: int) -> tuple[Square, ...]:
    """Return the squares of a set of bits.

    >>> earned_squares(0b10001)
    (0, 4)
    """
    return tuple(square for square in range(9) if bits >> square & 1)
