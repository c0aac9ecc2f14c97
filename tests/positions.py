"""All positions, those that are not over, and one of each eight images."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from engine.position import Position
from engine.symmetry import canonical, reachable_positions

Thing = TypeVar("Thing")

all_images = False  # `make soak` tries them all

# A few more than there are, so that a broken rule fails instead of running forever.
EVERY = list(islice(reachable_positions(), 6000))
UNFINISHED = [position for position in EVERY if not position.outcome()]
DIFFERENT = [position for position in EVERY if position == canonical(position)]
TO_PLAY = [position for position in DIFFERENT if not position.outcome()]


def whole(positions: Iterable[Position]) -> list[Position]:
    """Return all of them in `make soak`, otherwise one of each eight images."""
    return [position for position in positions if all_images or position == canonical(position)]


def soaked(things: Sequence[Thing]) -> Sequence[Thing]:
    """Return them in `make soak`, otherwise none: for what takes long."""
    return things if all_images else ()


def one_in(number: int, things: Sequence[Thing]) -> Sequence[Thing]:
    """Return all of them in `make soak`, otherwise one in `number`."""
    return things if all_images else things[::number]
