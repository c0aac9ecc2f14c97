"""The nine squares that draws against Perfect earn, one bit each, and the lines among them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.position import LINES, Line, Square
from web.view.words import BOTH_DIAGONALS

NINE = 0b111_111_111


@cache  # at most 512 entries
def earned_squares(bits: int) -> tuple[Square, ...]:
    """Return the squares of a set of bits.

    >>> earned_squares(0b10001)
    (0, 4)
    """
    return tuple(square for square in range(9) if bits >> square & 1)


@cache
def lines_among(squares: tuple[Square, ...]) -> tuple[Line, ...]:
    """Return the rows, columns and diagonals of which all three squares are among these.

    >>> lines_among((0, 1, 2, 4))
    ((0, 1, 2),)
    """
    return tuple(line for line in LINES if {*line} <= {*squares})


class NineView(NamedTuple):
    """How the nine squares are drawn."""

    filled: tuple[Square, ...]  # those earned before, and the new ones
    last: Square | None  # the only one left, or None
    whole: tuple[Line, ...]  # lines whose three squares are all earned
    closed: tuple[Line, ...]  # drawn without gaps: rows and columns; all lines once nine are earned
    new: tuple[Line, ...]  # completed by a new square
    struck: tuple[Line, ...]  # struck through: the new ones, or the only one


@cache
def nine_view(earned: tuple[Square, ...], new: tuple[Square, ...] = ()) -> NineView:
    """Return how the squares earned before, and the new ones, are drawn.

    With one square left no line is struck through: that square is the news.

    >>> nine_view((0, 4, 8)).struck, nine_view((0, 4, 8)).closed
    (((0, 4, 8),), ())
    >>> nine_view((0, 1), (2,)).closed
    ((0, 1, 2),)
    """
    filled = tuple(sorted({*earned, *new}))
    left = tuple(square for square in range(9) if square not in filled)
    whole = lines_among(filled)
    completed = tuple(line for line in whole if {*line} & {*new})
    struck = completed or (whole if len(whole) == 1 and not new else ())
    return NineView(
        filled=filled,
        last=left[0] if len(left) == 1 else None,
        whole=whole,
        closed=tuple(line for line in whole if line not in BOTH_DIAGONALS or not left),
        new=completed,
        struck=struck if len(left) > 1 else (),
    )
