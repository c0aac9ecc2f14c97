"""The parts of a screen of the lesson, and the states that presses lead to.

All sentences are in words.toml. A screen is a pure function of a state: the presses in an address.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from engine.position import Mark, Position, Square

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


class State(NamedTuple):
    """Hold the presses on a screen, as an address has them.

    `seen`: tried and taken back · `p`: pressed, and stays · `tried` (in an address `try`): pressed,
    and the consequence is shown now · `at`: the place on the screen.
    """

    seen: tuple[str, ...] = ()
    p: tuple[str, ...] = ()
    tried: str = ""
    at: str = ""

    @property
    def query(self) -> str:
        """Return the query of the address.

        >>> State(seen=("2",), p=("3", "5")).query
        'seen=2&p=3&p=5'
        """
        pairs = [*(("seen", s) for s in self.seen), *(("p", p) for p in self.p)]
        return urlencode(pairs + [(k, v) for k, v in (("try", self.tried), ("at", self.at)) if v])

    def press(self, what: str) -> State:
        """Return the state after another press that stays."""
        return self._replace(p=(*self.p, what), tried="")

    def attempt(self, what: str) -> State:
        """Return the state in which the consequence of a press is shown."""
        return self._replace(tried=what)

    def take_back(self, what: str, keep: int = 0) -> State:
        """Return the state after `what` is seen and all presses but the first `keep` are undone."""
        return State(tuple(sorted({*self.seen, what})), self.p[:keep], at=self.at)


class Chip(NamedTuple):
    """Hold a result or a number, and the side that gains: X, O, D for a draw, q if open."""

    text: str
    look: str


class Cell(NamedTuple):
    """Hold a square of the large board."""

    name: str
    mark: Mark | None
    look: str = ""
    chip: Chip | None = None
    press: State | None = None


class Node(NamedTuple):
    """Hold a board of a drawn tree, and how to draw it.

    `value` is the result for X: 1, 0 or −1. `who` chooses among the boards `below`. `edge` draws
    the line up to the parent, `plate` stands on a covered board. The last press made a node `new`
    or gave it a `pulse`.
    """

    path: str
    position: Position
    value: int
    who: Mark | None
    below: tuple[Node, ...]
    chip: Chip | None = None
    look: str = ""
    edge: str = ""
    plate: str = ""
    pulse: str = ""
    new: bool = False
    press: State | None = None

    def walk(self) -> Iterator[Node]:
        """Yield the board and all below, each branch down to the ends before the next."""
        yield self
        for child in self.below:
            yield from child.walk()

    @property
    def ends(self) -> int:
        """Count the ends below, 1 at an end."""
        return sum(not node.below for node in self.walk())


class Link(NamedTuple):
    """Hold a link: to a `state` of this screen, or to the `place` of another page."""

    text: str
    state: State | None = None
    place: str = ""
    look: str = ""


class Bubble(NamedTuple):
    """Hold a sentence and a question at a board of the tree, and the numbers to choose from.

    `at` is the place of the tip, in twelfths of the tree's width.
    """

    at: int
    said: str = ""
    asks: str = ""
    choices: tuple[Link, ...] = ()


class Card(NamedTuple):
    """Hold an answer to a press, or a rule to keep.

    `look` is the mark of the side that gained. `boards` are drawn below, each with a caption.
    `names` gives the terms for what `text` says, in small print.
    """

    title: str
    text: str = ""
    look: str = ""
    back: State | None = None
    links: tuple[Link, ...] = ()
    boards: tuple[tuple[Position, Square, str], ...] = ()
    names: str = ""


class Known(NamedTuple):
    """Hold the result found for a move."""

    chip: Chip
    name: str
    text: str


class Screen(NamedTuple):
    """Hold all parts of a screen.

    `done`: Next is ready · `on`: where the filled button leads until then, if anywhere ·
    `picture`: the part of a single screen.
    """

    say: str
    board: tuple[Cell, ...] = ()
    tree: Node | None = None
    bubble: Bubble | None = None
    note: str = ""
    known: tuple[Known, ...] = ()
    cards: tuple[Card, ...] = ()
    done: bool = False
    on: Link | None = None
    picture: Any = None


def follow(make: Callable[[State], Screen], target: State) -> Screen:
    """Return a screen as it is at an address.

    Raises ValueError where no press leads to the address.
    """
    met, open_ = set[State](), [State()]
    while open_:
        state = open_.pop()
        # Squares can be tried in any order, so to follow one order is enough, and 20 times as fast.
        astray = len(state.at) > 1 and not target.at.startswith(state.at)
        if state in met or astray or state.seen != target.seen[: len(state.seen)]:
            continue
        screen = make(state)
        if state == target:
            return screen
        met.add(state)
        open_ += presses(screen)
    raise ValueError("no press on this screen leads to this address")


def presses(drawn: object) -> Iterator[State]:
    """Yield the states to which presses on a drawn part lead."""
    if isinstance(drawn, State):
        yield drawn
    elif isinstance(drawn, tuple):
        for part in drawn:
            yield from presses(part)


# What the screens say alike

RESULT = {1: Chip("X wins", "X"), 0: Chip("draw", "D"), -1: Chip("O wins", "O")}
UNKNOWN = Chip("?", "q")


def signed(number: int) -> str:
    """Return a number with its sign, a real minus.

    >>> signed(7), signed(0), signed(-1)
    ('+7', '0', '−1')
    """
    return f"{number:+}".replace("-", "−") if number else "0"


def number(value: int, plus: Mark = "X") -> Chip:
    """Return the chip of a number, plus being good for a mark."""
    good = value if plus == "X" else -value
    return Chip(signed(value), "X" if good > 0 else "O" if good < 0 else "D")
