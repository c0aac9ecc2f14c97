"""Parse moves and swapped boards from text, and format moves and signed values."""

from __future__ import annotations

from collections.abc import Iterable

from engine.position import Position, Square


def to_digits(squares: Iterable[Square]) -> str:
    """Format squares as digits; the inverse of `parse_squares`.

    >>> to_digits((0, 4, 8))
    '048'
    """
    return "".join(map(str, squares))


def parse_squares(text: str) -> tuple[Square, ...]:
    """Parse digits as squares, in any order. Raises ValueError for any other character.

    >>> parse_squares("048")
    (0, 4, 8)
    """
    if not set(text) <= set("012345678"):
        raise ValueError("a move is a digit from 0 to 8")
    return tuple(map(int, text))


def parse_moves(text: str) -> tuple[Square, ...]:
    """Parse digits as the moves of a game, finished or not, from the empty board.

    Raises ValueError, with the reason, if a move is illegal.
    """
    moves = parse_squares(text)
    Position().after(moves)
    return moves


def parse_swapped(text: str) -> Position | None:
    """Parse a board with X and O swapped. Return None if that is not legal, either.

    Lets a page suggest a fix when `Position.parse` rejects a board because O moved first.

    >>> parse_swapped("O--------")
    Position.parse("X--------")
    """
    try:
        return Position.parse(text.translate(str.maketrans("XO", "OX")))
    except ValueError:
        return None


def signed(value: float) -> str:
    """Format a value with its sign, using a true minus sign.

    >>> [signed(value) for value in (9, 0, -6, float("inf"))]
    ['+9', '0', '−6', '+∞']
    """
    return f"{value:+g}".replace("inf", "∞").replace("-", "−") if value else "0"
