"""Shapes drawn in SVG: the games of a program as a grid, and the edges of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt
from typing import NamedTuple


class GameGroup(NamedTuple):
    """The games of one kind, drawn as rows of small squares."""

    kind: str
    total: int
    rows: str  # the path of a line in units of a tenth of a square, drawn as dashes


def game_grid(counts: Mapping[str, int]) -> tuple[int, list[GameGroup]]:
    """Return the number of squares per row, and the games of each kind in the given order.

    >>> game_grid({"won": 3, "lost": 1})[1][1]
    GameGroup(kind='lost', total=1, rows='M10 14h10')
    """
    columns, index, groups = ceil(sqrt(sum(counts.values()))), 0, []
    for kind, count in counts.items():
        end, rows = index + count, ""
        while index < end:
            row, column = divmod(index, columns)
            width = min(columns - column, end - index)
            rows += f"M{column * 10} {row * 10 + 4}h{width * 10}"
            index += width
        groups.append(GameGroup(kind, count, rows))
    return columns, groups


class Edge(NamedTuple):
    """An edge of the tree on the page after the last screen; the tree is 340 by 142 units."""

    level: int  # of its lower node, as are x and y
    x: float
    y: int
    above: tuple[float, int]  # the position of its upper node


def tree_edges() -> list[Edge]:
    """Return the fourteen edges of a binary tree of three levels, those of the leaves first."""
    rows = (26, 62, 98, 132)

    def position(level: int, n: int) -> tuple[float, int]:
        return (n + 0.5) * 340 / 2**level, rows[level]

    return [
        Edge(level, *position(level, n), position(level - 1, n // 2))
        for level in (3, 2, 1)
        for n in range(2**level)
    ]
