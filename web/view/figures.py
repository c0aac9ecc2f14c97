"""Shapes drawn in SVG: the games of a program as a grid, and the edges of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt
from typing import NamedTuple


class GameGroup(NamedTuple):
    """The games with one outcome, drawn as rows of small squares."""

    outcome: str  # also the CSS class of its squares
    game_count: int
    rows: str  # an SVG path, in tenths of a square; its stroke is dashed, a dash for each game


def game_grid(counts: Mapping[str, int]) -> tuple[int, list[GameGroup]]:
    """Return the number of squares per row, and a group for each outcome in `counts`, in order.

    >>> game_grid({"won": 3, "lost": 1})[1][1]
    GameGroup(outcome='lost', game_count=1, rows='M10 14h10')
    """
    columns = ceil(sqrt(sum(counts.values())))
    index, groups = 0, []
    for outcome, count in counts.items():
        end, rows = index + count, ""
        while index < end:
            row, column = divmod(index, columns)
            width = min(columns - column, end - index)
            rows += f"M{column * 10} {row * 10 + 4}h{width * 10}"
            index += width
        groups.append(GameGroup(outcome, count, rows))
    return columns, groups


class Edge(NamedTuple):
    """An edge of the tree on the page after the last screen; the tree is 340 by 142 units."""

    level: int  # of the lower node; the root is at level 0
    x: float  # of the lower node
    y: int  # of the lower node
    above: tuple[float, int]  # the x and y of the upper node


def tree_edges() -> list[Edge]:
    """Return the fourteen edges of a binary tree of three levels, those of the leaves first."""
    heights = (26, 62, 98, 132)  # by level

    def center(level: int, index: int) -> tuple[float, int]:
        return (index + 0.5) * 340 / 2**level, heights[level]

    return [
        Edge(level, *center(level, index), above=center(level - 1, index // 2))
        for level in (3, 2, 1)
        for index in range(2**level)
    ]
