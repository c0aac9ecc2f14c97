"""The parts of a screen of the lesson, and the states that presses lead to.

All sentences are in words.toml. A screen is a pure function of a state: the presses in an address.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple
from urllib.parse import urlencode

from engine.position import Mark, Position, Square
from teach.marks import Chip, Tree

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


class State(NamedTuple):
    """The presses made on a screen, as stored in its address.

    `seen`: presses tried and taken back
    `kept` (`p` in an address): presses that stay
    `tried` (`try` in an address): a press whose consequence is being shown
    `at`: the current place on the screen
    """

    seen: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    tried: str = ""
    at: str = ""

    @property
    def query(self) -> str:
        """The query of the address.

        >>> State(seen=("2",), kept=("3", "5")).query
        'seen=2&p=3&p=5'
        """
        given = {"seen": self.seen, "p": self.kept, "try": self.tried, "at": self.at}
        return urlencode({name: value for name, value in given.items() if value}, doseq=True)

    @property
    def last(self) -> str:
        """The press to answer: the one tried, else the last that stays, "" before any."""
        return self.tried or next(reversed(self.kept), "")

    def press(self, what: str) -> State:
        """Return the state after a press that stays, as the last."""
        return self._replace(kept=(*(p for p in self.kept if p != what), what), tried="")

    def attempt(self, what: str) -> State:
        """Return the state in which the consequence of a press is shown."""
        return self._replace(tried=what)

    def choose(self, what: str, right: bool) -> State:
        """Return the state after a press that stays if it is right."""
        return self.press(what) if right else self.attempt(what)

    def take_back(self, what: str, keep: int = 0) -> State:
        """Return the state after `what` is seen and all presses but the first `keep` are undone."""
        return State(tuple(sorted({*self.seen, what})), self.kept[:keep], at=self.at)


class BoardSquare(NamedTuple):
    """A square of the large board, and whose turn it is: the `side` to press it.

    The only square left to press bears that side's mark in pencil. The `badge` is ✓ where the last
    press was right.
    """

    mark: Mark | None
    side: Mark
    is_only: bool = False
    look: str = ""
    chip: Chip | None = None
    press: State | None = None
    badge: str | None = None


class Link(NamedTuple):
    """A link to a state of this screen."""

    text: str
    state: State
    look: str = ""


class SmallBoard(NamedTuple):
    """A small board, the last square, a caption, and where the last side threatens to win."""

    position: Position
    last: Square
    caption: str
    threats: tuple[Square, ...] = ()


class Bubble(NamedTuple):
    """A sentence and a question at a board of the tree, and the numbers to choose from.

    `at` is where the tip points, in twelfths of the tree's width; 0 means the top of the tree.
    `right` is true if the last press was right. `boards` illustrate the sentence.
    """

    at: int
    said: str = ""
    asks: str = ""
    choices: tuple[Link, ...] = ()
    right: bool = False
    boards: tuple[SmallBoard, ...] = ()


class Card(NamedTuple):
    """An answer to a press, or a rule to keep.

    `look` is the mark of the side that gained by a wrong press; `right` says that it was right.
    `boards` are drawn below; `bars` are numbers by their names.
    """

    title: str
    text: str = ""
    look: str = ""
    right: bool = False
    back: State | None = None
    boards: tuple[SmallBoard, ...] = ()
    bars: Mapping[str, int] = {}


@dataclass(frozen=True, kw_only=True)
class Screen:
    """What all kinds of screens have; `kind` is what is pressed.

    `words`: what to `say`, and the rule to keep on a `card` · `done`: Next is ready · `on`: where
    the filled button leads until then, if anywhere.
    """

    kind: ClassVar[Literal["board", "tree", "code", "bets"]]
    words: Mapping[str, Any]
    cards: tuple[Card, ...] = ()
    note: str = ""
    done: bool = False
    on: Link | None = None

    @property
    def rule(self) -> Card | None:
        """The rule to keep, shown once nothing more is asked and no answer is in the way.

        On a board any answer is in the way; elsewhere only one that can be taken back.
        """
        nothing_asked = self.done or self.on
        answered = self.cards and (self.kind == "board" or self.cards[0].back)
        hidden = not nothing_asked or answered or "card" not in self.words
        return None if hidden else Card(**self.words["card"])

    @property
    def ways(self) -> Mapping[str, str]:
        """The ways on from a solved screen besides Next: words for each place."""
        ways: Mapping[str, str] = self.words.get("ways", {}) if self.done else {}
        return ways

    @property
    def more(self) -> str:
        """What there is to read under More, nothing until solved."""
        more: str = self.words.get("more", "") if self.done else ""
        return more


@dataclass(frozen=True, kw_only=True)
class BoardScreen(Screen):
    """A large board to play on, and `links` in the last card."""

    kind = "board"
    board: tuple[BoardSquare, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TreeScreen(Screen):
    """A tree, what is asked at a board of it, and what is `known` beside it.

    `known`: results found, each with its move and a remark · `counts`: ends looked at, by the first
    move, and whether the tree shows it · `beside`: a second tree, as large.
    """

    kind = "tree"
    tree: Tree
    bubble: Bubble | None = None
    known: tuple[tuple[Chip, str, str], ...] = ()
    counts: tuple[tuple[str, int, bool], ...] = ()
    beside: Tree | None = None

    @property
    def lead(self) -> Card | None:
        """The answer to the press that solved the screen; it stands over the rule."""
        if not self.rule:
            return None
        if self.bubble and not self.bubble.choices:
            return Card(self.bubble.said, right=self.bubble.right)
        return next(iter(self.cards), None)


class Line(NamedTuple):
    """A line of a program, and what a press on it leads to."""

    text: str
    press: State | None
    is_on: bool


@dataclass(frozen=True, kw_only=True)
class CodeScreen(Screen):
    """The lines of a program, in words or in Python, a tree beside them, and the request.

    `other` leads from words to Python, or back · `listing`: code under More.
    """

    kind = "code"
    lines: tuple[Line, ...]
    in_python: bool
    tree: Tree
    asks: str
    other: Link | None
    listing: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class BetScreen(Screen):
    """Bets to choose from, the request, and as `areas` numbers by their names."""

    kind = "bets"
    bets: tuple[Link, ...]
    asks: str
    areas: Mapping[str, int]


def states_beyond(drawn: object) -> list[State]:
    """Return the states to which presses on a screen, or on a part of it, lead."""
    if isinstance(drawn, State):
        return [drawn]
    if isinstance(drawn, Tree):
        return [state for mark in drawn.marks.values() if (state := mark.get("press"))]
    parts = vars(drawn).values() if isinstance(drawn, Screen) else drawn
    if not isinstance(parts, Iterable) or isinstance(parts, str | Mapping):
        return []
    return [state for part in parts for state in states_beyond(part)]
