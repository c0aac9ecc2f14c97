"""How many boards each kind of search enters: counted by the searches themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine.position import Position
from engine.symmetry import canonical
from teach.searches import Algorithm, Order, Recorder, Scoring, search


@cache
def count(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> int:
    """Count the nodes a search enters from any position, by the same functions without a record.

    Minimax enters every node, whatever the values and the order: the count of `plain`.
    """
    if algorithm == "minimax":
        return plain(position)
    recorder = Recorder()
    search(position, algorithm, scoring, order, recorder)
    return recorder.nodes


@cache
def plain(position: Position) -> int:
    """Count every way to play on from `position`, and `position`: the nodes of plain minimax."""
    # Mirror images have trees of the same size: 765 additions instead of 549,946 calls.
    return 1 + sum(plain(canonical(child)) for child in position.children().values())


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
        plain=plain(position),
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
