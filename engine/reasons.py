"""Why a move was played, and what a move gives away: facts, which templates turn into words."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.position import FULL, LINES_IN, OTHER, SQUARES_IN, Line, Mark, Position, Square, X
from engine.results import Result, result
from engine.search import WIN, analyse, best_moves, chance, highest, score

Reason = Literal[
    "completes", "blocks", "forks", "last", "only", "misses", "as good", "draws", "wins", "resists"
]


@lru_cache(maxsize=4096)  # a click asks six times
def threats(position: Position, mark: Mark) -> tuple[Square, ...]:
    """Return the empty squares that would complete a line for `mark`, in order.

    >>> threats(Position.parse("XX-OO----"), "O")
    (5,)
    """
    marks = position.x if mark == X else position.o
    return tuple(
        square
        for square in SQUARES_IN[FULL ^ (position.x | position.o)]
        if any(square in line for line in LINES_IN[marks | 1 << square])
    )


class Plan(NamedTuple):
    """Say how a side is beaten that no two threats face yet, by turn 4.

    The `answer` is one that lasts longest, and `must` be given where it alone does not lose at
    once. The `fork` that follows makes two `threats`, and a block stops one.
    """

    answer: Square
    must: bool
    fork: Square
    threats: tuple[Square, ...]


def plan(position: Position, played: tuple[Square, ...] = ()) -> Plan | None:
    """Return how the side to move is beaten, None where it is not, or two threats stand there.

    The moves `played` next are those of the plan as far as nothing lasts longer or wins sooner.

    >>> plan(Position.parse("XO--X----"))
    Plan(answer=8, must=True, fork=3, threats=(5, 6))
    """
    if score(position) != 4 - WIN:
        return None
    mark = OTHER[position.turn]
    answer = _next(highest(analyse(position)), played)
    after = position.play(answer)
    fork = _next(best_moves(after), played[1:] if played[:1] == (answer,) else ())
    return Plan(
        answer=answer,
        must=bool(threats(position, mark)),
        fork=fork,
        threats=threats(after.play(fork), mark),
    )


def _next(squares: tuple[Square, ...], played: tuple[Square, ...]) -> Square:
    """Return the square `played` next where it is one of these, else the first of these."""
    return played[0] if played[:1] and played[0] in squares else squares[0]


class Win(NamedTuple):
    """Say how a side wins by force, whatever the answers.

    `now`: by a line · `fork`: the `first` move makes at least two `threats` on different squares,
    and a block stops one · `force`: more slowly, by the plan `then`. All `squares` that win as soon
    are listed; the line is complete on turn `turns` at the latest.
    """

    kind: Literal["now", "fork", "force"]
    squares: tuple[Square, ...]
    threats: tuple[Square, ...]
    turns: int
    first: Square
    then: Plan | None

    @property
    def shown(self) -> set[Square]:
        """Return the squares that words or picture show: of many that win slowly only the first."""
        plan = {self.then.answer, self.then.fork, *self.then.threats} if self.then else set()
        first = {self.first} if self.then and len(self.squares) > 2 else {*self.squares}
        return {*first, *self.threats, *plan}


def win(position: Position, earlier: int = 0, played: tuple[Square, ...] = ()) -> Win | None:
    """Return how the side to move wins by force, None where no move does.

    The move is turn 1, or comes after `earlier` turns. Of moves that win as soon, the first is the
    one that was `played` next.

    >>> win(Position.parse("XX-OO----")).squares
    (2,)
    """
    turns = WIN - score(position)
    if turns >= WIN:
        return None
    squares = best_moves(position)
    first = _next(squares, played)
    child = position.play(first)
    # A line by turn 3 whatever the answer: two threats at least, and no win for the opponent.
    fork = turns == 3
    return Win(
        kind="now" if turns == 1 else "fork" if fork else "force",
        squares=squares,
        threats=threats(child, position.turn) if fork else (),
        turns=turns + earlier,
        first=first,
        then=plan(child, played[1:] if played[:1] == (first,) else ()),
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


def allows(position: Position, square: Square, played: tuple[Square, ...] = ()) -> Allows | None:
    """Return what a losing move, or a move below the highest score, gives away; else None.

    How it can be punished is told by the moves `played` next, where these win as soon. Raises
    IllegalMoveError where the rules forbid the move.

    >>> allows(Position.parse("X--------"), 1).opened.kind
    'force'
    """
    child, mark, scores = position.play(square), position.turn, analyse(position)
    value, top = scores[square], max(scores.values())
    if value == top >= 0:
        return None
    opened = win(child, 1, played)
    return Allows(
        mark=mark,
        result=result(value, mark),
        opened=opened,
        missed=win(position),
        best=best_moves(position) if value < top else (),
        forces=opened is not None and threats(child, mark) == opened.squares,
    )


class Why(NamedTuple):
    """Hold the first reason that fits a move, and the facts to tell with the reason.

    Where the move wins by force and makes no two threats, `then` is the plan that follows.
    """

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
    then: Plan | None

    @property
    def example(self) -> tuple[Square, Win] | None:
        """Return another square than the `only` one, and how it loses, as soon as any does."""
        if self.reason != "only":
            return None
        others = [square for square in self.position.legal_moves() if square != self.square]
        wins = {square: win(self.position.play(square), 1) for square in others}
        return min(((s, won) for s, won in wins.items() if won), key=lambda pair: pair[1].turns)

    def as_played(self, played: tuple[Square, ...]) -> Why:
        """Return the reason, with what follows told by the moves `played` next where these do."""
        return self._replace(
            allows=allows(self.position, self.square, played),
            then=plan(self.position.play(self.square), played),
        )

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
        then=plan(child),
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
