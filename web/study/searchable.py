"""What Study can search, a board or a tree of numbers, and the settings of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from engine.position import Position
from teach.searches import ALGORITHMS, Algorithm
from teach.trees import ORDERS, SCORINGS, Node, Order, Scoring

# The settings in an address, each with its possible values; the first is the default.
CHOICES: dict[str, tuple[str | None, ...]] = {
    "algorithm": ALGORITHMS,
    "scoring": SCORINGS,
    "order": ORDERS,
    "big": (None, "on", "tree"),  # projector view, with the code ("on") or without it ("tree")
}
MIRRORS = ("all", "merged")  # search every move, or only one of those that are mirror images
ROOT_SIDES = ("max", "min")  # who chooses at the root of a tree of numbers


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search, from its address."""

    algorithm: Algorithm
    scoring: Scoring
    order: Order
    big: str | None
    defaults: Mapping[str, object]  # the values of the settings that an address omits
    mirrors: str = MIRRORS[0]
    depth: int | None = None  # the depth limit in turns, or None to search to the ends of games

    def query(self, **changes: object) -> dict[str, object]:
        """Return the query for these settings with `changes`, without defaults."""
        args = {name: getattr(self, name) for name in self.defaults} | changes
        return {name: args[name] for name in args if args[name] != self.defaults.get(name)}


class Searchable(Protocol):
    """What a search needs to know about a board (`Place`) or a tree of numbers (`OwnTree`)."""

    @property
    def board(self) -> Position | None:
        """The board at the root, or None for a tree of numbers."""

    @property
    def lesson(self) -> str | None:
        """The screen of the lesson to go back to, or None if there is none."""

    @property
    def for_others(self) -> Self:
        """The same board or tree for other readers, without this reader's game or question."""

    def url(self, **changes: Any) -> str:
        """Return the address of its page, with `changes`."""

    def root(self, settings: SearchSettings, order: Order) -> Node:
        """Return the tree to search, with its children in an order."""
