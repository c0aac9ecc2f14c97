"""The trees that books and pages on minimax draw, and what they are drawn to show."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position
from teach.counts import Cost, cost
from teach.trees import Scoring, tree, value


class Picture(NamedTuple):
    """Hold a board, the point that its tree is drawn for, and the view of it that shows it best."""

    position: Position
    point: str
    view: dict[str, str]

    def values(self, scoring: Scoring) -> list[int]:
        """Return the values of the moves to MAX, turns counted or flat."""
        return [value(child, 1, scoring) for child in self.position.children().values()]

    @property
    def cost(self) -> Cost:
        """Return the nodes that each kind of search enters."""
        return cost(self.position, "depth")

    @property
    def merged(self) -> int:
        """Count the nodes of the tree with mirror images merged."""
        return sum(1 for _ in tree(self.position, merged=True).walk())


# In the order in which they are best looked at.
PICTURES = tuple(
    Picture(Position.parse(board), point, view)
    for board, point, view in (
        ("O-XX--XOO", "classic", {"view": "search"}),
        ("XXOOO-XX-", "two moves", {"view": "search"}),
        ("-X---XOOX", "all lost", {"view": "search", "step": "last"}),
        ("O--X-XOOX", "now or later", {"view": "search", "scoring": "flat"}),
        ("XOO---XXO", "cut", {"view": "search", "algorithm": "alpha-beta"}),
        ("XOXOOX---", "order", {"view": "search", "algorithm": "alpha-beta", "order": "best"}),
        ("---XOXXO-", "large", {"view": "search", "algorithm": "alpha-beta"}),
        ("-X-O-OXOX", "mirrors", {"view": "search", "mirrors": "merged"}),
        ("--OXX-X-O", "twice", {"view": "search", "step": "last"}),
    )
)
