"""The nine squares that draws against Perfect earn, and the lines among them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.position import LINES, Line, Square
from web.view.words import BOTH_DIAGONALS

ALL_NINE = 0b111_111_111  # as in `Record.earned_bits`: bit 0 for the top left, 8 for bottom right


@cache  # at most 512 entries
def earned_squares(bits: int) -> tuple[Square, ...]:
    """Return the squares whose bits are set.

    >>> earned_squares(0b10001)
    (0, 4)
    """
    return tuple(square for square in range(9) if bits >> square & 1)


@cache
def lines_among(squares: tuple[Square, ...]) -> tuple[Line, ...]:
    """Return the rows, columns and diagonals whose three squares are all among `squares`.

    >>> lines_among((0, 1, 2, 4))
    ((0, 1, 2),)
    """
    return tuple(line for line in LINES if {*line} <= {*squares})


class NineView(NamedTuple):
    """How the nine squares of the human, or of a friend, are drawn."""

    filled_squares: tuple[Square, ...]  # those earned before, and the new ones
    unearned_square: Square | None  # the only one left; otherwise None
    complete_lines: tuple[Line, ...]  # those whose three squares are all earned
    gapless_lines: tuple[Line, ...]  # complete rows and columns; all lines once nine are earned
    new_lines: tuple[Line, ...]  # complete lines with a new square
    struck_lines: tuple[Line, ...]  # those drawn with a stroke through them


@cache
def nine_view(earned: tuple[Square, ...], new_squares: tuple[Square, ...] = ()) -> NineView:
    """Return how the squares `earned` before and the new ones are drawn.

    A stroke goes through the new lines or, if there are no new squares, through the complete line
    if there is only one. With at most one square left, nothing is struck through: the page then
    points to that square, or says that all nine are earned.

    >>> nine_view((0, 4, 8)).struck_lines, nine_view((0, 4, 8)).gapless_lines
    (((0, 4, 8),), ())
    >>> nine_view((0, 1), (2,)).gapless_lines
    ((0, 1, 2),)
    """
    filled_squares = tuple(sorted({*earned, *new_squares}))
    unearned_squares = tuple(square for square in range(9) if square not in filled_squares)
    complete_lines = lines_among(filled_squares)
    new_lines = tuple(line for line in complete_lines if {*line} & {*new_squares})
    has_only_line = len(complete_lines) == 1 and not new_squares
    struck_lines = complete_lines if has_only_line else new_lines
    return NineView(
        filled_squares=filled_squares,
        unearned_square=unearned_squares[0] if len(unearned_squares) == 1 else None,
        complete_lines=complete_lines,
        gapless_lines=tuple(
            line for line in complete_lines if line not in BOTH_DIAGONALS or not unearned_squares
        ),
        new_lines=new_lines,
        struck_lines=struck_lines if len(unearned_squares) > 1 else (),
    )
