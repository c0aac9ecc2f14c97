"""One game between a person and the computer, and its way to plain data and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from engine.players import PLAYERS, Difficulty
from engine.position import IllegalMoveError, Mark, O, Position, Square, X, replay


class Tally(NamedTuple):
    """Count the finished games against one opponent, as the human sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True)
class Game:
    """Hold the moves played, the settings and the results of earlier games; immutable.

    It is always the human's turn unless the game is over: `play` and `start` let the computer
    answer. The first `given` of the moves were set up, not played. The result of this game is not
    in `earlier`; `tallies` adds it once it is there.
    """

    moves: tuple[Square, ...] = ()
    difficulty: Difficulty = "perfect"
    human: Mark = X
    earlier: Mapping[Difficulty, Tally] = field(
        default_factory=lambda: dict.fromkeys(PLAYERS, Tally())
    )
    show_results: bool = False
    given: int = 0

    @cached_property
    def position(self) -> Position:
        """Replay the moves. Raises IllegalMoveError where one of them breaks the rules."""
        return Position.after(self.moves)

    def play(self, square: Square, rng: Random) -> Game:
        """Return the game after the human marks `square` and the computer has answered.

        Raises IllegalMoveError where the rules forbid it.
        """
        self.position.play(square)
        return replace(self, moves=(*self.moves, square))._answered(rng)

    def start(
        self, difficulty: Difficulty, human: Mark, rng: Random, moves: tuple[Square, ...] = ()
    ) -> Game:
        """Return a new game with these settings, this one's result now among the earlier ones.

        It begins after `moves`, which must be legal.
        """
        game = Game(moves, difficulty, human, self.tallies, self.show_results, len(moves))
        return game._answered(rng)

    def _answered(self, rng: Random) -> Game:
        if self.position.turn == self.human or self.position.outcome():
            return self
        reply = PLAYERS[self.difficulty](self.position, rng)
        return replace(self, moves=(*self.moves, reply))

    def undo(self) -> Game:
        """Return the game before the human's last move and the reply to it.

        Raises IllegalMoveError where the human has not moved yet.
        """
        if not self.can_undo:
            raise IllegalMoveError("there is no move to take back")
        return replace(self, moves=self.moves[: self._last_move_of_the_human])

    @property
    def last_reply(self) -> tuple[Square, ...]:
        """Return the moves up to the computer's last; none where it has not moved."""
        by_computer = len(self.moves) % 2 == (self.human == O)
        return self.moves if by_computer else self.moves[:-1]

    @property
    def can_undo(self) -> bool:
        """Say whether the human has made a move."""
        return self._last_move_of_the_human >= self.given

    @property
    def _last_move_of_the_human(self) -> int:
        """Return its index among the moves, -2 or -1 where there is none."""
        last = len(self.moves) - 1
        return last if last % 2 == (self.human == O) else last - 1

    def follows(self, position: Position) -> bool:
        """Say whether the game stands at `position` or one move after it."""
        return position in (self.position, Position.after(self.moves[:-1]))

    @property
    def tallies(self) -> Mapping[Difficulty, Tally]:
        """Return the results against each opponent, this game's own included once it is over.

        They are derived from the board, so a game counts once however often it is shown, and
        not at all while its end is taken back. One set up from a position is practice.
        """
        outcome = self.position.outcome()
        if outcome is None or self.given:
            return self.earlier
        won, drawn, lost = self.earlier[self.difficulty]
        tally = Tally(
            won + (outcome.winner == self.human),
            drawn + (outcome.winner is None),
            lost + (outcome.winner not in (self.human, None)),
        )
        return {**self.earlier, self.difficulty: tally}

    def to_data(self) -> dict[str, object]:
        """Return the game as strings, lists and numbers, fit for JSON."""
        return {
            "moves": "".join(map(str, self.moves)),
            "difficulty": self.difficulty,
            "human": self.human,
            "earlier": {difficulty: list(tally) for difficulty, tally in self.earlier.items()},
            "show_results": self.show_results,
            "given": self.given,
        }

    @classmethod
    def from_data(cls, data: object) -> Game:
        """Read what `to_data` wrote, as it comes back from JSON.

        Raises ValueError for anything that no legal game could have written.
        """
        match data:
            case {
                "moves": str(moves),
                "difficulty": "random" | "perfect" as difficulty,
                "human": "X" | "O" as human,
                "earlier": {"random": [*against_random], "perfect": [*against_perfect]},
                "show_results": bool(show_results),
                "given": int(given),
            }:
                pass
            case _:
                raise ValueError("this is not a game")
        game = cls(
            replay(moves),
            difficulty,
            human,
            {"random": _tally(against_random), "perfect": _tally(against_perfect)},
            show_results,
            given,
        )
        if not 0 <= given <= len(moves):
            raise ValueError("more moves were given than there are")
        if game.position.turn != game.human and not game.position.outcome():
            raise ValueError("the computer has not answered")
        return game


def _tally(counts: list[object]) -> Tally:
    match counts:
        case [int(won), int(drawn), int(lost)] if min(won, drawn, lost) >= 0:
            return Tally(won, drawn, lost)
    raise ValueError("a tally is three counts: won, drawn, lost")
