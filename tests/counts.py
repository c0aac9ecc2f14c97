"""How many boards each kind of search enters: counted by the searches themselves.

The lesson and the judge say such numbers, and no page counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from engine.position import Position, X
from engine.symmetry import canonical
from teach.counts import minimax_node_count
from teach.searches import Algorithm, Recorder, search
from teach.trees import Order, Scoring, value


@cache
def count(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> int:
    """Count the nodes a search enters from any position, by the same functions without a record."""
    recorder = Recorder()
    search(Unwatched(position, 0, scoring, order), algorithm, recorder)
    return recorder.nodes


class Unwatched(NamedTuple):
    """Hold a node of a tree too large to keep, `distance` turns below the root."""

    position: Position
    distance: int
    scoring: Scoring
    order: Order

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome() is not None

    @property
    def is_max(self) -> bool:
        """Whether MAX is to move."""
        return self.position.turn == X

    @property
    def value(self) -> int:
        """The value for MAX."""
        return value(self.position, self.distance, self.scoring)

    def children(self) -> Iterator[Unwatched]:
        """Yield the nodes below, in the order they are searched."""
        _, distance, scoring, order = self
        for position in ordered(self.position, scoring, order):
            yield Unwatched(position, distance + 1, scoring, order)


@cache  # many ways lead to the same position: costs in 95 ms, not 120
def ordered(position: Position, scoring: Scoring, order: Order) -> tuple[Position, ...]:
    """Return the positions after the legal moves in the order of a search; none once over."""
    children = tuple(position.children().values())
    if order == "squares":
        return children
    worth = {child: value(child, 1, scoring) for child in children}
    high_first = (position.turn == X) == (order == "best")
    return tuple(sorted(children, key=worth.__getitem__, reverse=high_first))


class Cost(NamedTuple):
    """Count the nodes that each kind of search enters, the root included."""

    plain: int
    alpha_beta: int
    best_first: int
    memoised: int
    symmetric: int


@cache
def cost(position: Position, scoring: Scoring) -> Cost:
    """Return what each kind of search costs. The memos go without alpha-beta."""
    return Cost(
        plain=minimax_node_count(position),
        alpha_beta=count(position, "alpha-beta", scoring, "squares"),
        best_first=count(position, "alpha-beta", scoring, "best"),
        memoised=different(position),
        symmetric=different(position, canonical),
    )


def different(position: Position, same: Callable[[Position], Position] = lambda at: at) -> int:
    """Count the different positions from `position` on, each of which a memo searches once.

    `same` returns one position for all that the memo counts as one.
    """
    count, level = 0, {same(position)}
    while level:
        count += len(level)
        level = {same(child) for parent in level for child in parent.children().values()}
    return count
