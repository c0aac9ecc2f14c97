"""The trees that books and pages on minimax draw, and what they are drawn to show."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from engine.position import Position
from teach.counts import Cost, cost, plain
from teach.searches import SCORINGS, Counts, Scoring, value
from teach.trees import tree

Point = Literal[
    "classic", "two moves", "all lost", "now or later", "cut", "order", "large", "mirrors", "twice"
]

# The board, what its tree is drawn to show, and the view of it that shows it best.
PICTURES: tuple[tuple[str, Point, str, dict[str, str]], ...] = (
    ("O-XX--XOO", "classic", "search", {}),
    ("XXOOO-XX-", "two moves", "search", {}),
    ("-X---XOOX", "all lost", "tree", {}),
    ("O--X-XOOX", "now or later", "search", {"scoring": "flat"}),
    ("XOO---XXO", "cut", "search", {"algorithm": "alpha-beta"}),
    ("XOXOOX---", "order", "search", {"algorithm": "alpha-beta", "order": "best"}),
    ("---XOXXO-", "large", "search", {"algorithm": "alpha-beta"}),
    ("-X-O-OXOX", "mirrors", "tree", {"mirrors": "merged"}),
    ("--OXX-X-O", "twice", "tree", {}),
)

# How long the author of one widely read account waited for the first move of plain minimax.
WAITED = 155  # seconds


class Picture(NamedTuple):
    """Hold a picture: what its tree shows, the view that shows it best, and its numbers.

    The `values` of its moves are MAX's, turns counted or flat; `merged` counts the nodes of the
    tree with mirror images merged.
    """

    position: Position
    point: Point
    page: str
    query: dict[str, str]
    values: dict[Scoring, list[int]]
    counts: Counts
    cost: Cost
    merged: int


@cache
def pictures() -> tuple[Picture, ...]:
    """Return the pictures in the order in which they are best looked at."""
    return tuple(
        _picture(Position.parse(board), point, page, query)
        for board, point, page, query in PICTURES
    )


def _picture(position: Position, point: Point, page: str, query: dict[str, str]) -> Picture:
    children = position.children().values()
    return Picture(
        position=position,
        point=point,
        page=page,
        query=query,
        values={s: [value(child, 1, s) for child in children] for s in SCORINGS},
        counts=plain(position),
        cost=cost(position, "depth"),
        merged=sum(1 for _ in tree(position, merged=True, scoring="depth").walk()),
    )
