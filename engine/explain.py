"""Facts about a move and about a game: what templates turn into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.position import LINES, OTHER, Line, Mark, Position, Square
from engine.search import WIN, analyse, best_moves, chance, principal_variation
from engine.tree import branches

Reason = Literal[
    "completes", "blocks", "forks", "last", "only", "draws", "wins", "resists", "misses"
]
Verdict = Literal["blunder", "missed win", "slower win", "quicker loss", "only move", "fine"]


class Result(NamedTuple):
    """Say what perfect play leads to: the winner, or None for a draw, and on which turn."""

    winner: Mark | None
    turns: int


def result(value: int, mover: Mark) -> Result:
    """Put a score of `mover` into words' reach: who wins, and in how many turns."""
    if value == 0:
        return Result(None, 0)
    return Result(mover, WIN - value) if value > 0 else Result(OTHER[mover], WIN + value)


def results(position: Position) -> dict[Square, Result]:
    """Return what each legal move leads to."""
    return {square: result(value, position.turn) for square, value in analyse(position).items()}


def safe_replies(position: Position, square: Square) -> tuple[int, int]:
    """Count the opponent's answers to `square` that keep its best result, and all of them."""
    replies = analyse(position.play(square)).values()
    return sum(_sign(reply) == _sign(max(replies)) for reply in replies), len(replies)


def threats(position: Position, mark: Mark) -> tuple[Square, ...]:
    """Return the empty squares that would complete a line for `mark`, in order."""
    return tuple(
        square
        for square in range(9)
        if not position.mark_at(square)
        and any(
            square in line and all(position.mark_at(s) == mark for s in line if s != square)
            for line in LINES
        )
    )


class Why(NamedTuple):
    """Hold what is true of a move: `reason` is the first that fits, the rest its facts."""

    position: Position
    square: Square
    reason: Reason
    score: int
    choices: int
    equals: tuple[Square, ...]
    best: tuple[Square, ...]
    best_score: int
    lines: tuple[Line, ...]
    threats: tuple[Square, ...]
    chance: Fraction
    best_chance: Fraction

    @property
    def mark(self) -> Mark:
        """Name the side that made the move."""
        return self.position.turn

    @property
    def result(self) -> Result:
        """Say what the move leads to."""
        return result(self.score, self.mark)


def why(position: Position, square: Square) -> Why:
    """Find the reason for playing `square`, the most telling first.

    `completes` a line · `blocks` one, where every other move loses · `forks`: makes two threats,
    with no win for the opponent first, and no move wins faster · `last` square left · `only` move
    that does not lose · `draws`, `wins` or `resists`: no move does better, and of those that draw
    none has a higher chance against random play · `misses`: another move is better.
    Raises IllegalMoveError where the rules forbid the move.
    """
    child = position.play(square)
    mark, other = position.turn, OTHER[position.turn]
    scores = analyse(position)
    value, top = scores[square], max(scores.values())
    outcome = child.outcome()
    best = best_moves(position)
    safe = [s for s in scores if scores[s] >= 0]
    made = threats(child, mark)

    reason: Reason
    if outcome and outcome.winner:
        reason = "completes"
    elif square in threats(position, other) and safe == [square] and len(scores) > 1:
        reason = "blocks"
    elif value == top and len(made) > 1 and not threats(child, other):
        reason = "forks"
    elif len(scores) == 1:
        reason = "last"
    elif safe == [square]:
        reason = "only"
    elif value < top or (top == 0 and square not in best):
        reason = "misses"
    else:
        reason = "wins" if top > 0 else "resists" if top < 0 else "draws"
    return Why(
        position,
        square,
        reason,
        value,
        len(scores),
        tuple(s for s in scores if scores[s] == value),
        best,
        top,
        outcome.lines if outcome else (),
        made,
        chance(position, square),
        chance(position, best[0]),
    )


class Alternative(NamedTuple):
    """Hold one legal move, the squares that mirror it, its score and how play goes on from it."""

    square: Square
    mirrors: tuple[Square, ...]
    score: int
    result: Result
    line: tuple[Square, ...]


def alternatives(position: Position) -> list[Alternative]:
    """Return the legal moves, highest score first, mirror images merged into one."""
    scores = analyse(position)
    return sorted(
        (
            Alternative(
                square,
                mirrors,
                scores[square],
                result(scores[square], position.turn),
                (square, *principal_variation(child)),
            )
            for square, mirrors, child in branches(position, "merged")
        ),
        key=lambda alternative: -alternative.score,
    )


class Reviewed(NamedTuple):
    """Hold one move of a finished game: the best score there was, the move's own, the verdict."""

    position: Position
    square: Square
    before: int
    after: int
    verdict: Verdict

    @property
    def winner(self) -> Mark | None:
        """Name who wins with perfect play after it, None for a draw."""
        return result(self.after, self.position.turn).winner

    @property
    def lowers_the_result(self) -> bool:
        """Say whether it turned a win into less, or a draw into a loss."""
        return self.verdict in ("blunder", "missed win")

    @property
    def is_mistake(self) -> bool:
        """Say whether there was a better move."""
        return self.after < self.before


def review(moves: Sequence[Square]) -> list[Reviewed]:
    """Judge every move of a game. Raises IllegalMoveError where one breaks the rules."""
    reviewed = []
    position = Position()
    for square in moves:
        child = position.play(square)
        scores = analyse(position)
        best, value = max(scores.values()), scores[square]
        reviewed.append(Reviewed(position, square, best, value, _verdict(scores, value)))
        position = child
    return reviewed


def _verdict(scores: Mapping[Square, int], value: int) -> Verdict:
    best = max(scores.values())
    if _sign(value) < _sign(best):
        return "blunder" if value < 0 else "missed win"
    if value < best:
        return "slower win" if value > 0 else "quicker loss"
    as_good = sum(_sign(other) == _sign(best) for other in scores.values())
    return "only move" if as_good == 1 < len(scores) else "fine"


def turning_point(reviewed: Sequence[Reviewed]) -> Reviewed | None:
    """Return the last move that lowered its side's result, after which nothing changed."""
    return next((move for move in reversed(reviewed) if move.lowers_the_result), None)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
