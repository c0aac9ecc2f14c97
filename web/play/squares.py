"""The nine squares that draws against Perfect earn, each a bit."""

from __future__ import annotations

from functools import cache

from engine.position import Square

NINE = 0b111_111_111


@cache  # of 512 sets of bits
def earned_squares(bits: int) -> tuple[Square, ...]:
    """Return the squares of a set of bits.

    >>> earned_squares(0b10001)
    (0, 4)
    """
    return tuple(square for square in range(9) if bits >> square & 1)
