"""How many boards each kind of search enters: counted by the searches themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine.position import Position
from engine.symmetry import canonical
from teach.searches import (
    Algorithm,
    Count,
    Counts,
    Order,
    Scoring,
    search,
)


@cache
def counts(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Counts:
    """Count what a search does, from any position, by the same functions without a record.

    Plain minimax searches everything, whatever the values and the order: that is `plain`.
    """
    if algorithm == "minimax":
        return plain(position)
    count = Count()
    search(position, algorithm, scoring, order, count)
    return Counts(count.nodes, count.leaves, count.cuts)


@cache
def plain(position: Position) -> Counts:
    """Count what plain minimax enters: every way to play on from `position`, and itself."""
    # Mirror images have trees of the same size: 765 additions instead of 549,946 calls.
    below = [plain(canonical(child)) for child in position.children().values()]
    if not below:
        return Counts(1, 1, 0)
    return Counts(1 + sum(c.nodes for c in below), sum(c.leaves for c in below), 0)


class Cost(NamedTuple):
    """Count the nodes that each kind of search visits, the position it starts from included."""

    plain: int
    alpha_beta: int
    best_first: int
    memoised: int
    symmetric: int


@cache
def cost(position: Position, scoring: Scoring) -> Cost:
    """Return what it costs to solve `position`. The memos go without alpha-beta."""
    return Cost(
        plain=plain(position).nodes,
        alpha_beta=counts(position, "alpha-beta", scoring, "squares").nodes,
        best_first=counts(position, "alpha-beta", scoring, "best").nodes,
        memoised=different(position),
        symmetric=different(position, canonical),
    )


def different(position: Position, same: Callable[[Position], Position] = lambda at: at) -> int:
    """Count the different positions from `position` on: minimax with a memo searches each once.

    `same` returns what stands for all positions that the memo takes for one.
    """
    count, level = 0, {same(position)}
    while level:
        count += len(level)
        level = {same(child) for at in level for child in at.children().values()}
    return count
