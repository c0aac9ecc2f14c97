"""Find the only move: the squares that keep a win or a draw, and the judging of presses."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position, Square
from engine.reasons import ForcedWin, forced_win, threats
from engine.results import sound_moves
from engine.search import analyze, best_moves

ASTRAY = "no press on this page leads there"
SHOW = "s"  # pressed in place of a square


def keepers(position: Position) -> tuple[Square, ...]:
    """Return the moves that keep a win or a draw, unless all moves do.

    >>> keepers(Position.parse("XX-OO----"))
    (2,)
    """
    scores = analyze(position)
    kept = sound_moves(scores)
    return kept if len(kept) < len(scores) else ()


class Moves(NamedTuple):
    """Say how far a learner is with a board: the right squares, and those pressed.

    `kept` are the right squares, mostly a single square; `found` was pressed, or `shown`.
    """

    position: Position
    kept: tuple[Square, ...]
    wrong: tuple[Square, ...] = ()
    found: Square | None = None
    shown: bool = False

    def after(self, press: str) -> Moves:
        """Return the board judged after another press: a digit, or `s` to be shown a right square.

        Raises ValueError for a press no page offers.
        """
        offered = {str(square): square for square in self.position.legal_moves()}
        offered[SHOW] = self.kept[0]
        if self.found is not None or press not in offered or offered[press] in self.wrong:
            raise ValueError(ASTRAY)
        if (square := offered[press]) in self.kept:
            return self._replace(found=square, shown=press == SHOW)
        return self._replace(wrong=(*self.wrong, square))

    def again(self, square: Square) -> str:
        """Return the presses with `square` as the last of them, be it pressed before or new."""
        return "".join(str(wrong) for wrong in self.wrong if wrong != square) + str(square)


def find(position: Position, presses: str) -> Moves:
    """Judge the presses on a board, digits in their order; `s` asks to be shown a right square.

    Raises ValueError, with the reason, for presses no page offers.

    >>> find(Position.parse("XX-OO----"), "52").wrong
    (5,)
    """
    kept = keepers(position)
    if not kept:
        raise ValueError("no move here keeps a win or a draw that another gives away")
    judged = Moves(position, kept)
    for press in presses:
        judged = judged.after(press)
    return judged


class Answer(NamedTuple):
    """Say how a wrong square is answered: by the `win` it opens, else by a `reply` that draws.

    `blocks`: the answer first stops a line.
    """

    win: ForcedWin | None
    reply: Square
    blocks: bool

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the squares of the answer in the order in which they are shown.

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
    """Return how a wrong `square` is answered.

    >>> answer(Position.parse("X-O----X-"), 4).blocks
    True
    """
    after = position.play(square)
    opened = forced_win(after, turns_before=1)
    reply = opened.first if opened else best_moves(after)[0]
    return Answer(opened, reply, reply in threats(after, position.turn))
