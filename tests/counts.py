"""How many nodes each kind of search visits, counted by running the searches.

The lesson and the judge's manual quote these numbers; no page counts them.
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
def count_nodes(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> int:
    """Return how many nodes a search visits, by the functions that also record searches."""
    recorder = Recorder()
    search(UnrecordedNode(position, 0, scoring, order), algorithm, recorder)
    return recorder.node_count


class UnrecordedNode(NamedTuple):
    """A node of a tree that is too large to keep, `distance` plies below the root."""

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

    def children(self) -> Iterator[UnrecordedNode]:
        """Yield the nodes below, in the order they are searched."""
        _, distance, scoring, order = self
        for position in ordered_children(self.position, scoring, order):
            yield UnrecordedNode(position, distance + 1, scoring, order)


@cache  # many paths reach the same position: 95 ms instead of 120
def ordered_children(position: Position, scoring: Scoring, order: Order) -> tuple[Position, ...]:
    """Return the child positions in the order of a search; empty once the game is over."""
    children = tuple(position.children().values())
    if order == "squares":
        return children
    worth = {child: value(child, 1, scoring) for child in children}
    high_first = (position.turn == X) == (order == "best")
    return tuple(sorted(children, key=worth.__getitem__, reverse=high_first))


class SearchCosts(NamedTuple):
    """The number of nodes that each kind of search visits, including the root."""

    plain: int
    alpha_beta: int
    best_first: int
    memoized: int
    symmetric: int


@cache
def search_costs(position: Position, scoring: Scoring) -> SearchCosts:
    """Return the cost of each kind of search. Those with a memo use no alpha-beta."""
    return SearchCosts(
        plain=minimax_node_count(position),
        alpha_beta=count_nodes(position, "alpha-beta", scoring, "squares"),
        best_first=count_nodes(position, "alpha-beta", scoring, "best"),
        memoized=count_distinct(position),
        symmetric=count_distinct(position, canonical),
    )


def count_distinct(position: Position, same: Callable[[Position], Position] = lambda at: at) -> int:
    """Return how many different positions follow from `position`, itself included.

    A memo searches each of them once. `same` maps positions that count as one to one position.
    """
    count, level = 0, {same(position)}
    while level:
        count += len(level)
        level = {same(child) for parent in level for child in parent.children().values()}
    return count
