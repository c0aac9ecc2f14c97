"""The nine squares that draws against Perfect earn, one bit each, and the lines among them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.position import LINES, Line, Square
from web.view.words import BOTH_DIAGONALS

ALL_NINE = 0b111_111_111  # one bit per square, as in `Record.earned_bits`


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

    filled_squares: tuple[Square, ...]  # those earned before, and the new ones
    unearned_square: Square | None  # the only one left, or None
    complete_lines: tuple[Line, ...]  # those whose three squares are all earned
    gapless_lines: tuple[Line, ...]  # complete rows and columns; all lines once nine are earned
    new_lines: tuple[Line, ...]  # those that a new square completed
    struck_lines: tuple[Line, ...]  # the new ones, or the only complete one, struck through


@cache
def nine_view(earned: tuple[Square, ...], new_squares: tuple[Square, ...] = ()) -> NineView:
    """Return how the squares earned before, and the new ones, are drawn.

    With at most one square left, no line is struck through: that square, or the whole, is the news.

    >>> nine_view((0, 4, 8)).struck_lines, nine_view((0, 4, 8)).gapless_lines
    (((0, 4, 8),), ())
    >>> nine_view((0, 1), (2,)).gapless_lines
    ((0, 1, 2),)
    """
    filled_squares = tuple(sorted({*earned, *new_squares}))
    left = tuple(square for square in range(9) if square not in filled_squares)
    complete_lines = lines_among(filled_squares)
    new_lines = tuple(line for line in complete_lines if {*line} & {*new_squares})
    only_line = complete_lines if len(complete_lines) == 1 and not new_squares else ()
    struck_lines = new_lines or only_line
    return NineView(
        filled_squares=filled_squares,
        unearned_square=left[0] if len(left) == 1 else None,
        complete_lines=complete_lines,
        gapless_lines=tuple(
            line for line in complete_lines if line not in BOTH_DIAGONALS or not left
        ),
        new_lines=new_lines,
        struck_lines=struck_lines if len(left) > 1 else (),
    )
