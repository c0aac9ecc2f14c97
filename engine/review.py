"""Post-game analysis: every move judged, and the game summed up by its turning point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.reasons import Concession, WinKind, concession, forced_win, win_kind
from engine.results import result, sound_moves
from engine.search import WIN, analyze, score, sign

Judgment = Literal[
    "wins",  # completes a line
    "gave the draw away",  # turned a draw into a loss
    "gave the win away",  # turned a win into a draw or a loss
    "slower win",  # still wins, but another move wins sooner
    "quicker loss",  # loses anyway, but another move delays the loss longer
    "only move",  # every other move would have been a blunder
    "lost already",  # loses anyway, and no move lasts longer
    "fine",  # any other move that is as good as the best
]

# The badges of chess annotation, plus ✓ for a win.
BADGES: Mapping[Judgment, str] = {
    "gave the draw away": "??",
    "gave the win away": "??",
    "only move": "!",
    "wins": "✓",
}


class ReviewedMove(NamedTuple):
    """A move of a game, with its judgment."""

    position: Position  # before the move
    square: Square
    score_before: int  # of the best move
    score_after: int  # of the move played
    judgment: Judgment
    sound_moves: tuple[Square, ...]  # the moves that kept the best result
    could_blunder: bool  # whether any move would have lowered the result

    @property
    def number(self) -> int:
        """The number of the move in the game, from 1."""
        return self.position.ply + 1

    @property
    def mark(self) -> Mark:
        """The side that made the move."""
        return self.position.turn

    @property
    def opponent(self) -> Mark:
        """The other side."""
        return OTHER[self.mark]

    @property
    def winner(self) -> Mark | None:
        """The winner with perfect play after the move, or None for a draw."""
        return result(self.score_after, self.mark).winner

    @property
    def is_blunder(self) -> bool:
        """Whether the move turned a win into a draw or a loss, or a draw into a loss."""
        return self.judgment in ("gave the draw away", "gave the win away")

    @property
    def possible_blunders(self) -> tuple[Square, ...]:
        """The moves that would have been blunders."""
        return tuple(s for s in self.position.legal_moves() if s not in self.sound_moves)

    @property
    def concession(self) -> Concession | None:
        """What the move gave away, if anything."""
        return concession(self.position, self.square)


def review(moves: Sequence[Square]) -> list[ReviewedMove]:
    """Judge every move of a game. Raises IllegalMoveError if a move is illegal.

    >>> [move.judgment for move in review((0, 1))]
    ['fine', 'gave the draw away']
    """
    return list(map(_review_move, positions_of(moves), moves))


def positions_of(moves: Sequence[Square]) -> list[Position]:
    """Return every position of a game, the empty board first.

    Raises IllegalMoveError if a move is illegal.
    """
    return list(accumulate(moves, Position.play, initial=Position()))


@lru_cache(maxsize=4096)  # a click adds two of 16,167 possible (position, square) pairs
def _review_move(position: Position, square: Square) -> ReviewedMove:
    scores, sound = analyze(position), sound_moves(analyze(position))
    score_before, score_after = max(scores.values()), scores[square]
    could_blunder = len(sound) < len(scores)
    is_only_move = len(sound) == 1 and could_blunder
    return ReviewedMove(
        position=position,
        square=square,
        score_before=score_before,
        score_after=score_after,
        judgment=_judgment(score_before, score_after, is_only_move),
        sound_moves=sound,
        could_blunder=could_blunder,
    )


def judge_move(position: Position, square: Square) -> Judgment:
    """Return the judgment of a single move.

    >>> judge_move(Position.parse("XX-OO----"), 8)
    'gave the win away'
    """
    return _review_move(position, square).judgment


def _judgment(score_before: int, score_after: int, is_only_move: bool) -> Judgment:
    """Return the judgment of a move; `is_only_move` says whether only one move was sound."""
    if score_after == WIN - 1:
        return "wins"
    if sign(score_after) < sign(score_before):
        return "gave the win away" if score_before > 0 else "gave the draw away"
    if score_after < score_before:
        return "slower win" if score_after > 0 else "quicker loss"
    if score_before < 0:
        return "lost already"
    return "only move" if is_only_move else "fine"


def turning_point(reviewed: Sequence[ReviewedMove]) -> ReviewedMove | None:
    """Return the last blunder of either side, or None if there was none.

    >>> turning_point(review((0, 4)))
    """
    return next((move for move in reversed(reviewed) if move.is_blunder), None)


class Story(NamedTuple):
    """The summary of a game: where it turned, or could have turned."""

    initial_winner: Mark | None  # with perfect play, before the first of `moves`
    moves: tuple[ReviewedMove, ...]  # without those of the set-up
    turning_point: ReviewedMove | None  # the last blunder
    blunder_count: int
    punishment: WinKind | None  # how a losing turning point was, or can be, punished
    critical_moves: tuple[ReviewedMove, ...]  # blunders were possible, in a game drawn so far
    only_moves: tuple[ReviewedMove, ...]  # critical moves to which every alternative was a blunder
    is_over: bool

    @property
    def badged_judgments(self) -> tuple[Judgment, ...]:
        """The judgments in this game that have a badge."""
        judgments = {move.judgment for move in self.moves}
        return tuple(judgment for judgment in BADGES if judgment in judgments)


@lru_cache(maxsize=1024)  # each click also needs the story before the click
def story(moves: tuple[Square, ...], side: Mark | None = None, setup_length: int = 0) -> Story:
    """Return the story of a game. Raises IllegalMoveError if a move is illegal.

    The first `setup_length` moves were set up rather than played, and are not judged. If `side` is
    given, only that side's critical moves are listed.

    >>> lost = story((0, 1))
    >>> lost.turning_point.number, lost.punishment
    (2, 'force')
    """
    positions = positions_of(moves)[setup_length:]
    initial_winner = result(score(positions[0]), positions[0].turn).winner
    reviewed = tuple(map(_review_move, positions, moves[setup_length:]))
    last_blunder = turning_point(reviewed)
    punishment = None
    if last_blunder and last_blunder.score_after < 0:
        later_moves = reviewed[last_blunder.number - setup_length :]
        punishment = _punishment(last_blunder, later_moves)
    critical: tuple[ReviewedMove, ...] = ()
    if not (last_blunder or initial_winner):
        reviewed_of_side = (move for move in reviewed if side in (None, move.mark))
        critical = tuple(move for move in reviewed_of_side if move.could_blunder)
    return Story(
        initial_winner=initial_winner,
        moves=reviewed,
        turning_point=last_blunder,
        blunder_count=sum(move.is_blunder for move in reviewed),
        punishment=punishment,
        critical_moves=critical,
        only_moves=tuple(move for move in critical if move.judgment == "only move"),
        is_over=positions[-1].outcome() is not None,
    )


def _punishment(blunder: ReviewedMove, later_moves: Sequence[ReviewedMove]) -> WinKind:
    """Return how the next move punished a losing blunder, or how it could if not played yet."""
    if later_moves:
        return win_kind(WIN - later_moves[0].score_after)
    win = forced_win(blunder.position.play(blunder.square))
    assert win, "the blunder must have lost"
    return win.kind
