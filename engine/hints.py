"""The one thing to watch for before a move: a win, a danger, or nothing at all."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from engine.position import LINES, OTHER, Mark, Position, Square
from engine.reasons import threats
from engine.results import sound_moves
from engine.search import WIN, analyze, argmax, best_moves, score

HintKind = Literal[
    "win",  # you can complete a line at `square`
    "lost",  # every move loses; `square` lasts longest
    "block",  # the opponent would win at `square`, and only there
    "force",  # you can force a win, but not complete a line now
    "fork",  # the opponent would fork at `square` if you let it
    "careful",  # some moves lose, but none to an immediate fork
    "safe",  # every move keeps the draw
]


class Hint(NamedTuple):
    """What the side to move should look at first."""

    kind: HintKind
    sound_count: int  # moves that keep the best result; if lost, those that last longest
    move_count: int  # legal moves
    mark: Mark  # the side that would play `square`
    square: Square | None = None
    threat_count: int = 0  # for "fork", how many lines it threatens
    forces_fork: bool = False  # whether a losing move forces the opponent to play `square`


def hint(position: Position) -> Hint:
    """Return the hint for a position that is not over.

    >>> hint(Position.parse("-XO-X--O-"))[:5]
    ('fork', 4, 5, 'O', 8)
    """
    mark, opponent = position.turn, OTHER[position.turn]
    scores = analyze(position)
    sound_count, move_count = len(sound_moves(scores)), len(scores)
    if wins := threats(position, mark):
        return Hint("win", sound_count, move_count, mark, wins[0])
    if score(position) < 0:
        delays = argmax(scores)  # the moves that last longest
        return Hint("lost", len(delays), move_count, mark, delays[0])
    if score(position) == 0 and sound_count == move_count:
        return Hint("safe", sound_count, move_count, mark)
    if blocks := threats(position, opponent):
        return Hint("block", sound_count, move_count, opponent, blocks[0])
    if score(position) > 0:
        return Hint("force", sound_count, move_count, mark)
    square = _likeliest_fork(position)
    if square is None:
        return Hint("careful", sound_count, move_count, opponent)
    return Hint(
        kind="fork",
        sound_count=sound_count,
        move_count=move_count,
        mark=opponent,
        square=square,
        threat_count=_count_threats(position, square, opponent),
        forces_fork=any(
            threats(child, mark) == (square,) for child in position.children().values()
        ),
    )


def _likeliest_fork(position: Position) -> Square | None:
    """Return the square where the largest number of moves let the opponent fork, or None."""
    forks = Counter(
        square
        for child in position.children().values()
        if score(child) == WIN - 3  # winning on turn 3, hence by a fork
        for square in best_moves(child)
    )
    return max(sorted(forks), key=forks.__getitem__, default=None)


def _count_threats(position: Position, square: Square, mark: Mark) -> int:
    """Return how many lines `mark` would threaten by playing `square`."""
    lines = [line for line in LINES if square in line]
    marks_in_lines = ([position.mark_at(s) or "" for s in line] for line in lines)
    return sum(sorted(marks) == ["", "", mark] for marks in marks_in_lines)
