"""The rules of tic-tac-toe: squares, lines, legal moves and how a game ends."""

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
    "top left", "top center", "top right",
    "middle left", "center", "middle right",
    "bottom left", "bottom center", "bottom right",
)  # fmt: skip

LINES: tuple[Line, ...] = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip

# A bitboard has bit n set if square n is marked. The tables give, for each bitboard, the squares
# marked on it and the lines completed.
FULL = 0b111_111_111
SQUARES_IN = tuple(tuple(n for n in range(9) if board >> n & 1) for board in range(FULL + 1))
LINES_IN = tuple(tuple(filter(set(squares).issuperset, LINES)) for squares in SQUARES_IN)


class Outcome(NamedTuple):
    """How a game ended."""

    winner: Mark | None  # None for a draw
    lines: tuple[Line, ...]  # completed by the winner: one or two, none for a draw


class IllegalMoveError(ValueError):
    """A move that the rules forbid. The message names the square and the reason."""


def _bitboard(text: str, mark: Mark) -> int:
    return sum(1 << n for n in range(9) if text[n] == mark)


class Position(NamedTuple):
    """An immutable board, as a bitboard for each side; whose turn it is follows from the marks.

    `Position()` is the empty board; `parse` and `play` return only legal positions.

    >>> Position().play(0).play(4)
    Position.parse("X---O----")
    """

    x: int = 0
    o: int = 0

    @classmethod
    def parse(cls, text: str) -> Position:
        """Parse nine characters, each `X`, `O` or `-`, row by row from the top left.

        Raises ValueError if no legal game reaches the board.

        >>> Position.parse("X---O----").turn
        'X'
        """
        if len(text) != 9 or not set(text) <= set("XO-"):
            raise ValueError("a position is nine characters, each X, O or -")
        x, o = _bitboard(text, X), _bitboard(text, O)
        position = cls(x, o)
        if text.count(X) - text.count(O) not in (0, 1):
            raise ValueError(
                f"X goes first and the sides take turns, so a board cannot have"
                f" {text.count(X)} X’s and {text.count(O)} O’s"
            )
        if LINES_IN[x] and LINES_IN[o]:
            raise ValueError("both sides have three in a row, but the game ends with the first")
        if LINES_IN[x] and position.turn == X:
            raise ValueError("X already had three in a row, so O could not have moved after it")
        if LINES_IN[o] and position.turn == O:
            raise ValueError("O already had three in a row, so X could not have moved after it")
        return position

    def __str__(self) -> str:
        """Return the nine characters that `parse` accepts."""
        return "".join(self.mark_at(square) or "-" for square in range(9))

    def __repr__(self) -> str:
        """Return an expression that evaluates to this position."""
        return f'Position.parse("{self}")'

    def mark_at(self, square: Square) -> Mark | None:
        """Return the mark on `square`, or None if it is empty."""
        if self.x >> square & 1:
            return X
        return O if self.o >> square & 1 else None

    @property
    def ply(self) -> int:
        """The number of marks on the board."""
        return (self.x | self.o).bit_count()

    @property
    def turn(self) -> Mark:
        """The side to move. Once the game is over, the side that would have moved next."""
        return X if self.x.bit_count() == self.o.bit_count() else O

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None if it is not over.

        >>> Position.parse("XXXOO----").outcome()
        Outcome(winner='X', lines=((0, 1, 2),))
        """
        if LINES_IN[self.x]:
            return Outcome(X, LINES_IN[self.x])
        if LINES_IN[self.o]:
            return Outcome(O, LINES_IN[self.o])
        return Outcome(None, ()) if self.x | self.o == FULL else None

    def winning_squares(self) -> tuple[Square, ...]:
        """Return the squares of the winning line or lines, in order; empty without a winner.

        >>> Position.parse("XXXOO----").winning_squares()
        (0, 1, 2)
        """
        lines = LINES_IN[self.x] or LINES_IN[self.o]
        return tuple(sorted({square for line in lines for square in line}))

    def legal_moves(self) -> tuple[Square, ...]:
        """Return the empty squares in order; empty once the game is over.

        >>> Position.parse("XOXOO-X--").legal_moves()
        (5, 7, 8)
        """
        return () if self.outcome() else SQUARES_IN[FULL ^ (self.x | self.o)]

    def play(self, square: Square) -> Position:
        """Return the position after a move. Raises IllegalMoveError if the move is illegal."""
        if square not in self.legal_moves():
            raise IllegalMoveError(self._why_illegal(square))
        return self._play_unchecked(square)

    def after(self, moves: Iterable[Square]) -> Position:
        """Return the position after a sequence of moves. Raises IllegalMoveError like `play`.

        >>> Position().after((0, 4, 8)).turn
        'O'
        """
        return reduce(Position.play, moves, self)

    def children(self) -> dict[Square, Position]:
        """Return the position after each legal move, by square; empty once the game is over."""
        return {square: self._play_unchecked(square) for square in self.legal_moves()}

    def _play_unchecked(self, square: Square) -> Position:
        bit = 1 << square
        return Position(self.x | bit, self.o) if self.turn == X else Position(self.x, self.o | bit)

    def _why_illegal(self, square: Square) -> str:
        if square not in range(9):
            return f"there is no square {square}: they are numbered 0 to 8"
        name = SQUARE_NAMES[square]
        reason = "cannot be played: the game is over" if self.outcome() else "is taken"
        return f"{name} {reason}"
