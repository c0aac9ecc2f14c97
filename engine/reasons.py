"""Why a move was played, and what a move gives away: facts, which templates turn into words."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.position import LINES, OTHER, Line, Mark, Position, Square
from engine.results import Result, result
from engine.search import WIN, analyse, best_moves, chance, score

Reason = Literal[
    "completes", "blocks", "forks", "last", "only", "misses", "as good", "draws", "wins", "resists"
]


@lru_cache(maxsize=4096)  # a click asks six times
def threats(position: Position, mark: Mark) -> tuple[Square, ...]:
    """Return the empty squares that would complete a line for `mark`, in order.

    >>> threats(Position.parse("XX-OO----"), "O")
    (5,)
    """
    return tuple(
        square
        for square in range(9)
        if not position.mark_at(square)
        and any(
            square in line and all(position.mark_at(s) == mark for s in line if s != square)
            for line in LINES
        )
    )


class Win(NamedTuple):
    """Say how a side wins by force, whatever the answers.

    `now`: by a line · `fork`: the first of the `squares` makes at least two `threats` on different
    squares, and a block stops one · `force`: more slowly. All `squares` that win as soon are
    listed; the line is complete on turn `turns` at the latest.
    """

    kind: Literal["now", "fork", "force"]
    squares: tuple[Square, ...]
    threats: tuple[Square, ...]
    turns: int


def win(position: Position, earlier: int = 0) -> Win | None:
    """Return how the side to move wins by force, None where no move does.

    The move is turn 1, or comes after `earlier` turns.

    >>> win(Position.parse("XX-OO----")).squares
    (2,)
    """
    turns = WIN - score(position)
    if turns >= WIN:
        return None
    squares = best_moves(position)
    # A line by turn 3 whatever the answer: two threats at least, and no win for the opponent.
    fork = turns == 3
    return Win(
        kind="now" if turns == 1 else "fork" if fork else "force",
        squares=squares,
        threats=threats(position.play(squares[0]), position.turn) if fork else (),
        turns=turns + earlier,
    )


class Allows(NamedTuple):
    """Say what a move gives away; turns count from the move.

    `opened` is how the opponent can win now, and `missed` how the mover could have won, or sooner.
    The `best` moves score higher; there are none where no move does. A move
    `forces` the opponent's win by a threat whose block is also the opponent's winning move.
    """

    mark: Mark
    result: Result
    opened: Win | None
    missed: Win | None
    best: tuple[Square, ...]
    forces: bool


def allows(position: Position, square: Square) -> Allows | None:
    """Return what a losing move, or a move below the highest score, gives away; else None.

    Raises IllegalMoveError where the rules forbid the move.

    >>> allows(Position.parse("X--------"), 1).opened.kind
    'force'
    """
    child, mark, scores = position.play(square), position.turn, analyse(position)
    value, top = scores[square], max(scores.values())
    if value == top >= 0:
        return None
    opened = win(child, earlier=1)
    return Allows(
        mark=mark,
        result=result(value, mark),
        opened=opened,
        missed=win(position),
        best=best_moves(position) if value < top else (),
        forces=opened is not None and threats(child, mark) == opened.squares,
    )


class Why(NamedTuple):
    """Hold the first reason that fits a move, and the facts to tell with the reason."""

    position: Position
    square: Square
    reason: Reason
    score: int
    choices: int
    equals: tuple[Square, ...]
    best: tuple[Square, ...]
    lines: tuple[Line, ...]
    threats: tuple[Square, ...]
    chance: Fraction
    best_chance: Fraction
    allows: Allows | None

    @property
    def number(self) -> int:
        """Return the number of the move in the game, from 1."""
        return self.position.ply + 1

    @property
    def mark(self) -> Mark:
        """Name the side that made the move."""
        return self.position.turn

    @property
    def result(self) -> Result:
        """Say what the move leads to."""
        return result(self.score, self.mark)


# A click asks three times why the opponent replied so. Of 16,167 moves 2,048 are kept.
@lru_cache(maxsize=2048)
def why(position: Position, square: Square) -> Why:
    """Find the reason for playing `square`, the most telling first.

    `completes` a line · `blocks` a line, where all else loses · `forks`: makes two threats, with
    no win for the opponent first, and no move wins faster · `last` square left · `only` move to
    avoid a loss · `misses`: some move scores higher · `as good` as the best by score, but with
    less of a chance against random play · `wins`, `draws` or `resists`: no move is better.
    Raises IllegalMoveError where the rules forbid the move.

    >>> why(Position.parse("X--------"), 4).reason
    'only'
    """
    child, scores, best = position.play(square), analyse(position), best_moves(position)
    outcome = child.outcome()
    return Why(
        position=position,
        square=square,
        reason=_reason(position, square),
        score=scores[square],
        choices=len(scores),
        equals=tuple(s for s in scores if scores[s] == scores[square]),
        best=best,
        lines=outcome.lines if outcome else (),
        threats=threats(child, position.turn),
        chance=chance(child),
        best_chance=chance(position.play(best[0])),
        allows=allows(position, square),
    )


def _reason(position: Position, square: Square) -> Reason:
    child, mark, other = position.play(square), position.turn, OTHER[position.turn]
    scores = analyse(position)
    value, top = scores[square], max(scores.values())
    safe = [s for s in scores if scores[s] >= 0]
    if value == WIN - 1:
        return "completes"
    if square in threats(position, other) and safe == [square] and len(scores) > 1:
        return "blocks"
    if value == top and len(threats(child, mark)) > 1 and not threats(child, other):
        return "forks"
    if len(scores) == 1:
        return "last"
    if safe == [square]:
        return "only"
    if value < top:
        return "misses"
    if square not in best_moves(position):
        return "as good"
    return "wins" if top > 0 else "resists" if top < 0 else "draws"
