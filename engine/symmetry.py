"""Turns and mirror images: positions that differ only in the side they are looked at from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from typing import Literal, TypeVar

from engine.position import Position, Square

Returned = TypeVar("Returned")

Symmetry = Literal[
    "identity",
    "quarter turn clockwise",
    "half turn",
    "quarter turn anticlockwise",
    "left-right mirror",
    "top-bottom mirror",
    "diagonal mirror",
    "antidiagonal mirror",
]

# Where each square goes. The diagonal runs down from the top left.
SYMMETRIES: dict[Symmetry, tuple[Square, ...]] = {
    "identity": (0, 1, 2, 3, 4, 5, 6, 7, 8),
    "quarter turn clockwise": (2, 5, 8, 1, 4, 7, 0, 3, 6),
    "half turn": (8, 7, 6, 5, 4, 3, 2, 1, 0),
    "quarter turn anticlockwise": (6, 3, 0, 7, 4, 1, 8, 5, 2),
    "left-right mirror": (2, 1, 0, 5, 4, 3, 8, 7, 6),
    "top-bottom mirror": (6, 7, 8, 3, 4, 5, 0, 1, 2),
    "diagonal mirror": (0, 3, 6, 1, 4, 7, 2, 5, 8),
    "antidiagonal mirror": (8, 5, 2, 7, 4, 1, 6, 3, 0),
}


def images(goes_to: tuple[Square, ...]) -> list[int]:
    """Return where each of the 512 boards goes: to turn a position is two look-ups.

    Each square doubles the boards: those with the square follow those without.
    """
    boards = [0]
    for square in goes_to:
        boards += [board | 1 << square for board in boards]
    return boards


IMAGES = {symmetry: images(goes_to) for symmetry, goes_to in SYMMETRIES.items()}


def image(position: Position, symmetry: Symmetry) -> Position:
    """Return `position` turned or mirrored."""
    table = IMAGES[symmetry]
    return Position(table[position.x], table[position.o])


def canonical(position: Position) -> Position:
    """Return the position that stands for `position`, its turns and its mirror images.

    >>> canonical(Position.parse("--X------"))
    Position.parse("X--------")
    """
    return representatives()[position]


@cache
def representatives() -> Mapping[tuple[int, int], Position]:
    """Return, for each of the 5,478 positions, the first of its images to be met: 765 in all."""
    found: dict[tuple[int, int], Position] = {}
    met = [Position()]
    for position in met:
        if position not in found:
            for table in IMAGES.values():
                # A plain pair is looked up as its Position is, and made three times as fast.
                found.setdefault((table[position.x], table[position.o]), position)
            met += position.children().values()
    return found


def mirror_images_as_one(
    question: Callable[[Position], Returned],
) -> Callable[[Position], Returned]:
    """Let a question about a position be asked once for all its turns and mirror images.

    As a decorator: the answers are remembered, and 765 positions stand for 5,478.
    """
    remembered = cache(question)

    @wraps(remembered)
    def ask(position: Position) -> Returned:
        return remembered(canonical(position))

    return ask


def reachable() -> Iterator[Position]:
    """Yield each of the 5,478 positions that legal play reaches, once, fewest marks first."""
    layer = {Position()}
    while layer:
        yield from layer
        layer = {child for position in layer for child in position.children().values()}


def relation(one: Position, other: Position) -> Symmetry | None:
    """Name the first symmetry that takes a position to another; None where there is none."""
    return next((symmetry for symmetry in SYMMETRIES if image(one, symmetry) == other), None)


def branches(position: Position, merged: bool = True) -> Mapping[tuple[Square, ...], Position]:
    """Return the position after each legal move, by its square, in square order; none once over.

    If `merged`, moves to mirror images of each other are one, and lead where the first does.

    >>> branches(Position.parse("-X-O-OXOX"))
    {(0, 2): Position.parse("XX-O-OXOX"), (4,): Position.parse("-X-OXOXOX")}
    """
    squares: dict[Position, list[Square]] = {}
    children = position.children()
    for square, child in children.items():
        squares.setdefault(canonical(child) if merged else child, []).append(square)
    return {tuple(same): children[same[0]] for same in squares.values()}
