"""Games and boards as text: `048` for moves, nine characters for a board."""

from __future__ import annotations

from collections.abc import Iterable

from engine.position import Position, Square


def to_digits(moves: Iterable[Square]) -> str:
    """Write squares as digits, as `digits` and `replay` read them.

    >>> to_digits((0, 4, 8))
    '048'
    """
    return "".join(map(str, moves))


def digits(text: str) -> tuple[Square, ...]:
    """Read squares from digits, in any order. Raises ValueError for anything else.

    >>> digits("048")
    (0, 4, 8)
    """
    if not set(text) <= set("012345678"):
        raise ValueError("a move is a digit from 0 to 8")
    return tuple(map(int, text))


def replay(text: str) -> tuple[Square, ...]:
    """Read the moves of a game, or of its beginning, from digits.

    Raises ValueError, with the reason, for moves that break the rules.
    """
    moves = digits(text)
    Position().after(moves)
    return moves


def swapped(text: str) -> Position | None:
    """Return the position of a board with its marks swapped, None where that is no position.

    So a board that `Position.parse` refuses because O began can be offered as begun by X.

    >>> swapped("O--------")
    Position.parse("X--------")
    """
    try:
        return Position.parse(text.translate(str.maketrans("XO", "OX")))
    except ValueError:
        return None


def signed(value: float) -> str:
    """Write a value with its sign, a real minus.

    >>> [signed(value) for value in (9, 0, -6, float("inf"))]
    ['+9', '0', '−6', '+∞']
    """
    return f"{value:+g}".replace("inf", "∞").replace("-", "−") if value else "0"
