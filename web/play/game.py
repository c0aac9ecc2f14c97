"""One game between a human and an opponent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Literal

from engine.hints import hint
from engine.position import OTHER, IllegalMoveError, Mark, O, Outcome, Position, Square, X
from web.play.opponents import OPPONENTS, Opponent, OpponentName
from web.play.record import Record

# The hint shown for the next move.
HintLevel = Literal[
    "off",
    "danger",  # the one thing to watch for
    "results",  # the result of every square
]

# How a game against Perfect ended, as a shared link says it; nobody beats Perfect.
SharedResult = Literal[
    "lost",
    "held",  # a draw
]

# The first help that the human has had in a game.
Help = Literal[
    "",  # none so far
    "hint",
    "back",  # a move was taken back
]


@lru_cache(maxsize=1024)  # a click needs it for several games that share most of their moves
def position_after(moves: tuple[Square, ...]) -> Position:
    """Return the position after `moves`. Raises IllegalMoveError if a move is illegal."""
    return position_after(moves[:-1]).play(moves[-1]) if moves else Position()


@dataclass(frozen=True)
class Game:
    """A game between a human and an opponent; immutable.

    `play` and `start_next` include the opponent's reply, so it is the human's turn unless the game
    is over.
    """

    moves: tuple[Square, ...] = ()
    opponent_name: OpponentName = "perfect"
    human: Mark = X
    record: Record = field(default_factory=Record)  # of earlier games
    hint: HintLevel = "off"
    setup_length: int = 0  # leading moves that were set up, not played
    help_used: Help = ""
    unfinished: Game | None = None  # the game before this one, which `undo` goes back to
    link_length: int = 0  # leading moves given by a friend's link
    friend_result: SharedResult | None = None
    friend_bits: int | None = None  # the squares the friend has earned; None if not in the link
    # After a friend's link, the opponent and mark that the next new game goes back to.
    usual_settings: tuple[OpponentName, Mark] | None = None

    @property
    def counts(self) -> bool:
        """Whether the result goes on the record; from a board that was set up, it does not."""
        return not self.setup_length

    @property
    def is_contest(self) -> bool:
        """Whether the game is against Perfect and counts."""
        return self.opponent.is_perfect and self.counts

    @property
    def can_earn(self) -> bool:
        """Whether a draw without help earns a square: in a contest, if the human goes first."""
        return self.is_contest and self.human == X

    @property
    def opponent(self) -> Opponent:
        """The opponent that `opponent_name` names."""
        return OPPONENTS[self.opponent_name]

    @cached_property
    def position(self) -> Position:
        """The position after all moves. Raises IllegalMoveError if a move is illegal."""
        return position_after(self.moves)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it is not over."""
        return self.position.outcome()

    def play(self, square: Square, rng: Random) -> Game:
        """Return the game after the human's move and the reply.

        Raises IllegalMoveError if the move is illegal.
        """
        return replace(self, moves=(*self.moves, square), hint="off")._with_reply(rng)

    def start_next(
        self,
        opponent_name: OpponentName,
        human: Mark,
        rng: Random,
        moves: tuple[Square, ...] = (),
        link_length: int = 0,
    ) -> Game:
        """Return a new game after `moves`, which must be legal, with this game on the record.

        The moves were set up, unless `link_length` says that a friend's link gave them.
        """
        return Game(
            moves=moves,
            opponent_name=opponent_name,
            human=human,
            record=self.updated_record,
            setup_length=0 if link_length else len(moves),
            unfinished=self._resumable_game(),
            link_length=link_length,
            usual_settings=self.usual_settings if moves else None,
        )._with_reply(rng)

    def next_settings(self, moves: tuple[Square, ...]) -> tuple[OpponentName, Mark]:
        """Return the default opponent and mark for a new game that starts after `moves`."""
        return (None if moves else self.usual_settings) or (self.opponent_name, self.human)

    def accept_challenge(
        self,
        moves: tuple[Square, ...],
        square: Square,
        rng: Random,
        *,
        friend_result: SharedResult | None = None,
        friend_bits: int | None = None,
    ) -> Game:
        """Return a new game against Perfect: the `moves` of a friend's link, then `square`.

        If the same form is sent twice, this game is returned. Raises IllegalMoveError if the move
        is illegal.
        """
        played = (*moves, square)
        is_same = self.link_length == len(moves) and self.moves[: len(played)] == played
        if is_same and len(self.moves) <= len(played) + 1:  # nothing was played but the reply
            return self
        human = position_after(moves).turn
        game = replace(
            self.start_next("perfect", human, rng, moves, len(moves)),
            friend_result=friend_result,
            friend_bits=friend_bits,
            usual_settings=self.next_settings(()),
        )
        return game.play(square, rng)

    def _resumable_game(self) -> Game | None:
        """Return the unfinished game that the next game's `undo` goes back to, or None."""
        if not self.has_moved:
            return self.unfinished
        return None if self.outcome else replace(self, hint="off", unfinished=None)

    def _with_reply(self, rng: Random) -> Game:
        """Return the game after the opponent's reply; the same game if no reply is due."""
        if self.position.turn == self.human or self.outcome:
            return self
        return replace(self, moves=(*self.moves, self.opponent.strategy(self.position, rng)))

    def undo(self) -> Game:
        """Return the game before the human's last move; if there is none, the `unfinished` game.

        Raises IllegalMoveError if there is neither.
        """
        if self.has_moved:
            # An earned square stays earned.
            record = self.record._replace(earned_bits=self.updated_record.earned_bits)
            return replace(
                self,
                moves=self.moves[: self._human_indices[-1]],
                record=record,
                hint="off",
                help_used=self.help_used or "back",
            )
        if not self.unfinished:
            raise IllegalMoveError("there is no move to take back")
        return replace(self.unfinished, record=self.record)

    def with_hint(self, level: HintLevel) -> Game:
        """Return the game with a hint shown or hidden.

        If every square is safe, a hint does not count as help.
        """
        is_help = level != "off" and hint(self.position).kind != "safe"
        return replace(self, hint=level, help_used=self.help_used or ("hint" if is_help else ""))

    @property
    def has_moved(self) -> bool:
        """Whether the human has made a move."""
        return bool(self._human_indices)

    @property
    def is_beginning(self) -> bool:
        """Whether the human may still choose an opponent and a side."""
        return not (self.has_moved or self.setup_length or self.link_length)

    @cached_property
    def _human_indices(self) -> list[int]:
        """The indices in `moves` of the moves that the human played: even for X, odd for O."""
        start = max(self.setup_length, self.link_length)
        return [n for n in range(start, len(self.moves)) if n % 2 == (self.human == O)]

    @property
    def last_reply_index(self) -> int | None:
        """The index in `moves` of the opponent's last move, or None before its first."""
        # If it is the opponent's turn, the human's last move has ended the game.
        index = len(self.moves) - (1 if self.position.turn == self.human else 2)
        return index if index >= self.setup_length else None

    def has_just_played(self, position: Position, square: Square) -> bool:
        """Return whether the human's last move was `square`, played in `position`."""
        if not self.has_moved:
            return False
        index = self._human_indices[-1]
        return (position_after(self.moves[:index]), self.moves[index]) == (position, square)

    @property
    def at_stake(self) -> Square | None:
        """The square that a draw earns, or None if there is none or help has cost it."""
        return None if self.outcome or self.help_used else self._square_to_earn

    @property
    def forfeited_square(self) -> Square | None:
        """The square that a draw would have earned without help, or None."""
        return self._square_to_earn if self.help_used and not self.outcome else None

    @property
    def undo_forfeits(self) -> bool:
        """Whether taking a move back costs the square that a draw would earn."""
        return self._square_to_earn is not None and not self.help_used and self.has_moved

    @property
    def _square_to_earn(self) -> Square | None:
        """The square that a draw without help earns, or None if there is none."""
        if self.is_beginning or not self.can_earn:
            return None
        first_square = self.moves[0]
        is_earned = self.updated_record.earned_bits >> first_square & 1
        return None if is_earned else first_square

    @property
    def earned_bit(self) -> int:
        """The bit of the square on which this game began, if a draw has earned it; otherwise 0."""
        is_drawn = self.outcome is not None and not self.outcome.winner
        earns_square = is_drawn and self.can_earn and not self.help_used
        return 1 << self.moves[0] if earns_square else 0

    @cached_property
    def updated_record(self) -> Record:
        """The record with the result of this game, once it is over.

        The result is derived from the moves, so no game counts twice. Taking the last move back
        also takes back the result, but not an earned square: see `undo`.
        """
        if not self.outcome:
            return self.record
        is_win = self.outcome.winner == self.human
        is_loss = self.outcome.winner == OTHER[self.human]
        record_before, is_perfect = self.record, self.opponent.is_perfect
        record = record_before._replace(earned_bits=record_before.earned_bits | self.earned_bit)
        if not self.counts:
            return record
        if is_perfect:
            return record._replace(losing_streak=record_before.losing_streak + 1 if is_loss else 0)
        return record.with_result(self.opponent_name, is_win, is_loss)
