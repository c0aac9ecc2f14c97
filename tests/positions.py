"""Positions to test with, and helpers that try only some of them except in `make soak`."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from engine.position import Position
from engine.symmetry import canonical, reachable_positions

Item = TypeVar("Item")

is_soak = False  # whether `make soak` runs, which tries everything

# There are 5,478; a higher limit lets a broken rule fail a test instead of running forever.
ALL_POSITIONS = list(islice(reachable_positions(), 6000))
UNFINISHED = [position for position in ALL_POSITIONS if not position.outcome()]
CANONICAL = [position for position in ALL_POSITIONS if position == canonical(position)]
UNFINISHED_CANONICAL = [position for position in CANONICAL if not position.outcome()]


def all_or_canonical(positions: Iterable[Position]) -> list[Position]:
    """Return all positions in `make soak`, otherwise one of each set of symmetric ones."""
    return [position for position in positions if is_soak or position == canonical(position)]


def only_in_soak(items: Sequence[Item]) -> Sequence[Item]:
    """Return the items in `make soak`, otherwise none: for items that take long."""
    return items if is_soak else ()


def sample(step: int, items: Sequence[Item]) -> Sequence[Item]:
    """Return all items in `make soak`, otherwise one in `step`."""
    return items if is_soak else items[::step]
