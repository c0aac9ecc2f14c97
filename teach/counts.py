"""How many boards plain minimax enters, counted without entering them."""

from __future__ import annotations

from functools import cache

from engine.position import Position
from engine.symmetry import canonical


@cache
def minimax_node_count(position: Position) -> int:
    """Count every way to play on from `position`, and `position`: the nodes of plain minimax."""
    # Mirror images have trees of the same size: 765 additions instead of 549,946 calls.
    return 1 + sum(minimax_node_count(canonical(child)) for child in position.children().values())
