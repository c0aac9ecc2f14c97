"""The one thing to watch for before a move: a win, a danger, or that there is none."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from engine.position import LINES, OTHER, Mark, Position, Square
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
    `safe`: every move holds. On `square`, where there is one to name, `mark` is to be expected;
    where every move loses, that is one that lasts longest. At a fork `threats` counts the lines
    threatened. `holding` of the `choices` keep the best result, or where every move loses, last
    longest.
    """

    kind: HintKind
    holding: int
    choices: int
    mark: Mark
    square: Square | None = None
    threats: int = 0
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
        return Hint("win", *counts, mark, wins[0])
    if score(position) < 0:
        longest = highest(scores)
        return Hint("lost", len(longest), len(scores), mark, longest[0])
    if blocks := threats(position, other):
        return Hint("block", *counts, other, blocks[0])
    if score(position) > 0:
        return Hint("force", *counts, mark)
    if counts[0] == counts[1]:
        return Hint("safe", *counts, mark)
    square = _fork(position)
    if square is None:
        return Hint("careful", *counts, other)
    drives = any(threats(child, mark) == (square,) for child in position.children().values())
    return Hint("fork", *counts, other, square, _threats(position, square, other), drives)


def _fork(position: Position) -> Square | None:
    """Return the square at which the opponent forks after most losing moves; None without any."""
    found = Counter(
        square
        for child in position.children().values()
        if score(child) == WIN - 3  # in three turns, so by two threats at once
        for square in best_moves(child)
    )
    return max(sorted(found), key=found.__getitem__, default=None)


def _threats(position: Position, square: Square, mark: Mark) -> int:
    """Count the lines through an empty square with a mark of `mark` and none besides."""
    through = ([position.mark_at(s) or "" for s in line] for line in LINES if square in line)
    return sum(sorted(marks) == ["", "", mark] for marks in through)
