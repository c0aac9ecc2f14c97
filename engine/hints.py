"""The one thing to watch for before a move: a win, a danger, or that there is none."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from engine.position import LINES, OTHER, Line, Mark, Position, Square
from engine.reasons import threats
from engine.results import holding_moves
from engine.search import WIN, analyse, best_moves, highest, score

HintKind = Literal["win", "block", "lost", "force", "fork", "careful", "safe"]


class Hint(NamedTuple):
    """Say what the side to move should look at first.

    `win`: `square` completes a line · `lost`: every move loses · `block`: the opponent would win at
    `square`, and nowhere else · `force`: there is a win by force, not at once · `fork`: at `square`
    the opponent would threaten two lines, and a move that allows the fork loses; `driven`: one of
    these moves forces the opponent to `square` · `careful`: some moves lose in another way ·
    `safe`: every move holds. `lines` run through `square` and show marks of `mark`; `holding` of
    the `choices` keep the best result, or where every move loses, last longest.
    """

    kind: HintKind
    holding: int
    choices: int
    mark: Mark
    square: Square | None = None
    lines: tuple[Line, ...] = ()
    driven: bool = False


def hint(position: Position) -> Hint:
    """Return what to watch for in a position that is not over.

    >>> hint(Position.parse("-XO-X--O-"))[:5]
    ('fork', 4, 5, 'O', 8)
    """
    mark, other = position.turn, OTHER[position.turn]
    scores = analyse(position)
    counts = len(holding_moves(scores)), len(scores)
    if wins := threats(position, mark):
        return Hint("win", *counts, mark, wins[0], _lines(position, wins[0], mark, 2))
    if score(position) < 0:
        return Hint("lost", len(highest(scores)), len(scores), other)
    if blocks := threats(position, other):
        return Hint("block", *counts, other, blocks[0], _lines(position, blocks[0], other, 2))
    if score(position) > 0:
        return Hint("force", *counts, mark)
    if counts[0] == counts[1]:
        return Hint("safe", *counts, mark)
    square = _fork(position)
    if square is None:
        return Hint("careful", *counts, other)
    drives = any(threats(child, mark) == (square,) for child in position.children().values())
    return Hint("fork", *counts, other, square, _lines(position, square, other, 1), drives)


def _fork(position: Position) -> Square | None:
    """Return the square at which the opponent forks after most losing moves; None without any."""
    found = Counter(
        square
        for child in position.children().values()
        if score(child) == WIN - 3  # in three turns, so by two threats at once
        for square in best_moves(child)
    )
    return max(sorted(found), key=found.__getitem__, default=None)


def _lines(position: Position, square: Square, mark: Mark, count: int) -> tuple[Line, ...]:
    """Return the lines through an empty square with `count` marks of `mark` and none besides."""
    return tuple(
        line
        for line in LINES
        if square in line
        and sorted(position.mark_at(s) or "-" for s in line)
        == sorted([mark] * count + ["-"] * (3 - count))
    )
