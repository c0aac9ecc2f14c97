"""The record of earlier games."""

from __future__ import annotations

from typing import NamedTuple

from web.play.opponents import OpponentName


class Tally(NamedTuple):
    """The games won and lost by the human against an opponent that is not perfect."""

    opponent_name: OpponentName
    wins: int = 0
    losses: int = 0


class Record(NamedTuple):
    """The results of earlier games."""

    tallies: tuple[Tally, ...] = ()  # at most one for each opponent, in the order first played
    losing_streak: int = 0  # against Perfect, up to the last game
    earned_bits: int = 0  # the squares earned, one bit each: see squares.py

    def tally(self, opponent_name: OpponentName) -> Tally:
        """Return the games won and lost against an opponent."""
        matching = (tally for tally in self.tallies if tally.opponent_name == opponent_name)
        return next(matching, Tally(opponent_name))

    def with_result(self, opponent_name: OpponentName, is_win: bool, is_loss: bool) -> Record:
        """Return the record with a win or loss added against an opponent that is not perfect."""
        if not (is_win or is_loss):
            return self
        before = self.tally(opponent_name)
        after = Tally(opponent_name, before.wins + is_win, before.losses + is_loss)
        if before in self.tallies:
            tallies = tuple(after if tally == before else tally for tally in self.tallies)
        else:
            tallies = (*self.tallies, after)
        return self._replace(tallies=tallies)
