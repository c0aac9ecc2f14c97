"""Tactics, and the reasons behind a move: facts only, which other modules put into words.

Several functions take a `continuation`: the moves that followed in the game. As long as these are
as good as any other, the facts follow the game; otherwise they follow the first best move.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.position import FULL, LINES_IN, OTHER, SQUARES_IN, Line, Mark, Position, Square, X
from engine.results import Result, result
from engine.search import WIN, analyze, argmax, best_moves, score, win_chance

Reason = Literal[
    "completes",  # completes a line
    "blocks",  # blocks a line, and every other move loses
    "forks",  # makes two threats or more; the opponent cannot win first, and no move wins faster
    "last",  # the last empty square
    "only",  # the only move that does not lose
    "misses",  # another move scores higher
    "as good",  # scores as high as the best moves, but does worse against random play
    "draws",  # no move is better, in a drawn position
    "wins",  # ... in a won position
    "resists",  # ... in a lost position
]

WinKind = Literal[
    "now",  # completes a line
    "fork",  # makes two threats or more, and the opponent can block only one
    "force",  # leads to a fork, whatever the opponent replies; see Plan
]


@lru_cache(maxsize=4096)  # called six times per click
def threats(position: Position, mark: Mark) -> tuple[Square, ...]:
    """Return the empty squares that would complete a line for `mark`, in order.

    >>> threats(Position.parse("XX-OO----"), "O")
    (5,)
    """
    bitboard = position.x if mark == X else position.o
    return tuple(
        square
        for square in SQUARES_IN[FULL ^ (position.x | position.o)]
        if any(square in line for line in LINES_IN[bitboard | 1 << square])
    )


class Plan(NamedTuple):
    """How the side to move is beaten on turn 4, by a fork on turn 2."""

    reply: Square  # turn 1: a move that delays the loss longest
    is_forced: bool  # whether every other reply loses at once
    fork: Square  # turn 2
    threats: tuple[Square, ...]  # the squares that then win, two or more


def plan_against(position: Position, continuation: tuple[Square, ...] = ()) -> Plan | None:
    """Return the plan that beats the side to move, or None if it does not lose on turn 4.

    >>> plan_against(Position.parse("XO--X----"))
    Plan(reply=8, is_forced=True, fork=3, threats=(5, 6))
    """
    if score(position) != 4 - WIN:
        return None
    mark = OTHER[position.turn]
    reply = _prefer_played(argmax(analyze(position)), continuation)
    position_after_reply = position.play(reply)
    fork = _prefer_played(best_moves(position_after_reply), _rest_after(reply, continuation))
    return Plan(
        reply=reply,
        is_forced=bool(threats(position, mark)),
        fork=fork,
        threats=threats(position_after_reply.play(fork), mark),
    )


def _prefer_played(squares: tuple[Square, ...], continuation: tuple[Square, ...]) -> Square:
    """Return the move played in the game if it is one of `squares`, otherwise the first of them."""
    return continuation[0] if continuation and continuation[0] in squares else squares[0]


def _rest_after(square: Square, continuation: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the moves that followed `square`, or none if the game did not continue with it."""
    return continuation[1:] if continuation[:1] == (square,) else ()


class ForcedWin(NamedTuple):
    """How a side wins whatever the opponent replies."""

    kind: WinKind
    squares: tuple[Square, ...]  # the moves that win, all equally fast
    threats: tuple[Square, ...]  # after a fork, the squares that then win
    turns: int  # until the line is complete, at the latest
    followed_square: Square  # the member of `squares` that `threats` and `plan` follow
    plan: Plan | None  # for "force", what happens next

    @property
    def shown_squares(self) -> set[Square]:
        """The squares that the words and the picture of this win give away."""
        if not self.plan:
            return {*self.squares, *self.threats}
        # If more than two moves force a win, only one of them is named, as an example.
        named_squares = self.squares if len(self.squares) <= 2 else (self.followed_square,)
        return {*named_squares, self.plan.reply, self.plan.fork, *self.plan.threats}


def forced_win(
    position: Position, turns_before: int = 0, continuation: tuple[Square, ...] = ()
) -> ForcedWin | None:
    """Return how the side to move can force a win, or None if it cannot.

    Turns are counted from this position, plus `turns_before`.

    >>> forced_win(Position.parse("XX-OO----")).squares
    (2,)
    """
    turns = WIN - score(position)
    if turns >= WIN:
        return None
    squares = best_moves(position)
    followed_square = _prefer_played(squares, continuation)
    child = position.play(followed_square)
    kind = win_kind(turns)
    return ForcedWin(
        kind=kind,
        squares=squares,
        threats=threats(child, position.turn) if kind == "fork" else (),
        turns=turns + turns_before,
        followed_square=followed_square,
        plan=plan_against(child, _rest_after(followed_square, continuation)),
    )


def win_kind(turns: int) -> WinKind:
    """Return how a side wins, given the turn by which its line is complete."""
    if turns == 1:
        return "now"
    # Winning on turn 3 against any reply takes two threats, and no win for the opponent in between.
    return "fork" if turns == 3 else "force"


class Concession(NamedTuple):
    """What a move gives away. Turns are counted from the move."""

    mark: Mark  # the side that moved
    result: Result  # after the move
    allowed_win: ForcedWin | None  # how the opponent can win now
    missed_win: ForcedWin | None  # how the side that moved could have won, or won sooner
    better_moves: tuple[Square, ...]  # empty if the move was as good as any
    wins_by_block: bool  # whether the opponent must block, and that very block forces a win


def concession(
    position: Position, square: Square, continuation: tuple[Square, ...] = ()
) -> Concession | None:
    """Return what a move gives away, or None if it is a best move and does not lose.

    Raises IllegalMoveError if the move is illegal.

    >>> concession(Position.parse("X--------"), 1).allowed_win.kind
    'force'
    """
    child, mark, scores = position.play(square), position.turn, analyze(position)
    move_score, best_score = scores[square], max(scores.values())
    if move_score == best_score >= 0:
        return None
    allowed_win = forced_win(child, 1, continuation)
    return Concession(
        mark=mark,
        result=result(move_score, mark),
        allowed_win=allowed_win,
        missed_win=forced_win(position),
        better_moves=best_moves(position) if move_score < best_score else (),
        wins_by_block=allowed_win is not None and threats(child, mark) == allowed_win.squares,
    )


class Explanation(NamedTuple):
    """Why a move was played, or should be: the most telling reason and the facts behind it."""

    position: Position  # before the move
    square: Square
    reason: Reason
    score: int  # of the move
    move_count: int  # legal moves
    equal_moves: tuple[Square, ...]  # moves with the same score, this one included
    best_moves: tuple[Square, ...]
    completed_lines: tuple[Line, ...]
    threats: tuple[Square, ...]  # the squares that win next turn unless blocked
    win_chance: Fraction  # against random play
    best_win_chance: Fraction  # the same chance after the best moves
    concession: Concession | None
    plan: Plan | None  # how the move wins, if it wins on turn 5

    @property
    def refutation(self) -> tuple[Square, ForcedWin] | None:
        """For an "only" move, the alternative that loses fastest, and how it loses."""
        if self.reason != "only":
            return None
        refutations = []
        for square, child in self.position.children().items():
            if square != self.square and (win := forced_win(child, turns_before=1)):
                refutations.append((square, win))
        return min(refutations, key=lambda refutation: refutation[1].turns)

    def with_continuation(self, continuation: tuple[Square, ...]) -> Explanation:
        """Return the same explanation, following the game while its moves are as good as any."""
        return self._replace(
            concession=concession(self.position, self.square, continuation),
            plan=plan_against(self.position.play(self.square), continuation),
        )

    @property
    def mark(self) -> Mark:
        """The side that made the move."""
        return self.position.turn

    @property
    def result(self) -> Result:
        """The result that the move leads to."""
        return result(self.score, self.mark)


@lru_cache(maxsize=2048)  # called three times per click; there are 16,167 moves in all
def explain(position: Position, square: Square) -> Explanation:
    """Return the explanation of a move. If several reasons apply, the first in `Reason` is given.

    Raises IllegalMoveError if the move is illegal.

    >>> explain(Position.parse("X--------"), 4).reason
    'only'
    """
    child, scores, best = position.play(square), analyze(position), best_moves(position)
    outcome = child.outcome()
    return Explanation(
        position=position,
        square=square,
        reason=_reason(position, square),
        score=scores[square],
        move_count=len(scores),
        equal_moves=tuple(s for s in scores if scores[s] == scores[square]),
        best_moves=best,
        completed_lines=outcome.lines if outcome else (),
        threats=threats(child, position.turn),
        win_chance=win_chance(child),
        best_win_chance=win_chance(position.play(best[0])),
        concession=concession(position, square),
        plan=plan_against(child),
    )


def _reason(position: Position, square: Square) -> Reason:
    """Return the first value of `Reason` that applies to a move."""
    child, mark, opponent = position.play(square), position.turn, OTHER[position.turn]
    scores = analyze(position)
    move_score, best_score = scores[square], max(scores.values())
    is_only_safe_move = [s for s in scores if scores[s] >= 0] == [square]
    if move_score == WIN - 1:
        return "completes"
    if square in threats(position, opponent) and is_only_safe_move and len(scores) > 1:
        return "blocks"
    if move_score == best_score and len(threats(child, mark)) > 1 and not threats(child, opponent):
        return "forks"
    if len(scores) == 1:
        return "last"
    if is_only_safe_move:
        return "only"
    if move_score < best_score:
        return "misses"
    if square not in best_moves(position):
        return "as good"
    if best_score == 0:
        return "draws"
    return "wins" if best_score > 0 else "resists"
