"""What Study can search, a board or a tree of numbers, and the settings of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from engine.position import Mark, Position
from teach.searches import ALGORITHMS, Algorithm
from teach.trees import ORDERS, SCORINGS, Node, Order, Scoring

# What an address may say of a search; the first is meant if it says nothing.
CHOICES: dict[str, tuple[str | None, ...]] = {
    "algorithm": ALGORITHMS,
    "scoring": SCORINGS,
    "order": ORDERS,
    "big": (None, "on"),
}
MIRRORS = ("all", "merged")
TOPS = ("max", "min")


@dataclass(frozen=True)
class SearchSettings:
    """What an address says of a search."""

    algorithm: Algorithm
    scoring: Scoring
    order: Order
    big: str | None
    usual: Mapping[str, object]  # what is meant by what the address leaves out
    mirrors: str = MIRRORS[0]
    top: str = TOPS[0]
    depth: int | None = None  # the depth limit in turns, or None to search to the ends

    def asked(self, **changes: object) -> dict[str, object]:
        """Return what an address with `changes` has to say."""
        values = {name: getattr(self, name) for name in self.usual} | changes
        return {name: values[name] for name in values if values[name] != self.usual.get(name)}


class Searchable(Protocol):
    """What the pages of a search need to know of what is searched."""

    @property
    def board(self) -> Position | None:
        """The board at the root, or None for a tree of numbers."""

    @property
    def plus(self) -> Mark | None:
        """The side that plus is good for, or None if numbers are good for neither."""

    @property
    def lesson(self) -> str | None:
        """The screen of the lesson to go back to, if any."""

    @property
    def for_others(self) -> Self:
        """The same without what is this reader's own."""

    def url(self, **changes: Any) -> str:
        """Return the address of its page, with `changes`."""

    def root(self, settings: SearchSettings, order: Order) -> Node:
        """Return the tree to search, its children in an order."""
