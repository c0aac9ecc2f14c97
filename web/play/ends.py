"""How a game ended for the human: the facts behind the verdict and the sentence of the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.notation import to_digits
from engine.position import OTHER, Mark, O, Outcome, Square, X
from engine.reasons import threats
from engine.review import ReviewedMove, Story, story
from web.play.game import Game, Help, SharedResult, position_after
from web.play.opponents import OPPONENTS, LastWords, OpponentName
from web.play.squares import earned_squares, lines_among

GameResult = Literal["won", "drawn", "lost"]  # for the human

# What the sentence under the verdict says.
EndKind = Literal[
    "won",
    # Lost, by the human's last blunder:
    "open",  # a line was left open at `square`
    "fork",  # the reply at `square` made `threat_count` threats
    "only",  # only `square` was safe
    "let in",  # the blunder was the move to `square`, and none of the three above applies
    "no way",  # there was no blunder: the board that was set up was already lost
    # Drawn:
    "drawn",  # the human gave a win away, or the opponent was not Perfect
    "set up",  # against Perfect from a board that was set up
    "helped",  # against Perfect with help
    "second",  # against Perfect, with the human going second
    "last",  # the ninth and last square is earned
    "again",  # the square had been earned before
    "eighth",  # one square is left: `unearned_square`
    "line",  # `square` is newly earned, and completes one or more lines of earned squares
    "count",  # `square` is newly earned, and completes no line
    # Lost or drawn:
    "friend",  # the game began with a friend's link
]

# The kinds of draws that stop Perfect; the page announces them in its largest type.
STOP_KINDS: tuple[EndKind, ...] = ("second", "last", "friend", "again", "eighth", "line", "count")

# The screen of the lesson that teaches how to avoid such a loss, by its number.
LESSON_SCREENS: Mapping[EndKind, int] = {"open": 2, "fork": 3}


class End(NamedTuple):
    """How a game ended, with the facts that the page names."""

    kind: EndKind
    result: GameResult
    opponent_name: OpponentName
    human: Mark
    square: Square | None = None  # which one depends on `kind`
    move_number: int | None = None  # of the last blunder
    threat_count: int = 0  # made by the opponent's fork
    is_won_at_once: bool = False  # before the opponent has moved
    earned_count: int = 0  # squares earned, this game's included
    new_line_count: int = 0  # lines of three earned squares that this game completed
    old_line_count: int = 0  # lines that were complete before
    unearned_square: Square | None = None  # the only one left, or None
    new_squares: tuple[Square, ...] = ()  # squares just earned
    losing_streak: int = 0  # against Perfect, this loss included
    help_used: Help = ""
    friend_result: SharedResult | None = None
    friend_bits: int | None = None  # the squares that the friend has earned: see squares.py
    link_moves: str = ""  # the opening in the friend's link, as digits

    @property
    def stopped_perfect(self) -> bool:
        """Whether the human stopped Perfect: drew without help, and not from a board set up."""
        return self.result == "drawn" and self.kind in STOP_KINDS

    @property
    def unearned_count(self) -> int:
        """The number of squares not yet earned."""
        return 9 - self.earned_count

    @property
    def answers_friend(self) -> bool:
        """Whether the game answers a friend whose link says which squares the friend has earned."""
        return self.kind == "friend" and self.human == X and self.friend_bits is not None

    @property
    def offers_look(self) -> bool:
        """Whether the opponent offers to look at the game together."""
        return self.losing_streak > 1 and self.kind != "friend"

    @property
    def is_second_loss(self) -> bool:
        """Whether the opponent offers to look for the first time: at the second loss in a row."""
        return self.losing_streak == 2 and self.offers_look

    @property
    def own_words(self) -> LastWords | None:
        """The opponent's own last words, or None for Perfect, who says what decided the game."""
        opponent = OPPONENTS[self.opponent_name]
        last_words = {"won": opponent.won, "drawn": opponent.drawn, "lost": opponent.lost}
        return last_words[self.result]


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
    blunder, result = decisive_blunder(game), _result(game.outcome, game.human)
    end = End(
        # A loss gets its kind below, and so does a draw with Perfect.
        kind="won" if result == "won" else "drawn",
        result=result,
        opponent_name=game.opponent_name,
        human=game.human,
        move_number=blunder.number if blunder else None,
        is_won_at_once=result == "won" and game.last_reply_index is None,
        help_used=game.help_used,
        friend_result=game.friend_result,
        friend_bits=game.friend_bits,
        link_moves=to_digits(game.moves[: game.link_length]),
    )
    if result == "lost":
        return _with_cause_of_loss(end, game, blunder)
    if result == "drawn" and game.opponent.is_perfect and not blunder:
        return _with_squares_earned(end, game)
    return end


def _result(outcome: Outcome, human: Mark) -> GameResult:
    if not outcome.winner:
        return "drawn"
    return "won" if outcome.winner == human else "lost"


def _with_cause_of_loss(end: End, game: Game, blunder: ReviewedMove | None) -> End:
    """Return the end of a lost game with what decided it: `blunder`, or the board set up."""
    if not blunder:
        return end._replace(kind="no way")
    # Moves are numbered from 1, so this is the move after the blunder.
    reply, punishment = game.moves[blunder.number], story_of(game).punishment
    was_drawn = blunder.score_before == 0
    safe_squares = blunder.sound_moves if was_drawn else ()
    loss = end._replace(kind="let in", square=blunder.square)
    if punishment == "now":
        loss = end._replace(kind="open", square=reply)
    elif punishment == "fork":
        after_reply = position_after(game.moves[: blunder.number + 1])
        threat_count = len(threats(after_reply, OTHER[game.human]))
        loss = end._replace(kind="fork", square=reply, threat_count=threat_count)
    elif len(safe_squares) == 1:
        loss = end._replace(kind="only", square=safe_squares[0])
    if game.friend_result:
        loss = loss._replace(kind="friend")
    return loss._replace(losing_streak=game.updated_record.losing_streak if game.is_contest else 0)


def _with_squares_earned(end: End, game: Game) -> End:
    """Return the end of a draw against Perfect with the square it earned, or why it earned none.

    If several kinds apply, the end has the first of them in this order: "last", "friend",
    "again", "eighth", "line", "count".
    """
    if not game.counts:
        return end._replace(kind="set up")
    if game.help_used:
        return end._replace(kind="helped")
    if game.human == O:
        return end._replace(kind="friend" if game.friend_result else "second")
    first_square, earned_before = game.moves[0], earned_squares(game.record.earned_bits)
    earned_now = earned_squares(game.updated_record.earned_bits)
    earned_count, is_new = len(earned_now), earned_now != earned_before
    old_line_count = len(lines_among(earned_before))
    end = end._replace(
        square=first_square,
        earned_count=earned_count,
        new_line_count=len(lines_among(earned_now)) - old_line_count,
        old_line_count=old_line_count,
        unearned_square=min({*range(9)} - {*earned_now}) if earned_count == 8 else None,
    )
    if is_new and earned_count == 9:
        return end._replace(kind="last", new_squares=earned_now)  # all nine appear together
    if is_new:
        end = end._replace(new_squares=(first_square,))
    if game.friend_result:
        return end._replace(kind="friend")
    if not is_new:
        return end._replace(kind="again")
    if earned_count == 8:
        return end._replace(kind="eighth")
    return end._replace(kind="line" if end.new_line_count else "count")
