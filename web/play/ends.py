"""How a game ended for the human: the facts behind one verdict and one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.notation import to_digits
from engine.position import OTHER, Mark, O, Square, X
from engine.reasons import threats
from engine.review import ReviewedMove, Story, story
from web.play.game import FriendResult, Game, Help, position_after
from web.play.opponents import OPPONENTS, LastWords, OpponentName
from web.play.squares import earned_squares, lines_among

Ending = Literal["won", "drawn", "lost"]
EndKind = Literal[
    "won",
    # Lost, at the last mistake:
    "open",  # a line was left open at `square`
    "fork",  # the reply at `square` made `threat_count` threats
    "only",  # only `square` was safe
    "let in",  # the move to `square`, one of several that lost
    "no way",  # no mistake: the board set up was already lost
    # Drawn:
    "drawn",  # by giving a win away, or against an opponent who gives wins away
    "set up",  # against Perfect from a board that was set up
    "helped",  # against Perfect with help
    "second",  # against Perfect going second
    "last",  # the ninth and last square is earned
    "again",  # the square had been earned before
    "eighth",  # one square is left: `unearned_square`
    "line",  # a newly earned square completed `new_lines` lines; there were `old_lines` before
    "count",  # `square` is earned, and `left_count` are left
    # Lost or drawn:
    "friend",  # on a friend's link
]

# The kinds of draws against Perfect without help, which are announced in the largest type.
STOP_KINDS: tuple[EndKind, ...] = ("second", "last", "friend", "again", "eighth", "line", "count")

# The screens of the lesson about how a game was lost.
LESSONS: Mapping[EndKind, int] = {"open": 2, "fork": 3}


class End(NamedTuple):
    """How a game ended, and what its sentence names."""

    kind: EndKind
    ending: Ending
    opponent_name: OpponentName
    human: Mark
    square: Square | None = None
    move_number: int | None = None  # of the last mistake
    threat_count: int = 0
    is_won_at_once: bool = False  # before the opponent has moved
    earned_count: int = 0  # squares earned, this one included
    new_lines: int = 0
    old_lines: int = 0
    unearned_square: Square | None = None
    new_squares: tuple[Square, ...] = ()  # squares just earned
    losing_streak: int = 0  # against Perfect, this loss included
    help_used: Help = ""
    friend_result: FriendResult | None = None
    friend_squares: int | None = None  # as bits
    link_moves: str = ""  # the link's opening, as digits

    @property
    def stopped_perfect(self) -> bool:
        """Whether Perfect was stopped: by a draw without help, from the first move."""
        return self.ending == "drawn" and self.kind in STOP_KINDS

    @property
    def left_count(self) -> int:
        """The number of squares not yet earned."""
        return 9 - self.earned_count

    @property
    def answers_friend(self) -> bool:
        """Whether the game answers a friend whose link says which squares the friend has earned."""
        return self.kind == "friend" and self.human == X and self.friend_squares is not None

    @property
    def offers_look(self) -> bool:
        """Whether the opponent offers to look at the game together."""
        return self.losing_streak > 1 and self.kind != "friend"

    @property
    def is_second_loss(self) -> bool:
        """Whether this is the second loss in a row, when the opponent first offers to look."""
        return self.losing_streak == 2 and self.offers_look

    @property
    def own_words(self) -> LastWords | None:
        """The opponent's own words, or None if it says what decided the game."""
        words: LastWords | None = getattr(OPPONENTS[self.opponent_name], self.ending)
        return words


def story_of(game: Game) -> Story:
    """Return the story of the moves played so far, told for the human."""
    return story(game.moves, game.human, game.setup_length)


def decisive_blunder(game: Game) -> ReviewedMove | None:
    """Return the turning point of a finished game if it was the human's move, otherwise None."""
    turning_point = story_of(game).turning_point if game.outcome else None
    return turning_point if turning_point and turning_point.mark == game.human else None


@lru_cache(maxsize=1024)  # called several times per page
def end_of(game: Game) -> End | None:
    """Return how a game ended, or None if it is not over."""
    if not game.outcome:
        return None
    winner, blunder = game.outcome.winner, decisive_blunder(game)
    ending: Ending = "drawn" if not winner else "won" if winner == game.human else "lost"
    end = End(
        kind="won" if winner else "drawn",
        ending=ending,
        opponent_name=game.opponent_name,
        human=game.human,
        move_number=blunder.number if blunder else None,
        is_won_at_once=ending == "won" and game.last_reply_index is None,
        help_used=game.help_used,
        friend_result=game.friend_result,
        friend_squares=game.friend_squares,
        link_moves=to_digits(game.moves[: game.link_length]),
    )
    if ending == "lost":
        return _loss(end, game, blunder)
    is_draw_with_perfect = ending == "drawn" and game.opponent.is_perfect and not blunder
    return _draw_with_perfect(end, game) if is_draw_with_perfect else end


def _loss(end: End, game: Game, blunder: ReviewedMove | None) -> End:
    if not blunder:
        return end._replace(kind="no way")
    reply, punishment = game.moves[blunder.number], story_of(game).punishment
    safe_squares = blunder.sound_moves if not blunder.score_before else ()
    loss = end._replace(kind="let in", square=blunder.square)
    if punishment == "now":
        loss = end._replace(kind="open", square=reply)
    elif punishment == "fork":
        threat_count = len(
            threats(position_after(game.moves[: blunder.number + 1]), OTHER[game.human])
        )
        loss = end._replace(kind="fork", square=reply, threat_count=threat_count)
    elif len(safe_squares) == 1:
        loss = end._replace(kind="only", square=safe_squares[0])
    if game.friend_result:
        loss = loss._replace(kind="friend")
    return loss._replace(losing_streak=game.updated_record.losing_streak if game.is_contest else 0)


def _draw_with_perfect(end: End, game: Game) -> End:
    if not game.counts:
        return end._replace(kind="set up")
    if game.help_used:
        return end._replace(kind="helped")
    if game.human == O:
        return end._replace(kind="friend" if game.friend_result else "second")
    first_square, earned_before = game.moves[0], earned_squares(game.record.earned)
    earned_now = earned_squares(game.updated_record.earned)
    is_new, old_lines = earned_now != earned_before, len(lines_among(earned_before))
    end = end._replace(
        kind="again",
        square=first_square,
        earned_count=len(earned_now),
        new_lines=len(lines_among(earned_now)) - old_lines,
        old_lines=old_lines,
        unearned_square=min({*range(9)} - {*earned_now}) if len(earned_now) == 8 else None,
        new_squares=(earned_now if len(earned_now) == 9 else (first_square,)) if is_new else (),
    )
    if is_new and len(earned_now) == 9:
        return end._replace(kind="last")
    if game.friend_result:
        return end._replace(kind="friend")
    if not is_new:
        return end
    if len(earned_now) == 8:
        return end._replace(kind="eighth")
    return end._replace(kind="line" if end.new_lines else "count")
