"""The squares to hold against Perfect, as bits: nine to begin on, and as O four corners."""

from __future__ import annotations

from collections.abc import Mapping

from engine.position import Mark, O, Square, X

CORNERS = (0, 2, 6, 8)  # where Perfect begins
BITS: Mapping[tuple[Mark, Square], int] = {
    **{(X, square): 1 << square for square in range(9)},
    **{(O, corner): 1 << place for place, corner in enumerate(CORNERS, 9)},
}
NINE = sum(bit for (mark, _), bit in BITS.items() if mark == X)
ALL_HELD = sum(BITS.values())
