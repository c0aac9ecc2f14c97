from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Iterator, Optional


class Mark(Enum):
    CROSS = "x"
    NOUGHT = "o"

    @property
    def other(self) -> Mark:
        return Mark.NOUGHT if self is Mark.CROSS else Mark.CROSS


Cells = tuple[Optional[Mark], ...]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class State:
    cells: Cells
    to_move: Mark

    def moves(self) -> Iterator[int]:
        return (i for i, cell in enumerate(self.cells) if cell is None)

    def after(self, i: int) -> State:
        return State(self.cells[:i] + (self.to_move,) + self.cells[i + 1:], self.to_move.other)

    def lost(self) -> bool:
        return any(all(self.cells[i] is self.to_move.other for i in line) for line in LINES)


def negamax(state: State) -> int:
    if state.lost():
        return -1
    values = [-negamax(state.after(i)) for i in state.moves()]
    return max(values, default=0)


def pick_move(cells: list[Optional[Mark]], to_move: Mark) -> int:
    state = State(tuple(cells), to_move)
    return max(state.moves(), key=lambda i: -negamax(state.after(i)))
