"""What games leave to those after: tallies, squares held, and whether Perfect was beaten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.players import PLAYERS, Opponent
from engine.position import Mark


class Tally(NamedTuple):
    """Count the finished games against one opponent, from the human's side.

    `running`: draws in a row up to now; below zero, losses in a row.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    running: int = 0

    def after(self, winner: Mark | None, human: Mark) -> Tally:
        """Return the tally with another game."""
        if not winner:
            return self._replace(drawn=self.drawn + 1, running=max(self.running, 0) + 1)
        if winner == human:
            return self._replace(won=self.won + 1, running=0)
        return self._replace(lost=self.lost + 1, running=min(self.running, 0) - 1)


@dataclass(frozen=True)
class Record:
    """Hold the tally against each opponent; the squares held against Perfect, as bits of
    `web/play/nine.py`; and whether the human has `beaten` Perfect from a board that was placed.
    """

    tallies: Mapping[Opponent, Tally] = field(
        default_factory=lambda: dict.fromkeys(PLAYERS, Tally())
    )
    held: int = 0
    beaten: bool = False

    def __hash__(self) -> int:
        """Return a number for look-ups, another for most records."""
        return hash(tuple(map(self.tallies.get, PLAYERS)))

    def tallied(self, opponent: Opponent, tally: Tally) -> Record:
        """Return the record with another tally against an opponent."""
        return replace(self, tallies={**self.tallies, opponent: tally})
