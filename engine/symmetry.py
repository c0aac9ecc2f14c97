"""Rotations and mirror images: the 5,478 positions are 765 up to symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from typing import Literal, TypeVar

from engine.position import Position, Square

T = TypeVar("T")

Symmetry = Literal[
    "identity",
    "quarter turn clockwise",
    "half turn",
    "quarter turn counterclockwise",
    "left-right mirror",
    "top-bottom mirror",
    "diagonal mirror",
    "antidiagonal mirror",
]

# Each permutation lists the image of each square. The diagonal runs from top left to bottom right.
SYMMETRIES: dict[Symmetry, tuple[Square, ...]] = {
    "identity": (0, 1, 2, 3, 4, 5, 6, 7, 8),
    "quarter turn clockwise": (2, 5, 8, 1, 4, 7, 0, 3, 6),
    "half turn": (8, 7, 6, 5, 4, 3, 2, 1, 0),
    "quarter turn counterclockwise": (6, 3, 0, 7, 4, 1, 8, 5, 2),
    "left-right mirror": (2, 1, 0, 5, 4, 3, 8, 7, 6),
    "top-bottom mirror": (6, 7, 8, 3, 4, 5, 0, 1, 2),
    "diagonal mirror": (0, 3, 6, 1, 4, 7, 2, 5, 8),
    "antidiagonal mirror": (8, 5, 2, 7, 4, 1, 6, 3, 0),
}


def bitboard_images(permutation: tuple[Square, ...]) -> list[int]:
    """Return the image of each of the 512 bitboards, so that a transform is two look-ups.

    Each square doubles the list: the boards with that square follow those without it.
    """
    images = [0]
    for square in permutation:
        images += [image | 1 << square for image in images]
    return images


IMAGES = {symmetry: bitboard_images(permutation) for symmetry, permutation in SYMMETRIES.items()}


def transform(position: Position, symmetry: Symmetry) -> Position:
    """Return `position` rotated or mirrored."""
    table = IMAGES[symmetry]
    return Position(table[position.x], table[position.o])


def canonical(position: Position) -> Position:
    """Return the representative of all positions symmetric to `position`.

    >>> canonical(Position.parse("--X------"))
    Position.parse("X--------")
    """
    return representatives()[position]


@cache
def representatives() -> Mapping[tuple[int, int], Position]:
    """Return a map from each of the 5,478 positions to its representative, one of 765.

    The representative is whichever image a breadth-first walk from the empty board meets first.
    """
    representative_of: dict[tuple[int, int], Position] = {}
    queue = [Position()]
    for position in queue:
        if position not in representative_of:
            for table in IMAGES.values():
                # As a key, a plain tuple equals the Position, and takes a third as long to make.
                representative_of.setdefault((table[position.x], table[position.o]), position)
            queue += position.children().values()
    return representative_of


def cache_by_symmetry(function: Callable[[Position], T]) -> Callable[[Position], T]:
    """Decorator: memoize a function that has the same value for all symmetric positions.

    The memo holds 765 entries instead of 5,478.
    """
    cached = cache(function)

    @wraps(cached)
    def wrapper(position: Position) -> T:
        return cached(canonical(position))

    return wrapper


def reachable_positions() -> Iterator[Position]:
    """Yield each of the 5,478 positions that legal play can reach, fewest marks first."""
    layer = {Position()}
    while layer:
        yield from layer
        layer = {child for position in layer for child in position.children().values()}


def symmetry_between(source: Position, image: Position) -> Symmetry | None:
    """Return the first symmetry that maps `source` to `image`, or None if there is none."""
    return next((symmetry for symmetry in SYMMETRIES if transform(source, symmetry) == image), None)


def branches(
    position: Position, merges_symmetric: bool = True
) -> Mapping[tuple[Square, ...], Position]:
    """Return the position after each legal move; empty once the game is over.

    Each key is a tuple of one square. If `merges_symmetric`, symmetric moves share an entry, whose
    key lists all their squares and whose value is the position after the first of them.

    >>> branches(Position.parse("-X-O-OXOX"))
    {(0, 2): Position.parse("XX-O-OXOX"), (4,): Position.parse("-X-OXOXOX")}
    """
    groups: dict[Position, list[Square]] = {}
    children = position.children()
    for square, child in children.items():
        groups.setdefault(canonical(child) if merges_symmetric else child, []).append(square)
    return {tuple(squares): children[squares[0]] for squares in groups.values()}
