"""What the game page shows of a game; parts.py draws it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.hints import Hint, hint
from engine.position import OTHER, Mark, O, Position, Square
from engine.reasons import explain, threats
from engine.results import results
from engine.review import ReviewedMove
from web.play import words
from web.play.cookie import stamp
from web.play.ends import End, decisive_blunder, end_of
from web.play.game import Game, position_after
from web.play.opponents import OPPONENTS, Mood, OpponentName, PerfectMood
from web.play.share import share_text
from web.play.squares import earned_squares
from web.play.words import Notice
from web.today.words import TodayLink
from web.view.squares import Cell, Role


class FaceView(NamedTuple):
    """The opponent's face."""

    opponent_name: OpponentName
    mood: Mood
    mark: Mark
    mood_before: Mood | None  # shown until the result appears; None if `mood` is shown throughout


class FriendView(NamedTuple):
    """The squares that a friend has earned, and the words beside both players' nine squares."""

    earned: tuple[Square, ...]
    captions: tuple[str, str]  # of the human and of the friend
    count_texts: tuple[str, str]  # how many squares each has


class PlayerView(NamedTuple):
    """The human's row: the nine squares, and beside them words, a link or the friend's squares."""

    mark: Mark
    earned: tuple[Square, ...]  # before this game
    new_squares: tuple[Square, ...] = ()  # squares just earned
    at_stake: Square | None = None
    forfeited_square: Square | None = None  # the square that help has cost
    shows_nine: bool = True
    is_framed: bool = False  # in play, once the settings cannot be changed
    is_set_up: bool = False
    title: str = ""
    note: str = ""  # in small letters under the title
    friend: FriendView | None = None
    unfinished: Position | None = None  # the board of the earlier game to go back to
    today_link: TodayLink | None = None


class SettingsView(NamedTuple):
    """The settings, before the first move."""

    opponent_names: tuple[OpponentName, ...]
    opponent_name: OpponentName
    human: Mark


def friend_view(
    friend_bits: int | None, own_bits: int, end: End | None = None
) -> FriendView | None:
    """Return the friend's squares and the two counts, or None if the squares are unknown."""
    if friend_bits is None:
        return None
    own_count, friend_count = own_bits.bit_count(), friend_bits.bit_count()
    return FriendView(
        earned_squares(friend_bits),
        words.count_captions(end, own_count, friend_count),
        (words.count_text(own_count), words.count_text(friend_count)),
    )


@dataclass(frozen=True)
class Page:
    """The game page: a game, perhaps with a notice about the last click."""

    game: Game
    notice: Notice | None = None
    site: str = ""  # scheme and host, for the addresses that are sent to others
    today_link: TodayLink | None = None

    @cached_property
    def end(self) -> End | None:
        """How the game ended, or None if it is not over."""
        return end_of(self.game)

    @property
    def blunder(self) -> ReviewedMove | None:
        """The human's move that was the turning point of a finished game, or None."""
        return decisive_blunder(self.game)

    @property
    def face(self) -> FaceView:
        """The opponent's face."""
        game, calm_mood = self.game, self.game.opponent.calm_mood
        mood = _mood(self.end) if self.end else calm_mood
        mood_before = calm_mood if mood != calm_mood else None
        return FaceView(game.opponent_name, mood, OTHER[game.human], mood_before)

    @cached_property
    def danger_hint(self) -> Hint | None:
        """What to watch for, or None if no such hint is shown."""
        return hint(self.game.position) if self.game.hint == "danger" else None

    @property
    def possible_winners(self) -> set[Mark | None]:
        """The winners that the legal moves lead to, with perfect play; None stands for a draw."""
        return {result.winner for result in results(self.game.position).values()}

    @property
    def hint_sentence(self) -> str:
        """The words of a hint; empty if none is shown."""
        if self.danger_hint:
            return words.hint_sentence(self.danger_hint, self.game.opponent.is_perfect)
        if self.game.hint == "results":
            return words.results_sentence(self.possible_winners, self.game.human)
        return ""

    @property
    def comment(self) -> str:
        """Why Perfect made its last move, or another opponent's quip; usually empty."""
        game, last_index = self.game, self.game.last_reply_index
        if not game.opponent.is_perfect:
            return quip(game)
        assert last_index is not None, "the opponent must have moved"
        # If the human is O, the opponent's first move opened the game, so it is not a reply.
        first_index = max(game.setup_length, game.link_length) + (game.human == "O")
        reply_indices = [n for n in range(first_index, last_index + 1) if n % 2 == last_index % 2]
        *earlier_replies, last_reply = (
            explain(position_after(game.moves[:n]), game.moves[n]) for n in reply_indices
        )
        times_before = sum(reply.reason == last_reply.reason for reply in earlier_replies)
        return words.comment(last_reply, times_before)

    @property
    def player(self) -> PlayerView | None:
        """The human's row, or None if it is not shown.

        At the end it is shown if Perfect was stopped, or beside a friend's squares.
        """
        game, end, friend = self.game, self.end, self._friend
        row = PlayerView(game.human, earned_squares(game.record.earned_bits), friend=friend)
        if end:
            is_shown = end.stopped_perfect or friend
            return row._replace(new_squares=end.new_squares) if is_shown else None
        if game.is_beginning and game.unfinished:
            row = row._replace(unfinished=game.unfinished.position)
        elif game.is_beginning:
            row = row._replace(today_link=self.today_link)
        return row._replace(
            at_stake=game.at_stake,
            forfeited_square=game.forfeited_square,
            shows_nine=game.is_contest,
            is_framed=not game.is_beginning,
            is_set_up=not game.counts,
            title=words.row_title(game),
            note=words.row_note(game),
        )

    @property
    def _friend(self) -> FriendView | None:
        """The friend's squares, or None if they are unknown or not shown.

        They are not shown to O, who cannot earn any, or to a human who has just earned the ninth.
        """
        end = self.end
        if self.game.human == O or (end and end.kind == "last"):
            return None
        return friend_view(self.game.friend_bits, self.game.updated_record.earned_bits, end)

    @property
    def settings(self) -> SettingsView:
        """The settings, before the first move."""
        return SettingsView(tuple(OPPONENTS), self.game.opponent_name, self.game.human)

    @property
    def badge(self) -> tuple[int, Square] | None:
        """The move number and the square of the blunder, or None if there was none."""
        return (self.blunder.number, self.blunder.square) if self.blunder else None

    @property
    def share_text(self) -> str:
        """The text to share after stopping Perfect, or to answer a friend; otherwise empty."""
        end = self.end
        is_shareable = end and (end.stopped_perfect or end.answers_friend)
        return share_text(self.game, self.site) if is_shareable else ""

    @property
    def position_and_stamp(self) -> tuple[str, str]:
        """What each click sends back: the position and the game's stamp."""
        return str(self.game.position), stamp(self.game)

    @property
    def cells(self) -> list[Cell]:
        """The nine squares of the board."""
        game, position = self.game, self.game.position
        legal_moves, winning_squares = position.legal_moves(), position.winning_squares()
        # The squares of the winning line appear one after the other, and so do the other wins.
        order_by_square = {
            square: index
            for squares in (self._other_wins, winning_squares)
            for index, square in enumerate(squares)
        }
        shows_results = game.hint == "results" and len(self.possible_winners) > 1
        result_by_square = results(position) if shows_results else {}
        pencil_marks = self._pencil_marks
        shows_earned = game.is_beginning and game.can_earn
        earned = earned_squares(game.record.earned_bits) if shows_earned else ()
        is_flooded = self.end is not None and self.end.stopped_perfect
        # At the end the last move may be the human's.
        reply_square = game.moves[-1] if game.last_reply_index == len(game.moves) - 1 else None
        return [
            Cell(
                square=square,
                mark=position.mark_at(square),
                is_button=True,
                is_live=square in legal_moves,
                pencil=pencil_marks.get(square),
                caption="wins too" if game.outcome and square in pencil_marks else "",
                hover=game.human if square in legal_moves else None,
                role="earned" if square in earned else self._role(square, winning_squares),
                order=order_by_square.get(square),
                distance=manhattan_distance(game.moves[0], square) if is_flooded else None,
                is_theirs=is_flooded and position.mark_at(square) != game.human,
                is_reply=square == reply_square,
                result=result_by_square.get(square),
                label_suffix=self._label_suffix(square, winning_squares) if game.outcome else "",
            )
            for square in range(9)
        ]

    @property
    def _pencil_marks(self) -> dict[Square, Mark]:
        """The marks in pencil: the one a hint points to, or the opponent's other winning moves."""
        if self.danger_hint and self.danger_hint.square is not None:
            return {self.danger_hint.square: self.danger_hint.mark}
        return dict.fromkeys(self._other_wins, OTHER[self.game.human])

    @property
    def _other_wins(self) -> tuple[Square, ...]:
        """The squares at which the opponent could have won instead, if it has won."""
        if not (self.end and self.end.result == "lost"):
            return ()
        position_before = position_after(self.game.moves[:-1])
        winning_moves = threats(position_before, OTHER[self.game.human])
        return tuple(square for square in winning_moves if square != self.game.moves[-1])

    def _role(self, square: Square, winning_squares: tuple[Square, ...]) -> Role:
        """Return the role that decides how a square is drawn."""
        game = self.game
        if self.danger_hint and square == self.danger_hint.square:
            return "first"
        if not self.end:
            return "last" if game.moves[-1:] == (square,) else ""
        if square in winning_squares:
            return "wins"
        if self.end.stopped_perfect:
            return "flood"
        return "past" if winning_squares and game.position.mark_at(square) else ""

    def _label_suffix(self, square: Square, winning_squares: tuple[Square, ...]) -> str:
        """Return what a screen reader adds for a square of a winning line or of the blunder."""
        is_winning = square in winning_squares
        is_blunder = self.blunder is not None and square == self.blunder.square
        return (", winning line" if is_winning else "") + (
            ", the turning point" if is_blunder else ""
        )


def quip(game: Game) -> str:
    """Return the opponent's quip about its last move; empty if it would repeat an earlier one."""
    indices = range(game.setup_length, len(game.moves))
    opponent_indices = [n for n in indices if n % 2 == (game.human == "X")]
    *earlier_quips, last_quip = (
        _quip_about(game, n, is_first=n == opponent_indices[0]) for n in opponent_indices
    )
    return "" if last_quip in earlier_quips else last_quip


def _quip_about(game: Game, index: int, is_first: bool) -> str:
    """Return the opponent's quip about its move at an index of the game's moves, or ""."""
    position, square = position_after(game.moves[:index]), game.moves[index]
    human_threats = threats(position, game.human)
    return words.quip(
        game.opponent.quips,
        is_first=is_first,
        human_threat_count=len(human_threats) if square in human_threats else 0,
        new_threat_count=len(threats(position.play(square), OTHER[game.human])),
    )


def manhattan_distance(start: Square, square: Square) -> int:
    """Return the number of steps between two squares, along rows and columns.

    >>> manhattan_distance(0, 8)
    4
    """
    return abs(start % 3 - square % 3) + abs(start // 3 - square // 3)


def _mood(end: End) -> Mood:
    """Return the opponent's mood at the end of a game."""
    if not end.own_words:
        return _perfect_mood(end)
    opponent = OPPONENTS[end.opponent_name]
    moods = {
        "won": opponent.beaten_mood,
        "drawn": opponent.calm_mood,
        "lost": opponent.winning_mood,
    }
    return moods[end.result]


def _perfect_mood(end: End) -> PerfectMood:
    if end.result == "lost":
        return "glad"
    if end.kind == "last":
        return "bow"
    return "oh" if end.stopped_perfect or end.result == "won" else "calm"
