"""Today's square: a board a day, the same for everybody, on which a single square is right."""

from __future__ import annotations

from datetime import date
from functools import cache
from itertools import zip_longest
from zlib import crc32

from engine.position import O, Position, X
from engine.reasons import threats
from engine.results import holding_moves
from engine.search import analyse
from engine.symmetry import SYMMETRIES, image, representatives

FIRST = date(2026, 11, 23)  # the day of the first board


def fits(position: Position) -> bool:
    """Say whether one of several squares keeps the result, and neither side can complete a line.

    >>> fits(Position.parse("X--------"))
    True
    """
    scores = analyse(position)
    near = threats(position, X) or threats(position, O)
    return len(holding_moves(scores)) == 1 < len(scores) and not near


@cache
def in_order() -> tuple[Position, ...]:
    """Return the 176 boards that fit: all 25 up to symmetry first, then image after image of each.

    The order of the 25 is shuffled, alike on every machine.
    """
    boards = sorted(filter(fits, set(representatives().values())), key=_shuffled)
    images = ([*dict.fromkeys(image(board, turn) for turn in SYMMETRIES)] for board in boards)
    return tuple(board for turned in zip_longest(*images) for board in turned if board)


def _shuffled(board: Position) -> int:
    return crc32(str(board).encode())


def board_of(day: date) -> Position:
    """Return the board of a day. After the last of the 176 the first comes again.

    >>> board_of(date(2026, 11, 23)) == board_of(date(2027, 5, 18))
    True
    """
    boards = in_order()
    return boards[(day - FIRST).days % len(boards)]
