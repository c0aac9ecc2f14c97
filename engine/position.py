"""The rules of tic-tac-toe: marks, squares, lines, positions and how a game ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

# How to read the bits of one mark's board out of a position's text, backwards: square 0 is the
# lowest bit, which is written last.
BITS = {X: str.maketrans("XO-", "100"), O: str.maketrans("XO-", "010")}

FULL = 0b111_111_111

# One entry for each of the 512 boards: which squares and which lines it holds are look-ups.
SQUARES_IN = tuple(
    tuple(square for square in range(9) if board >> square & 1) for board in range(FULL + 1)
)
LINES_IN = tuple(
    tuple(line for line in LINES if set(line) <= set(squares)) for squares in SQUARES_IN
)


class Outcome(NamedTuple):
    """Say how a game ended: its winner, or None for a draw, and every line completed.

    One X move can complete two lines at once, so `lines` holds none, one or two.
    """

    winner: Mark | None
    lines: tuple[Line, ...]


class IllegalMoveError(ValueError):
    """Refuse a move, naming the square and the reason."""


class Position(NamedTuple):
    """Hold a board and, by its counts, the side to move; immutable.

    `x` and `o` are boards of nine bits: bit n is set where that mark stands on square n.
    Build one with `Position()`, `parse` or `play`; those give only what legal play reaches.
    """

    x: int = 0
    o: int = 0

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read nine of `X`, `O` and `-`, row by row from the top left.

        Raises ValueError, with the reason, for what no legal game reaches.
        """
        if len(text) != 9 or not set(text) <= set("XO-"):
            raise ValueError("a position is nine characters, each X, O or -")
        x, o = (int(text[::-1].translate(BITS[mark]), 2) for mark in (X, O))
        position = cls(x, o)
        if x.bit_count() - o.bit_count() not in (0, 1):
            raise ValueError(
                f"X moves first and the sides take turns, so there cannot be"
                f" {x.bit_count()} X and {o.bit_count()} O"
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

    def mark_at(self, square: Square) -> Mark | None:
        """Return the mark on `square`, or None where it is empty."""
        if self.x >> square & 1:
            return X
        return O if self.o >> square & 1 else None

    @property
    def ply(self) -> int:
        """Count the marks on the board."""
        return (self.x | self.o).bit_count()

    @property
    def turn(self) -> Mark:
        """Name the side to move, or that would move had the game not ended."""
        return X if self.x.bit_count() == self.o.bit_count() else O

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        if LINES_IN[self.x]:
            return Outcome(X, LINES_IN[self.x])
        if LINES_IN[self.o]:
            return Outcome(O, LINES_IN[self.o])
        return Outcome(None, ()) if self.x | self.o == FULL else None

    def legal_moves(self) -> tuple[Square, ...]:
        """Return the squares that may be played, in order; none once the game is over."""
        return () if self.outcome() else SQUARES_IN[FULL ^ (self.x | self.o)]

    def play(self, square: Square) -> Position:
        """Return the position after the side to move marks `square`.

        Raises IllegalMoveError where the rules forbid it.
        """
        if square not in self.legal_moves():
            raise IllegalMoveError(self._why_not(square))
        return self._marked(square)

    def after(self, moves: Iterable[Square]) -> Position:
        """Return the position after `moves` from here on, one after the other.

        Raises IllegalMoveError where one of them breaks the rules.
        """
        return reduce(Position.play, moves, self)

    def children(self) -> dict[Square, Position]:
        """Return the position after each legal move, in square order; none once over."""
        return {square: self._marked(square) for square in self.legal_moves()}

    def _marked(self, square: Square) -> Position:
        x, o = self
        bit = 1 << square
        return Position(x | bit, o) if self.turn == X else Position(x, o | bit)

    def _why_not(self, square: Square) -> str:
        if square not in range(9):
            return f"there is no square {square}: they are numbered 0 to 8"
        name = SQUARE_NAMES[square]
        return (
            f"{name} cannot be played: the game is over" if self.outcome() else f"{name} is taken"
        )


def swapped(text: str) -> Position | None:
    """Return the position that a text is with its marks swapped, None where that is none.

    So a board that `parse` refuses because O began it can be offered as one that X began.
    """
    try:
        return Position.parse(text.translate(str.maketrans("XO", "OX")))
    except ValueError:
        return None


def replay(text: str) -> tuple[Square, ...]:
    """Read the moves of a game, or of its beginning, as digits: `048`.

    Raises ValueError, with the reason, for what legal play does not give.
    """
    moves = digits(text)
    Position().after(moves)
    return moves


def digits(text: str) -> tuple[Square, ...]:
    """Read squares as digits, in whatever order. Raises ValueError for anything else."""
    if not set(text) <= set("012345678"):
        raise ValueError("a move is a digit from 0 to 8")
    return tuple(map(int, text))


def written(moves: Iterable[Square]) -> str:
    """Write squares as the digits that `digits` and `replay` read."""
    return "".join(map(str, moves))


def reachable() -> Iterator[Position]:
    """Yield each of the 5,478 positions that legal play reaches, once, fewest marks first."""
    layer = {Position()}
    while layer:
        yield from layer
        layer = {child for position in layer for child in position.children().values()}
