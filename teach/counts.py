"""How many boards each kind of search enters: counted by the searches themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine.position import Position
from engine.symmetry import canonical
from teach.searches import Algorithm, Counts, Order, Recorder, Scoring, search


@cache
def counts(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Counts:
    """Count what a search does from any position, by the same functions and without a record.

    Minimax enters every node, whatever the values and the order: the counts of `plain`.
    """
    if algorithm == "minimax":
        return plain(position)
    recorder = Recorder()
    search(position, algorithm, scoring, order, recorder)
    return recorder.counts


@cache
def plain(position: Position) -> Counts:
    """Count every way to play on from `position`, and `position`: the nodes of plain minimax."""
    # Mirror images have trees of the same size: 765 additions instead of 549,946 calls.
    below = [plain(canonical(child)) for child in position.children().values()]
    if not below:
        return Counts(1, 1)
    return Counts(1 + sum(c.nodes for c in below), sum(c.leaves for c in below))


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
        plain=plain(position).nodes,
        alpha_beta=counts(position, "alpha-beta", scoring, "squares").nodes,
        best_first=counts(position, "alpha-beta", scoring, "best").nodes,
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
