"""One game between a person and an opponent, and the tallies of the games before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Literal, NamedTuple

from engine.players import PLAYERS, Opponent
from engine.position import IllegalMoveError, Mark, O, Outcome, Position, Square, X
from web.play.nine import BITS, NINE

# A hint for the move to come: none, the one danger or chance, or every result.
HintStep = Literal["off", "danger", "results"]


class Tally(NamedTuple):
    """Count the finished games against one opponent, from the human's side.

    `running`: draws in a row up to now; below zero, losses in a row.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    running: int = 0


@lru_cache(maxsize=1024)  # a click makes six games of the same moves, or nearly
def replayed(moves: tuple[Square, ...]) -> Position:
    """Return the position after `moves`. Raises IllegalMoveError where one breaks the rules."""
    return Position().after(moves)


@dataclass(frozen=True)
class Game:
    """Hold moves, settings and the tallies of earlier games; immutable.

    It is the human's turn unless the game is over: `play` and `start` let the opponent reply. The
    first `set_up` moves were placed, not played: a practice game, which counts in no tally.
    `beaten` says whether the human has won a practice game against Perfect before. A hint or a move
    taken back has `helped`. `held` are squares held against Perfect in earlier games, as bits of
    `web/play/nine.py`. `unfinished` is the game left for this one, to which `undo` leads back. A
    challenge chose opponent and mark: the next new game has the `usual` ones again.
    """

    moves: tuple[Square, ...] = ()
    opponent: Opponent = "perfect"
    human: Mark = X
    earlier: Mapping[Opponent, Tally] = field(
        default_factory=lambda: dict.fromkeys(PLAYERS, Tally())
    )
    voice: bool = True
    hint: HintStep = "off"
    set_up: int = 0
    helped: bool = False
    held: int = 0
    beaten: bool = False
    unfinished: Game | None = None
    usual: tuple[Opponent, Mark] | None = None

    def __hash__(self) -> int:
        """Return a number for look-ups, another for most games that differ by tallies alone."""
        tallies = tuple(map(self.earlier.get, PLAYERS))
        return hash((self.moves, self.opponent, self.human, self.hint, self.set_up, tallies))

    @property
    def counts(self) -> bool:
        """Say whether the result is tallied: not where moves were placed."""
        return not self.set_up

    @cached_property
    def position(self) -> Position:
        """Replay the moves. Raises IllegalMoveError where a move breaks the rules."""
        return replayed(self.moves)

    @cached_property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        return self.position.outcome()

    def play(self, square: Square, rng: Random) -> Game:
        """Return the game after the human marks `square` and the opponent has replied.

        Raises IllegalMoveError where the rules forbid the move.
        """
        return replace(self, moves=(*self.moves, square), hint="off")._with_reply(rng)

    def start(
        self, opponent: Opponent, human: Mark, rng: Random, moves: tuple[Square, ...] = ()
    ) -> Game:
        """Return a new game after `moves`, which must be legal, with this game's result tallied."""
        return Game(
            moves=moves,
            opponent=opponent,
            human=human,
            earlier=self.tallies,
            voice=self.voice,
            set_up=len(moves),
            held=self.held_by_now,
            beaten=self.has_beaten_perfect,
            unfinished=self._to_go_back_to(),
            usual=self.usual if moves else None,
        )._with_reply(rng)

    def who_plays_next(self, moves: tuple[Square, ...]) -> tuple[Opponent, Mark]:
        """Return who plays next where nobody changes a setting: as now from `moves` placed."""
        return (None if moves else self.usual) or (self.opponent, self.human)

    def accept(self, moves: tuple[Square, ...], square: Square, rng: Random) -> Game:
        """Return a game against Perfect after `moves`, in which whoever is to move plays `square`.

        Where this is the game already, it stays. Raises IllegalMoveError for a move out of rule.
        """
        mark = Position().after(moves).turn
        begun = (self.opponent, self.human, self.set_up, self.moves[: len(moves) + 1])
        # Up to the first reply the same press, sent again, changes nothing.
        same = begun == ("perfect", mark, len(moves), (*moves, square))
        if same and len(self.moves) <= len(moves) + 2:
            return self
        started = self.start("perfect", mark, rng, moves)
        return replace(started, usual=self.who_plays_next(()) if moves else None).play(square, rng)

    def _to_go_back_to(self) -> Game | None:
        if not self.has_moved:
            return self.unfinished
        return None if self.outcome else replace(self, hint="off", unfinished=None)

    def _with_reply(self, rng: Random) -> Game:
        if self.position.turn == self.human or self.outcome:
            return self
        reply = PLAYERS[self.opponent](self.position, rng)
        return replace(self, moves=(*self.moves, reply))

    def undo(self) -> Game:
        """Return the game before the human's last move and the reply to that move.

        Before the human's first move this is the `unfinished` game; raises IllegalMoveError where
        there is none.
        """
        if self.has_moved:
            moves = self.moves[: self._own_moves[-1]]
            held, beaten = self.held_by_now, self.has_beaten_perfect
            return replace(self, moves=moves, hint="off", helped=True, held=held, beaten=beaten)
        if not self.unfinished:
            raise IllegalMoveError("there is no move to take back")
        left = self.unfinished
        return replace(
            left, earlier=self.earlier, voice=self.voice, held=self.held, beaten=self.beaten
        )

    def ask(self, step: HintStep) -> Game:
        """Return the game with a hint shown, or none."""
        return replace(self, hint=step, helped=self.helped or step != "off")

    @property
    def has_moved(self) -> bool:
        """Say whether the human has made a move."""
        return bool(self._own_moves)

    @cached_property
    def _own_moves(self) -> list[int]:
        """Return the numbers of the human's moves, counted from 0: even for X, odd for O."""
        return [n for n in range(self.set_up, len(self.moves)) if n % 2 == (self.human == O)]

    @property
    def last_reply(self) -> int | None:
        """Return the number of the opponent's last move, counted from 0; None before the first."""
        # The human has moved last only where that move ended the game.
        last = len(self.moves) - (1 if self.position.turn == self.human else 2)
        return last if last >= self.set_up else None

    def has_just_played(self, position: Position, square: Square) -> bool:
        """Say whether the human's last move was `square`, made at `position`."""
        if not self.has_moved:
            return False
        last = self._own_moves[-1]
        return (replayed(self.moves[:last]), self.moves[last]) == (position, square)

    def clear_tally(self, rng: Random) -> Game:
        """Return the game with no tally against its opponent, begun anew if it has counted."""
        earlier = {**self.earlier, self.opponent: Tally()}
        cleared = replace(self, earlier=earlier, held=self.held_by_now)
        if not (self.outcome and self.counts):
            return cleared
        # Without its moves the game has no result to tally again.
        return replace(cleared, moves=()).start(self.opponent, self.human, rng)

    @property
    def has_beaten_perfect(self) -> bool:
        """Say whether the human has ever won against Perfect, from a board that was placed."""
        won = self.outcome is not None and self.outcome.winner == self.human
        return self.beaten or (won and self.opponent == "perfect")

    @property
    def square_held(self) -> int:
        """Return the bit of the square on which this game began, once held against Perfect.

        0 while it goes on, after a hint or a move taken back, and where moves were placed.
        """
        is_drawn = self.outcome is not None and not self.outcome.winner
        is_own = self.opponent == "perfect" and self.counts and not self.helped
        return BITS.get((self.human, self.moves[0]), 0) if is_drawn and is_own else 0

    @property
    def held_by_now(self) -> int:
        """Return the squares held, with the one of this game. What was held once stays."""
        return self.held | self.square_held

    @property
    def holds_the_last(self) -> bool:
        """Say whether this game holds the last of the nine squares."""
        return self.held_by_now & NINE == NINE != self.held & NINE

    @property
    def tallies(self) -> Mapping[Opponent, Tally]:
        """Return the results against each opponent, this game's own once it is over.

        Derived from the board, a game counts once, and not while its last move is taken back.
        """
        if not (self.outcome and self.counts):
            return self.earlier
        won, drawn, lost, running = self.earlier[self.opponent]
        match self.outcome.winner:
            case None:
                tally = Tally(won, drawn + 1, lost, max(running, 0) + 1)
            case self.human:
                tally = Tally(won + 1, drawn, lost)
            case _:
                tally = Tally(won, drawn, lost + 1, min(running, 0) - 1)
        return {**self.earlier, self.opponent: tally}
