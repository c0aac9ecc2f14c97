"""What there is to practise: the positions where few moves keep a win or a draw."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, get_args

from engine.position import Position, Square
from engine.reasons import why
from engine.results import holding_moves
from engine.search import analyse
from engine.symmetry import representatives

Hardness = Literal["completes", "blocks", "forks", "quiet"]
FEWEST = 3  # moves to choose from


def keepers(position: Position) -> tuple[Square, ...]:
    """Return the moves that keep a win or a draw, where others give it away; else none."""
    scores = analyse(position)
    kept = holding_moves(scores)
    return kept if len(kept) < len(scores) else ()


@cache
def to_practise() -> Mapping[Hardness, tuple[Position, ...]]:
    """Return the positions where exactly one of three moves or more keeps a win or a draw.

    One stands for its turns and mirror images. They are sorted by how hard the move is to see: it
    `completes` a line, `blocks` one, `forks`, or does none of that.
    """
    found: dict[Hardness, list[Position]] = {hardness: [] for hardness in get_args(Hardness)}
    for position in dict.fromkeys(representatives().values()):
        kept = keepers(position)
        if len(kept) == 1 and len(position.legal_moves()) >= FEWEST:
            reason = why(position, kept[0]).reason
            found[next((each for each in found if each == reason), "quiet")].append(position)
    return {hardness: tuple(positions) for hardness, positions in found.items()}
