"""Turns and mirror images: positions that differ only in the side one looks at them from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from engine.position import SQUARES_IN, Position, Square

Symmetry = Literal[
    "identity",
    "quarter turn",
    "half turn",
    "three-quarter turn",
    "left-right mirror",
    "top-bottom mirror",
    "diagonal mirror",
    "antidiagonal mirror",
]

# Where each square goes. Turns are clockwise; the diagonal runs down from the top left.
SYMMETRIES: dict[Symmetry, tuple[Square, ...]] = {
    "identity": (0, 1, 2, 3, 4, 5, 6, 7, 8),
    "quarter turn": (2, 5, 8, 1, 4, 7, 0, 3, 6),
    "half turn": (8, 7, 6, 5, 4, 3, 2, 1, 0),
    "three-quarter turn": (6, 3, 0, 7, 4, 1, 8, 5, 2),
    "left-right mirror": (2, 1, 0, 5, 4, 3, 8, 7, 6),
    "top-bottom mirror": (6, 7, 8, 3, 4, 5, 0, 1, 2),
    "diagonal mirror": (0, 3, 6, 1, 4, 7, 2, 5, 8),
    "antidiagonal mirror": (8, 5, 2, 7, 4, 1, 6, 3, 0),
}

# The same for each of the 512 boards, so that to turn a position is two look-ups.
IMAGES: dict[Symmetry, tuple[int, ...]] = {
    symmetry: tuple(sum(1 << goes_to[s] for s in squares) for squares in SQUARES_IN)
    for symmetry, goes_to in SYMMETRIES.items()
}


def image(position: Position, symmetry: Symmetry) -> Position:
    """Return `position` turned or mirrored."""
    table = IMAGES[symmetry]
    return Position(table[position.x], table[position.o])


def canonical(position: Position) -> Position:
    """Return the one position that stands for `position`, its turns and its mirror images."""
    return originals()[position][0]


@cache
def originals() -> Mapping[tuple[int, int], tuple[Position, Symmetry]]:
    """Return, for each of the 5,478 positions, its `canonical` one and the symmetry from there."""
    found: dict[tuple[int, int], tuple[Position, Symmetry]] = {}
    met = [Position()]
    for position in met:
        if position not in found:
            for symmetry, table in IMAGES.items():
                # A pair equals the Position it would make, and takes a third of the time.
                found.setdefault((table[position.x], table[position.o]), (position, symmetry))
            met += position.children().values()
    return found


def relation(one: Position, other: Position) -> Symmetry | None:
    """Name the symmetry that takes `one` to `other`, the first that does; None if none does."""
    return next((symmetry for symmetry in SYMMETRIES if image(one, symmetry) == other), None)
