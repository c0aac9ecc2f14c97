"""The puzzle "Find the only move": which squares are right, and what follows a wrong one."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position, Square
from engine.reasons import ForcedWin, forced_win, threats
from engine.results import sound_moves
from engine.search import analyze, best_moves

UNREACHABLE = "nothing on this page leads there"
SHOW = "s"  # the press that asks for a right square, instead of guessing one


def saving_moves(position: Position) -> tuple[Square, ...]:
    """Return the moves that keep a win or a draw; empty if all moves do, or none does.

    >>> saving_moves(Position.parse("XX-OO----"))
    (2,)
    """
    scores = analyze(position)
    sound = sound_moves(scores)
    return sound if len(sound) < len(scores) else ()


class MovePuzzle(NamedTuple):
    """The state of a puzzle: the right squares, and the squares guessed."""

    position: Position
    right_squares: tuple[Square, ...]  # usually one
    wrong_squares: tuple[Square, ...] = ()  # those guessed, in order
    found_square: Square | None = None  # the right square that was guessed or shown
    is_shown: bool = False  # whether it was shown

    @property
    def has_mistake(self) -> bool:
        """Whether a wrong square was guessed."""
        return bool(self.wrong_squares)

    def after(self, press: str) -> MovePuzzle:
        """Return the state after another press: a digit, or `s` to be shown a right square.

        Raises ValueError if the press is not possible at that point.
        """
        squares = {str(square): square for square in self.position.legal_moves()}
        squares[SHOW] = self.right_squares[0]
        square = squares.get(press)
        if self.found_square is not None or square is None or square in self.wrong_squares:
            raise ValueError(UNREACHABLE)
        if square in self.right_squares:
            return self._replace(found_square=square, is_shown=press == SHOW)
        return self._replace(wrong_squares=(*self.wrong_squares, square))

    def wrong_presses_ending_with(self, square: Square) -> str:
        """Return the wrong presses, with `square` as the last even if it was guessed before."""
        other_squares = [other for other in self.wrong_squares if other != square]
        return "".join(map(str, [*other_squares, square]))


def move_puzzle(position: Position, presses: str) -> MovePuzzle:
    """Return the state after some presses: digits in order, or `s` to be shown a right square.

    Raises ValueError, with the reason, if a press is not possible at that point.

    >>> move_puzzle(Position.parse("XX-OO----"), "52").wrong_squares
    (5,)
    """
    right_squares = saving_moves(position)
    if not right_squares:
        raise ValueError("no move here keeps a win or a draw that another gives away")
    puzzle = MovePuzzle(position, right_squares)
    for press in presses:
        puzzle = puzzle.after(press)
    return puzzle


class Consequence(NamedTuple):
    """What follows a wrong square: the opponent's reply, and the win it leads to, if any."""

    win: ForcedWin | None  # the one that the wrong square allows, or None if the reply only draws
    reply: Square  # by the opponent
    blocks: bool  # whether the reply blocks a line

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of the reply and its win, in the order in which they are shown.

        >>> consequence(Position.parse("X-O----X-"), 4).squares
        (6, 3, 8)
        >>> consequence(Position.parse("-------XO"), 1).squares
        (4, 0, 2, 5, 6)
        """
        if not self.win:
            return (self.reply,)
        if self.win.kind == "now":
            return self.win.squares
        if plan := self.win.plan:
            return (self.reply, plan.reply, plan.fork, *plan.threats)
        return (self.reply, *self.win.threats)


def consequence(position: Position, square: Square) -> Consequence:
    """Return the consequence of playing a wrong `square`.

    >>> consequence(Position.parse("X-O----X-"), 4).blocks
    True
    """
    position_after = position.play(square)
    win = forced_win(position_after, turns_before=1)
    reply = win.followed_square if win else best_moves(position_after)[0]
    return Consequence(win, reply, reply in threats(position_after, position.turn))
