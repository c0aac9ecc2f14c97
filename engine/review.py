"""A game judged move by move, and told as a story: where the game turned, and by what threat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.reasons import Allows, allows, win
from engine.results import holding_moves, result
from engine.search import WIN, analyse, score, sign

Judgement = Literal[
    "wins",
    "gave the draw away",
    "gave the win away",
    "slower win",
    "quicker loss",
    "only move",
    "lost already",
    "fine",
]

# As players of chess note them.
BADGES: Mapping[Judgement, str] = {
    "gave the draw away": "??",
    "gave the win away": "??",
    "only move": "!",
    "wins": "✓",
}


class Reviewed(NamedTuple):
    """Hold a move of a game: the best score `before`, the move's score `after`, the judgement.

    The squares `holding` would have kept the best result. The mover `could_slip` where some move
    would have lowered the mover's result.
    """

    position: Position
    square: Square
    before: int
    after: int
    judgement: Judgement
    holding: tuple[Square, ...]
    could_slip: bool

    @property
    def number(self) -> int:
        """Return the number of the move in the game, from 1."""
        return self.position.ply + 1

    @property
    def mark(self) -> Mark:
        """Name the side that made the move."""
        return self.position.turn

    @property
    def other(self) -> Mark:
        """Name the opponent of the mover."""
        return OTHER[self.mark]

    @property
    def winner(self) -> Mark | None:
        """Name the winner under perfect play after the move, None for a draw."""
        return result(self.after, self.mark).winner

    @property
    def lowers_the_result(self) -> bool:
        """Say whether the move turned a win into less, or a draw into a loss."""
        return self.judgement in ("gave the draw away", "gave the win away")

    @property
    def slips(self) -> tuple[Square, ...]:
        """Return the squares that would have lowered the result."""
        return tuple(s for s in self.position.legal_moves() if s not in self.holding)

    @property
    def allows(self) -> Allows | None:
        """Say what the move gives away, None for nothing."""
        return allows(self.position, self.square)


def review(moves: Sequence[Square]) -> list[Reviewed]:
    """Judge every move of a game. Raises IllegalMoveError where a move breaks the rules.

    >>> [move.judgement for move in review((0, 1))]
    ['fine', 'gave the draw away']
    """
    return list(map(_reviewed, boards(moves), moves))


def boards(moves: Sequence[Square]) -> list[Position]:
    """Return every board of a game, the empty one first. Raises IllegalMoveError as `play` does."""
    return list(accumulate(moves, Position.play, initial=Position()))


# A click adds two moves to a game of nine. Of 16,167 moves 4,096 are kept.
@lru_cache(maxsize=4096)
def _reviewed(position: Position, square: Square) -> Reviewed:
    scores = analyse(position)
    before, after, holding = max(scores.values()), scores[square], holding_moves(scores)
    could_slip = len(holding) < len(scores)
    return Reviewed(
        position=position,
        square=square,
        before=before,
        after=after,
        judgement=_judgement(before, after, len(holding) == 1 and could_slip),
        holding=holding,
        could_slip=could_slip,
    )


def judged(position: Position, square: Square) -> Judgement:
    """Return the judgement of a move.

    >>> judged(Position.parse("XX-OO----"), 8)
    'gave the win away'
    """
    return _reviewed(position, square).judgement


def _judgement(best: int, value: int, is_only: bool) -> Judgement:
    if value == WIN - 1:
        return "wins"
    if sign(value) < sign(best):
        return "gave the win away" if best > 0 else "gave the draw away"
    if value < best:
        return "slower win" if value > 0 else "quicker loss"
    if best < 0:
        return "lost already"
    return "only move" if is_only else "fine"


def turning_point(reviewed: Sequence[Reviewed]) -> Reviewed | None:
    """Return the last move that lowered the mover's result, None where no move did.

    >>> turning_point(review((0, 4)))
    """
    return next((move for move in reversed(reviewed) if move.lowers_the_result), None)


# How a turning point was punished: by a line, by two threats, or more slowly. Where the game goes
# no further: how the opponent can punish the turning point.
Followed = Literal["now", "fork", "force"]


class Story(NamedTuple):
    """Tell a game: the move where the game turned, or the moves where the game could have.

    The first moves may have been set up: `moves` are those played, `start` is the winner on the
    board they began with, None where the board was level. `turn` is the last of the `turns` moves
    that lowered a result; `followed` says how a losing turn was punished. In a game level to the
    end, `held`: moves made where some other square loses. `only`: moves made where every other
    square loses. Both list the reader's moves, or both sides' where nobody knows the reader.
    """

    start: Mark | None
    moves: tuple[Reviewed, ...]
    turn: Reviewed | None
    turns: int
    followed: Followed | None
    held: tuple[Reviewed, ...]
    only: tuple[Reviewed, ...]
    is_over: bool

    @property
    def badged(self) -> tuple[Judgement, ...]:
        """Return the judgements met among those with a badge."""
        met = {move.judgement for move in self.moves}
        return tuple(judgement for judgement in BADGES if judgement in met)


@lru_cache(maxsize=1024)  # each click asks again about the game before it
def story(moves: tuple[Square, ...], you: Mark | None = None, set_up: int = 0) -> Story:
    """Return the story of a game, of which `set_up` moves were not played and are not judged.

    Raises IllegalMoveError where a move breaks the rules.

    >>> two = story((0, 1))
    >>> two.turn.number, two.followed
    (2, 'force')
    """
    seen = boards(moves)[set_up:]
    start = result(score(seen[0]), seen[0].turn).winner
    reviewed = tuple(map(_reviewed, seen, moves[set_up:]))
    turn = turning_point(reviewed)
    held = tuple(
        move
        for move in reviewed
        if not (turn or start) and move.could_slip and you in (None, move.mark)
    )
    return Story(
        start=start,
        moves=reviewed,
        turn=turn,
        turns=sum(move.lowers_the_result for move in reviewed),
        followed=_followed(turn, reviewed[turn.number - set_up :])
        if turn and turn.after < 0
        else None,
        held=held,
        only=tuple(move for move in held if move.judgement == "only move"),
        is_over=seen[-1].outcome() is not None,
    )


def _followed(turn: Reviewed, moves: Sequence[Reviewed]) -> Followed:
    """Say how `turn`, of these `moves`, was punished by the next move, or can be without any."""
    if later := [move for move in moves if move.number > turn.number]:
        return (
            "now" if later[0].after == WIN - 1 else "fork" if later[0].after == WIN - 3 else "force"
        )
    threat = win(turn.position.play(turn.square))
    assert threat, "the turn lost"
    return threat.kind
