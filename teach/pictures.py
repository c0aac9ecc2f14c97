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
    """Hold one of them: what it shows, where, and the numbers it is known for.

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


class Price(NamedTuple):
    """Say how many nodes one way to find the first move enters, and what share of the most.

    By the time that author WAITED, it takes `seconds`; a square with the edge `side` has the
    area that belongs to it, if plain minimax has one with an edge of 1.
    """

    nodes: int
    seconds: float
    side: float


@cache
def prices() -> dict[str, Price]:
    """Return what the first move costs by each of four ways, plain minimax first."""
    ways = cost(Position(), "depth")._asdict()
    shares = {way: ways[way] / ways["plain"] for way in ways if way != "best_first"}
    return {way: Price(ways[way], share * WAITED, share**0.5) for way, share in shares.items()}
