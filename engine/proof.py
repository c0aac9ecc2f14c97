"""A proof that each side can hold the draw: one answer to whatever the opponent plays."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.position import Mark, Outcome, Position, Square, X
from engine.search import best_moves
from engine.symmetry import Symmetry, branches, canonical, relation


class Reply(NamedTuple):
    """Hold one move of the opponent, with the `mirrors` that come to the same.

    `decision` is the number of the decision that answers it, whose position `symmetry` takes to
    this one: the answer goes the same way. Both are None where the game is over.
    """

    square: Square
    mirrors: tuple[Square, ...]
    position: Position
    decision: int | None
    symmetry: Symmetry | None


class Decision(NamedTuple):
    """Hold a position, the one answer to it, and all that the opponent can do then.

    Where the answer ends the game there are no replies; `after.outcome()` says how it ended.
    """

    number: int
    position: Position
    answer: Square
    after: Position
    replies: tuple[Reply, ...]


class Proof(NamedTuple):
    """Hold a complete strategy for `mark`, up to symmetry: each decision once, fewest marks first.

    `openings` are the opponent's first moves, none if `mark` begins: then decision 1 is the
    empty board. `endings` are the different boards on which the games end.
    """

    mark: Mark
    openings: tuple[Reply, ...]
    decisions: tuple[Decision, ...]
    endings: tuple[Position, ...]

    @property
    def won(self) -> int:
        """Count the endings that `mark` wins."""
        return sum(end.winner == self.mark for end in self._outcomes)

    @property
    def drawn(self) -> int:
        """Count the endings that nobody wins."""
        return sum(end.winner is None for end in self._outcomes)

    @property
    def _outcomes(self) -> list[Outcome]:
        return [outcome for ending in self.endings if (outcome := ending.outcome())]


@cache
def proof(mark: Mark) -> Proof:
    """Return the strategy of `mark`: the first of the best moves, against every reply."""
    queue: list[Position] = []
    numbers: dict[Position, int] = {}

    def decision(position: Position) -> int:
        same = canonical(position)
        if same not in numbers:
            queue.append(position)
            numbers[same] = len(queue)
        return numbers[same]

    def replies(position: Position) -> tuple[Reply, ...]:
        found = []
        for square, mirrors, child in branches(position):
            number = None if child.outcome() else decision(child)
            symmetry = relation(queue[number - 1], child) if number else None
            found.append(Reply(square, mirrors, child, number, symmetry))
        return tuple(found)

    openings: tuple[Reply, ...] = ()
    if mark == X:
        decision(Position())
    else:
        openings = replies(Position())
    decisions = []
    for number, position in enumerate(queue, 1):  # it grows as replies are met
        answer = best_moves(position)[0]
        after = position.play(answer)
        decisions.append(Decision(number, position, answer, after, replies(after)))
    return Proof(mark, openings, tuple(decisions), _endings(decisions))


def _endings(decisions: list[Decision]) -> tuple[Position, ...]:
    boards = (
        board
        for decision in decisions
        for board in (decision.after, *(reply.position for reply in decision.replies))
        if board.outcome()
    )
    different: dict[Position, Position] = {}
    for board in boards:
        different.setdefault(canonical(board), board)
    return tuple(different.values())
