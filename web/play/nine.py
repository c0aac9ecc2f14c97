"""The squares to hold against Perfect, as bits: nine to begin on, and as O four corners."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.position import Mark, O, Square, X

CORNERS = (0, 2, 6, 8)  # where Perfect begins
BITS: Mapping[tuple[Mark, Square], int] = {
    **{(X, square): 1 << square for square in range(9)},
    **{(O, corner): 1 << place for place, corner in enumerate(CORNERS, 9)},
}
NINE = sum(bit for (mark, _), bit in BITS.items() if mark == X)
ALL_HELD = sum(BITS.values())


def of_all(mark: Mark) -> tuple[Square, ...]:
    """Return all squares that can be held as `mark`."""
    return tuple(square for own, square in BITS if own == mark)


@cache  # of 8,192 sets of bits and two marks
def held_as(mark: Mark, held: int) -> tuple[Square, ...]:
    """Return the squares held as `mark`, from their bits.

    >>> held_as("X", BITS["X", 4] | BITS["O", 8])
    (4,)
    """
    return tuple(square for (own, square), bit in BITS.items() if own == mark and held & bit)
