"""Find the only move: which squares keep a win or a draw, and how presses are judged."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position, Square
from engine.reasons import ForcedWin, forced_win, threats
from engine.results import sound_moves
from engine.search import analyze, best_moves

ASTRAY = "nothing on this page leads there"
SHOW = "s"  # pressed instead of a square


def keepers(position: Position) -> tuple[Square, ...]:
    """Return the moves that keep a win or a draw; empty if all moves have the same result.

    >>> keepers(Position.parse("XX-OO----"))
    (2,)
    """
    scores = analyze(position)
    kept = sound_moves(scores)
    return kept if len(kept) < len(scores) else ()


class MovePuzzle(NamedTuple):
    """The state of a puzzle: the right squares, and those pressed."""

    position: Position
    kept: tuple[Square, ...]  # the right squares, usually one
    wrong: tuple[Square, ...] = ()  # the wrong squares pressed
    found: Square | None = None  # the right square that was pressed or shown
    shown: bool = False  # whether it was shown

    def after(self, press: str) -> MovePuzzle:
        """Return the state after another press: a digit, or `s` to be shown a right square.

        Raises ValueError if no page offers the press.
        """
        offered = {str(square): square for square in self.position.legal_moves()}
        offered[SHOW] = self.kept[0]
        if self.found is not None or press not in offered or offered[press] in self.wrong:
            raise ValueError(ASTRAY)
        if (square := offered[press]) in self.kept:
            return self._replace(found=square, shown=press == SHOW)
        return self._replace(wrong=(*self.wrong, square))

    def again(self, square: Square) -> str:
        """Return the wrong presses with `square` as the last, whether or not it was among them."""
        return "".join(str(wrong) for wrong in self.wrong if wrong != square) + str(square)


def find(position: Position, presses: str) -> MovePuzzle:
    """Return the state after some presses: digits in order, or `s` to be shown a right square.

    Raises ValueError, with the reason, if no page offers the presses.

    >>> find(Position.parse("XX-OO----"), "52").wrong
    (5,)
    """
    kept = keepers(position)
    if not kept:
        raise ValueError("no move here keeps a win or a draw that another gives away")
    judged = MovePuzzle(position, kept)
    for press in presses:
        judged = judged.after(press)
    return judged


class Answer(NamedTuple):
    """The answer to a wrong square."""

    win: ForcedWin | None  # that the wrong square allows, or None if the reply only draws
    reply: Square  # the first square of the answer
    blocks: bool  # whether the reply blocks a line

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of the answer, in the order in which they are shown.

        >>> answer(Position.parse("X-O----X-"), 4).squares
        (6, 3, 8)
        >>> answer(Position.parse("-------XO"), 1).squares
        (4, 0, 2, 5, 6)
        """
        if not self.win:
            return (self.reply,)
        if self.win.kind == "now":
            return self.win.squares
        if plan := self.win.plan:
            return (self.reply, plan.reply, plan.fork, *plan.threats)
        return (self.reply, *self.win.threats)


def answer(position: Position, square: Square) -> Answer:
    """Return the answer to a wrong `square`.

    >>> answer(Position.parse("X-O----X-"), 4).blocks
    True
    """
    after = position.play(square)
    opened = forced_win(after, turns_before=1)
    reply = opened.first if opened else best_moves(after)[0]
    return Answer(opened, reply, reply in threats(after, position.turn))
