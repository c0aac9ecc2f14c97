"""One game between a person and an opponent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Literal

from engine.position import OTHER, IllegalMoveError, Mark, O, Outcome, Position, Square, X
from web.play.opponents import PLAYERS, Opponent, Player
from web.play.record import Record

# A hint for the move to come: none, the one danger or chance, or every result.
HintStep = Literal["off", "danger", "results"]

# How the friend's game ended.
Was = Literal["lost", "held"]

# What has helped: a hint, or a move taken back.
Help = Literal["", "hint", "back"]


@lru_cache(maxsize=1024)  # a click makes six games of nearly equal moves
def replayed(moves: tuple[Square, ...]) -> Position:
    """Return the position after `moves`. Raises IllegalMoveError where one breaks the rules."""
    return replayed(moves[:-1]).play(moves[-1]) if moves else Position()


@dataclass(frozen=True)
class Game:
    """Hold moves, settings and the `record` of earlier games; immutable.

    It is the human's turn unless the game is over: `play` and `start` let the opponent reply. The
    first `set_up` moves were not played: the record then keeps only that Perfect was beaten. The
    first `link` moves came from a friend, whose game `was` lost or held, and who holds `nine`, as
    bits. `undo` leads back to the `unfinished` game left for this one. The next new game has the
    `usual` opponent and mark.
    """

    moves: tuple[Square, ...] = ()
    opponent: Opponent = "perfect"
    human: Mark = X
    record: Record = field(default_factory=Record)
    hint: HintStep = "off"
    set_up: int = 0
    helped: Help = ""
    unfinished: Game | None = None
    link: int = 0
    was: Was | None = None
    nine: int = 0
    usual: tuple[Opponent, Mark] | None = None

    @property
    def counts(self) -> bool:
        """Say whether the result counts: not if moves were set up."""
        return not self.set_up

    @property
    def is_contest(self) -> bool:
        """Whether the game is one against Perfect from its first move."""
        return self.player.is_perfect and self.counts

    @property
    def can_earn(self) -> bool:
        """Whether a draw without help earns a square: in a contest, for who goes first."""
        return self.is_contest and self.human == X

    @property
    def player(self) -> Player:
        """Return the opponent's row."""
        return PLAYERS[self.opponent]

    @cached_property
    def position(self) -> Position:
        """Replay the moves. Raises as `replayed` does."""
        return replayed(self.moves)

    @cached_property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it goes on."""
        return self.position.outcome()

    def play(self, square: Square, rng: Random) -> Game:
        """Return the game after the human's move and the reply. Raises as `replayed` does."""
        return replace(self, moves=(*self.moves, square), hint="off")._with_reply(rng)

    def start(
        self,
        opponent: Opponent,
        human: Mark,
        rng: Random,
        moves: tuple[Square, ...] = (),
        link: int = 0,
    ) -> Game:
        """Return a new game after `moves`, which must be legal, with this game's result counted.

        The moves were set up, except for those of a `link`.
        """
        return Game(
            moves=moves,
            opponent=opponent,
            human=human,
            record=self.record_by_now,
            set_up=0 if link else len(moves),
            unfinished=self._to_go_back_to(),
            link=link,
            usual=self.usual if moves else None,
        )._with_reply(rng)

    def who_plays_next(self, moves: tuple[Square, ...]) -> tuple[Opponent, Mark]:
        """Return who plays next where nobody changes a setting: as now from `moves` set up."""
        return (None if moves else self.usual) or (self.opponent, self.human)

    def accept(
        self,
        moves: tuple[Square, ...],
        square: Square,
        rng: Random,
        *,
        was: Was | None = None,
        nine: int = 0,
    ) -> Game:
        """Return the game of a friend's `moves` and this `square`.

        Sent again before the next move, nothing changes. Raises as `replayed` does.
        """
        same = self.link == len(moves) and self.moves[: len(moves) + 1] == (*moves, square)
        if same and len(self.moves) <= len(moves) + 2:
            return self
        begun = self.start("perfect", replayed(moves).turn, rng, moves, len(moves))
        return replace(begun, was=was, nine=nine, usual=self.who_plays_next(())).play(square, rng)

    def _to_go_back_to(self) -> Game | None:
        if not self.has_moved:
            return self.unfinished
        return None if self.outcome else replace(self, hint="off", unfinished=None)

    def _with_reply(self, rng: Random) -> Game:
        if self.position.turn == self.human or self.outcome:
            return self
        return replace(self, moves=(*self.moves, self.player.pick(self.position, rng)))

    def undo(self) -> Game:
        """Return the game before the human's last move and the reply, else the `unfinished` game.

        Raises IllegalMoveError where there is neither.
        """
        if self.has_moved:
            now = self.record_by_now
            return replace(
                self,
                moves=self.moves[: self._own_moves[-1]],
                record=self.record._replace(held=now.held, beaten=now.beaten),
                hint="off",
                helped=self.helped or "back",
            )
        if not self.unfinished:
            raise IllegalMoveError("there is no move to take back")
        return replace(self.unfinished, record=self.record)

    def ask(self, step: HintStep) -> Game:
        """Return the game with a hint shown, or none."""
        return replace(self, hint=step, helped=self.helped or ("hint" if step != "off" else ""))

    @property
    def has_moved(self) -> bool:
        """Say whether the human has made a move."""
        return bool(self._own_moves)

    @property
    def is_beginning(self) -> bool:
        """Whether the human may still choose whom to play, and as what."""
        return not (self.has_moved or self.set_up or self.link)

    @cached_property
    def _own_moves(self) -> list[int]:
        """Return the numbers of the human's moves, from 0: even for X, odd for O."""
        begun = max(self.set_up, self.link)
        return [n for n in range(begun, len(self.moves)) if n % 2 == (self.human == O)]

    @property
    def last_reply(self) -> int | None:
        """Return the number of the opponent's last move, from 0; None before the first."""
        # The human has moved last only where that ended the game.
        last = len(self.moves) - (1 if self.position.turn == self.human else 2)
        return last if last >= self.set_up else None

    def has_just_played(self, position: Position, square: Square) -> bool:
        """Say whether the human's last move was `square`, made at `position`."""
        return any(
            (replayed(self.moves[:last]), self.moves[last]) == (position, square)
            for last in self._own_moves[-1:]
        )

    @property
    def at_stake(self) -> Square | None:
        """The square that a draw without help earns, or None if there is none."""
        if self.is_beginning or self.outcome or self.helped or not self.can_earn:
            return None
        return None if self.record.held >> self.moves[0] & 1 else self.moves[0]

    @property
    def square_held(self) -> int:
        """The bit of the square on which this game began, if a draw has earned it, or 0."""
        is_drawn = self.outcome is not None and not self.outcome.winner
        return 1 << self.moves[0] if is_drawn and self.can_earn and not self.helped else 0

    @cached_property
    def record_by_now(self) -> Record:
        """Return the record with the result of this game, once it is over.

        Derived from the board, a game counts once. Its last move taken back undoes all but a square
        held and Perfect beaten.
        """
        if not self.outcome:
            return self.record
        won = self.outcome.winner == self.human
        lost = self.outcome.winner == OTHER[self.human]
        before, is_perfect = self.record, self.player.is_perfect
        record = before._replace(
            held=before.held | self.square_held, beaten=before.beaten or (won and is_perfect)
        )
        if not self.counts:
            return record
        if is_perfect:
            return record._replace(losing=before.losing + 1 if lost else 0)
        return record._replace(won=before.won + won, lost=before.lost + lost)
