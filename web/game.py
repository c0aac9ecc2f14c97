"""One game between a person and the computer, and its way to text and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from engine.players import PLAYERS, Difficulty
from engine.position import IllegalMoveError, Mark, O, Position, Square, X, digits

WRITTEN = re.compile(
    r"(random|perfect) (X|O) (shown|hidden) ((?:(?:0|[1-9][0-9]*) ){6})([0-9]) ([0-8]{0,9})"
)


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
        played = replace(self, moves=(*self.moves, square))
        return played._answered(self.position.play(square), rng)

    def start(
        self, difficulty: Difficulty, human: Mark, rng: Random, moves: tuple[Square, ...] = ()
    ) -> Game:
        """Return a new game with these settings, this one's result now among the earlier ones.

        It begins after `moves`, which must be legal.
        """
        game = Game(moves, difficulty, human, self.tallies, self.show_results, len(moves))
        return game._answered(game.position, rng)

    def _answered(self, position: Position, rng: Random) -> Game:
        """Return the game with the computer's reply to `position`, where it stands, if due."""
        if position.turn == self.human or position.outcome():
            return self
        return replace(self, moves=(*self.moves, PLAYERS[self.difficulty](position, rng)))

    def undo(self) -> Game:
        """Return the game before the human's last move and the reply to it.

        Raises IllegalMoveError where the human has not moved yet.
        """
        if not self.can_undo:
            raise IllegalMoveError("there is no move to take back")
        return replace(self, moves=self.moves[: self._own_moves[-1]])

    @property
    def can_undo(self) -> bool:
        """Say whether the human has made a move."""
        return bool(self._own_moves)

    @property
    def _own_moves(self) -> list[int]:
        """Return which of the moves the human made, counted from 0."""
        return [n for n in range(self.given, len(self.moves)) if n % 2 == (self.human == O)]

    @property
    def moves_to_last_reply(self) -> tuple[Square, ...]:
        """Return the moves up to the computer's last, it included; none if it has not moved."""
        by_computer = len(self.moves) % 2 == (self.human == O)
        return self.moves if by_computer else self.moves[:-1]

    def has_answered(self, position: Position, square: Square) -> bool:
        """Say whether the human's last move was `square`, made at `position`."""
        if not self.can_undo:
            return False
        last = self._own_moves[-1]
        return (Position.after(self.moves[:last]), self.moves[last]) == (position, square)

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

    @cached_property
    def text(self) -> str:
        """Write the game as a short line that `parse` reads."""
        counts = " ".join(str(count) for name in PLAYERS for count in self.earlier[name])
        moves = "".join(map(str, self.moves))
        shown = "shown" if self.show_results else "hidden"
        return f"{self.difficulty} {self.human} {shown} {counts} {self.given} {moves}"

    @classmethod
    def parse(cls, text: str) -> Game:
        """Read what `text` holds: opponent, mark, results, six counts, moves given, moves.

        Raises ValueError, with the reason, for anything that no legal game could have written.
        """
        found = WRITTEN.fullmatch(text)
        if not found:
            raise ValueError("this is not a game")
        difficulty, human, shown, counts, given, moves = found.groups()
        won, drawn, lost, *against_perfect = map(int, counts.split())
        game = cls(
            digits(moves),
            "random" if difficulty == "random" else "perfect",
            X if human == X else O,
            {"random": Tally(won, drawn, lost), "perfect": Tally(*against_perfect)},
            shown == "shown",
            int(given),
        )
        if game.given > len(moves):
            raise ValueError("more moves were given than there are")
        if game.position.turn != game.human and not game.position.outcome():
            raise ValueError("the computer has not answered")
        return game
