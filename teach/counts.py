"""The number of boards that plain minimax enters, computed without a search."""

from __future__ import annotations

from functools import cache

from engine.position import Position
from engine.symmetry import canonical


@cache
def minimax_node_count(position: Position) -> int:
    """Return the nodes of plain minimax: `position`, and one for each way to play on from it."""
    # Mirror images have trees of the same size: 765 additions instead of 549,946 calls.
    return 1 + sum(minimax_node_count(canonical(child)) for child in position.children().values())
