"""Facts about a move and about a game: what templates turn into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.position import LINES, OTHER, Line, Mark, Position, Square
from engine.search import Result, analyse, best_moves, chance, principal_variation, result, sign
from engine.symmetry import branches

Reason = Literal[
    "completes", "blocks", "forks", "last", "only", "draws", "wins", "resists", "misses"
]
Preference = Literal["only", "any", "chance"]
Verdict = Literal["blunder", "missed win", "slower win", "quicker loss", "only move", "fine"]


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
        position=position,
        square=square,
        reason=reason,
        score=value,
        choices=len(scores),
        equals=tuple(s for s in scores if scores[s] == value),
        best=best,
        best_score=top,
        lines=outcome.lines if outcome else (),
        threats=made,
        chance=chance(position, square),
        best_chance=chance(position, best[0]),
    )


def preference(position: Position) -> Preference | None:
    """Say why the best moves are the best, where the best result is a draw and there is a choice.

    `only`: every other move loses · `any`: all that draw are equally good · `chance`: of those
    that draw, they win most often against a random opponent.
    """
    scores = analyse(position)
    if len(scores) < 2 or max(scores.values()) != 0:
        return None
    draws = list(scores.values()).count(0)
    if draws == 1:
        return "only"
    return "any" if len(best_moves(position)) == draws else "chance"


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
    found = [
        Alternative(
            square=square,
            mirrors=mirrors,
            score=scores[square],
            result=result(scores[square], position.turn),
            line=(square, *principal_variation(child)),
        )
        for square, mirrors, child in branches(position)
    ]
    return sorted(found, key=lambda alternative: -alternative.score)


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
        reviewed.append(
            Reviewed(
                position=position,
                square=square,
                before=max(scores.values()),
                after=scores[square],
                verdict=_verdict(scores, scores[square]),
            )
        )
        position = child
    return reviewed


def _verdict(scores: Mapping[Square, int], value: int) -> Verdict:
    best = max(scores.values())
    if sign(value) < sign(best):
        return "blunder" if value < 0 else "missed win"
    if value < best:
        return "slower win" if value > 0 else "quicker loss"
    as_good = sum(sign(other) == sign(best) for other in scores.values())
    return "only move" if as_good == 1 < len(scores) else "fine"


def turning_point(reviewed: Sequence[Reviewed]) -> Reviewed | None:
    """Return the last move that lowered its side's result, after which nothing changed."""
    return next((move for move in reversed(reviewed) if move.lowers_the_result), None)
