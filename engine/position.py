"""The rules of tic-tac-toe: marks, squares, lines, positions and how a game ends."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Literal, NamedTuple

Mark = Literal["X", "O"]
Square = int
Line = tuple[Square, Square, Square]

X: Mark = "X"
O: Mark = "O"  # noqa: E741 - the game's own letter
OTHER: dict[Mark, Mark] = {X: O, O: X}

SQUARE_NAMES = (
    "top left", "top centre", "top right",
    "middle left", "centre", "middle right",
    "bottom left", "bottom centre", "bottom right",
)  # fmt: skip

LINES: tuple[Line, ...] = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip

# The marks of one side are nine bits, bit n for square n. By the bits: the squares marked, and the
# lines that are full.
FULL = 0b111_111_111
SQUARES_IN = tuple(tuple(n for n in range(9) if board >> n & 1) for board in range(FULL + 1))
LINES_IN = tuple(tuple(filter(set(squares).issuperset, LINES)) for squares in SQUARES_IN)


class Outcome(NamedTuple):
    """Say how a game ended: its winner, None for a draw, and the lines completed, at most two."""

    winner: Mark | None
    lines: tuple[Line, ...]


class IllegalMoveError(ValueError):
    """Refuse a move, naming the square and the reason."""


class Position(NamedTuple):
    """Hold a board, as the bits of X's marks and of O's; immutable.

    `Position()`, `parse` and `play` give legal boards alone.

    >>> Position().play(0).play(4)
    Position.parse("X---O----")
    """

    x: int = 0
    o: int = 0

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read nine of `X`, `O` and `-`, row by row from the top left.

        Raises ValueError for a board that no legal game reaches.

        >>> Position.parse("X---O----").turn
        'X'
        """
        if len(text) != 9 or not set(text) <= set("XO-"):
            raise ValueError("a position is nine characters, each X, O or -")
        x, o = (sum(1 << n for n in range(9) if text[n] == mark) for mark in (X, O))
        position = cls(x, o)
        if text.count(X) - text.count(O) not in (0, 1):
            raise ValueError(
                f"X moves first and the sides take turns, so there cannot be"
                f" {text.count(X)} X and {text.count(O)} O"
            )
        if LINES_IN[x] and LINES_IN[o]:
            raise ValueError(
                "both sides have three in a row, and the first to get there ends the game"
            )
        if LINES_IN[x] and position.turn == X:
            raise ValueError("X already had three in a row, so O could not have moved after it")
        if LINES_IN[o] and position.turn == O:
            raise ValueError("O already had three in a row, so X could not have moved after it")
        return position

    def __str__(self) -> str:
        """Return the nine characters that `parse` reads."""
        return "".join(self.mark_at(square) or "-" for square in range(9))

    def __repr__(self) -> str:
        """Return the expression that makes this position."""
        return f'Position.parse("{self}")'

    def mark_at(self, square: Square) -> Mark | None:
        """Return the mark on `square`, None where empty."""
        if self.x >> square & 1:
            return X
        return O if self.o >> square & 1 else None

    @property
    def ply(self) -> int:
        """Count the marks on the board."""
        return (self.x | self.o).bit_count()

    @property
    def turn(self) -> Mark:
        """Name the side to move, or to move next had the game not ended."""
        return X if self.x.bit_count() == self.o.bit_count() else O

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on.

        >>> Position.parse("XXXOO----").outcome()
        Outcome(winner='X', lines=((0, 1, 2),))
        """
        if LINES_IN[self.x]:
            return Outcome(X, LINES_IN[self.x])
        if LINES_IN[self.o]:
            return Outcome(O, LINES_IN[self.o])
        return Outcome(None, ()) if self.x | self.o == FULL else None

    def winning_squares(self) -> tuple[Square, ...]:
        """Return the squares of the winner's full lines, in order; none without a winner.

        >>> Position.parse("XXXOO----").winning_squares()
        (0, 1, 2)
        """
        lines = LINES_IN[self.x] or LINES_IN[self.o]
        return tuple(sorted({square for line in lines for square in line}))

    def legal_moves(self) -> tuple[Square, ...]:
        """Return the squares that may be played, in order; none once the game is over.

        >>> Position.parse("XOXOO-X--").legal_moves()
        (5, 7, 8)
        """
        return () if self.outcome() else SQUARES_IN[FULL ^ (self.x | self.o)]

    def play(self, square: Square) -> Position:
        """Return the position after a move. Raises IllegalMoveError where the rules forbid it."""
        if square not in self.legal_moves():
            raise IllegalMoveError(self._why_not(square))
        return self._marked(square)

    def after(self, moves: Iterable[Square]) -> Position:
        """Return the position after several moves. Raises IllegalMoveError as `play` does.

        >>> Position().after((0, 4, 8)).turn
        'O'
        """
        return reduce(Position.play, moves, self)

    def children(self) -> dict[Square, Position]:
        """Return the position after each legal move, in square order; none once over."""
        return {square: self._marked(square) for square in self.legal_moves()}

    def _marked(self, square: Square) -> Position:
        bit = 1 << square
        return Position(self.x | bit, self.o) if self.turn == X else Position(self.x, self.o | bit)

    def _why_not(self, square: Square) -> str:
        if square not in range(9):
            return f"there is no square {square}: they are numbered 0 to 8"
        name = SQUARE_NAMES[square]
        reason = "cannot be played: the game is over" if self.outcome() else "is taken"
        return f"{name} {reason}"
