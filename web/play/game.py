"""One game between a person and the computer, and its way to text and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from engine.notation import digits, to_digits
from engine.players import PLAYERS, Difficulty
from engine.position import IllegalMoveError, Mark, O, Outcome, Position, Square, X

# The text of a game, which the session keeps in a signed cookie: hints hidden or shown; reasons
# told or not; games won, drawn and lost against random, and against perfect; opponent, the human's
# mark, how many of the moves were set up, the moves; after a slash, if there is one, those four of
# the game before. Such as "hidden told 0 1 0 0 2 7 perfect X 0 04/random O 0 420".
A_GAME = "(random|perfect) (X|O) ([0-9]) ([0-8]{0,9})"
WRITTEN = re.compile(
    f"(shown|hidden) (told|untold) ((?:(?:0|[1-9][0-9]*) ){{6}}){A_GAME}(?:/{A_GAME})?"
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
    in `earlier`; `tallies` adds it once it is there. `before` is the game that was left unfinished
    for this one, and can be taken back; of it only moves, opponent, mark and `given` matter.
    """

    moves: tuple[Square, ...] = ()
    difficulty: Difficulty = "perfect"
    human: Mark = X
    earlier: Mapping[Difficulty, Tally] = field(
        default_factory=lambda: dict.fromkeys(PLAYERS, Tally())
    )
    show_results: bool = False
    show_reasons: bool = True
    given: int = 0
    before: Game | None = None

    @cached_property
    def position(self) -> Position:
        """Replay the moves. Raises IllegalMoveError where one of them breaks the rules."""
        return Position().after(self.moves)

    @cached_property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        return self.position.outcome()

    def play(self, square: Square, rng: Random) -> Game:
        """Return the game after the human marks `square` and the computer has answered.

        Raises IllegalMoveError where the rules forbid it.
        """
        return replace(self, moves=(*self.moves, square))._answered(rng)

    def start(
        self, difficulty: Difficulty, human: Mark, rng: Random, moves: tuple[Square, ...] = ()
    ) -> Game:
        """Return a new game with these settings, this one's result now among the earlier ones.

        It begins after `moves`, which must be legal.
        """
        return replace(
            self,
            moves=moves,
            difficulty=difficulty,
            human=human,
            earlier=self.tallies,
            given=len(moves),
            before=self._left(),
        )._answered(rng)

    def _left(self) -> Game | None:
        """Return what a new game can go back to.

        That is this game, but None once it is over; before the human's first move, what this game
        itself can go back to.
        """
        if not self.has_moved:
            return self.before
        if self.outcome:
            return None
        return Game(self.moves, self.difficulty, self.human, given=self.given)

    def _answered(self, rng: Random) -> Game:
        """Return the game with the computer's reply, if it is its turn."""
        if self.position.turn == self.human or self.outcome:
            return self
        reply = PLAYERS[self.difficulty](self.position, rng)
        return replace(self, moves=(*self.moves, reply))

    def undo(self) -> Game:
        """Return the game before the human's last move and the reply to it.

        Where the human has not moved yet, that is the game `before`. Raises IllegalMoveError
        where there is none.
        """
        if self.has_moved:
            return replace(self, moves=self.moves[: self._own_moves[-1]])
        if not self.before:
            raise IllegalMoveError("there is no move to take back")
        return replace(
            self.before,
            earlier=self.earlier,
            show_results=self.show_results,
            show_reasons=self.show_reasons,
        )

    @property
    def you(self) -> Mark | None:
        """Return whose game it is to the pages about it: nobody's where moves were set up."""
        return None if self.given else self.human

    @property
    def has_moved(self) -> bool:
        """Say whether the human has made a move."""
        return bool(self._own_moves)

    @cached_property
    def _own_moves(self) -> list[int]:
        """Return which moves the human made, counted from 0: X the even ones, O the odd."""
        return [n for n in range(self.given, len(self.moves)) if n % 2 == (self.human == O)]

    @property
    def moves_to_last_reply(self) -> tuple[Square, ...]:
        """Return the moves up to the computer's last, it included; none if it has not moved."""
        by_computer = self.position.turn == self.human
        moves = self.moves if by_computer else self.moves[:-1]
        return moves if len(moves) > self.given else ()

    def has_played(self, position: Position, square: Square) -> bool:
        """Say whether the human's last move was `square`, made at `position`."""
        if not self.has_moved:
            return False
        last = self._own_moves[-1]
        return (Position().after(self.moves[:last]), self.moves[last]) == (position, square)

    @property
    def tallies(self) -> Mapping[Difficulty, Tally]:
        """Return the results against each opponent, this game's own included once it is over.

        They are derived from the board, so a game counts once however often it is shown, and
        not at all while its end is taken back. One set up from a position is practice.
        """
        if self.outcome is None or self.given:
            return self.earlier
        winner = self.outcome.winner
        won, drawn, lost = self.earlier[self.difficulty]
        tally = Tally(
            won + (winner == self.human),
            drawn + (winner is None),
            lost + (winner not in (self.human, None)),
        )
        return {**self.earlier, self.difficulty: tally}

    @cached_property
    def text(self) -> str:
        """Write the game as a short line that `parse` reads."""
        results = "shown" if self.show_results else "hidden"
        reasons = "told" if self.show_reasons else "untold"
        counts = " ".join(str(count) for name in PLAYERS for count in self.earlier[name])
        before = f"/{self.before._played}" if self.before else ""
        return f"{results} {reasons} {counts} {self._played}{before}"

    @property
    def _played(self) -> str:
        return f"{self.difficulty} {self.human} {self.given} {to_digits(self.moves)}"

    @classmethod
    def parse(cls, text: str) -> Game:
        """Read what `text` holds: results, reasons, six counts, this game, the one before.

        Raises ValueError, with the reason, for anything that no legal game could have written.
        """
        found = WRITTEN.fullmatch(text)
        if not found:
            raise ValueError("this is not a game")
        results, reasons, counts, *games = found.groups()
        won, drawn, lost, *against_perfect = map(int, counts.split())
        before = cls._read(*games[4:]) if games[4] else None
        if before and (before.outcome or not before.has_moved):
            raise ValueError("the game before was not left unfinished")
        return replace(
            cls._read(*games[:4]),
            earlier={"random": Tally(won, drawn, lost), "perfect": Tally(*against_perfect)},
            show_results=results == "shown",
            show_reasons=reasons == "told",
            before=before,
        )

    @classmethod
    def _read(cls, difficulty: str, human: str, given: str, moves: str) -> Game:
        game = cls(
            moves=digits(moves),
            difficulty="random" if difficulty == "random" else "perfect",
            human=X if human == X else O,
            given=int(given),
        )
        if game.given > len(moves):
            raise ValueError("more moves were given than there are")
        # To ask for outcome or position is to replay the moves, which refuses illegal ones.
        if game.given == len(moves) and game.outcome:
            raise ValueError("what was set up was over")
        if game.position.turn != game.human and not game.outcome:
            raise ValueError("the computer has not answered")
        return game
