"""The parts of a lesson screen. A screen is a pure function of its state: the presses made on it.

Its address records them; all its sentences are in words.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple
from urllib.parse import urlencode

from engine.position import Mark, Position, Square
from teach.markings import Chip, DrawnTree

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


class State(NamedTuple):
    """The presses made on a screen, as stored in its address."""

    seen: tuple[str, ...] = ()  # presses that were taken back
    kept: tuple[str, ...] = ()  # `p` in an address: presses that stay, in order
    tried: str = ""  # `try` in an address: a wrong press whose consequence is on show
    at: str = ""  # the part of the screen in view

    @property
    def query(self) -> str:
        """The query string of the address.

        >>> State(seen=("2",), kept=("3", "5")).query
        'seen=2&p=3&p=5'
        """
        args = {"seen": self.seen, "p": self.kept, "try": self.tried, "at": self.at}
        return urlencode({name: value for name, value in args.items() if value}, doseq=True)

    @property
    def last(self) -> str:
        """The last press: the one tried, otherwise the last one kept; "" if there is none."""
        return self.tried or next(reversed(self.kept), "")

    def press(self, name: str) -> State:
        """Return the state with a press kept, as the last one."""
        return self._replace(kept=(*(p for p in self.kept if p != name), name), tried="")

    def attempt(self, name: str) -> State:
        """Return the state that shows the consequence of a press."""
        return self._replace(tried=name)

    def choose(self, name: str, is_right: bool) -> State:
        """Return the state with a press kept if it is right, otherwise only tried."""
        return self.press(name) if is_right else self.attempt(name)

    def take_back(self, name: str, kept_count: int = 0) -> State:
        """Return the state with only the first `kept_count` presses, and `name` among the seen."""
        return State(tuple(sorted({*self.seen, name})), self.kept[:kept_count], at=self.at)


class BoardSquare(NamedTuple):
    """A square of the large board."""

    mark: Mark | None
    side: Mark  # the side to move
    is_only: bool = False  # the only square left to pick; its mark is drawn in pencil
    role: Literal["", "wins", "last", "past"] = ""  # `past`: beside a winning line
    is_new: bool = False  # whether it appears after the press, not at once
    comes_later: bool = False  # whether it appears after other squares
    is_reply: bool = False
    chip: Chip | None = None
    press: State | None = None
    badge: str | None = None  # ✓ if picking it was right


class Link(NamedTuple):
    """A link to a state of this screen."""

    text: str
    state: State
    is_action: bool = False  # a button in words; otherwise a value to choose
    is_current: bool = False
    favored: str = ""  # the side that the value favors, as in Chip.favored


class SmallBoard(NamedTuple):
    """A small board with a caption."""

    position: Position
    last_square: Square
    caption: str
    threats: tuple[Square, ...] = ()  # where the side that moved last threatens to win


class Bubble(NamedTuple):
    """A speech bubble at a node of the tree: a remark, a question, and answers to choose from."""

    tip: int  # where it points, in twelfths of the tree's width; 0 is the root
    remark: str = ""
    question: str = ""
    choices: tuple[Link, ...] = ()
    is_right: bool = False  # whether the last press was right
    boards: tuple[SmallBoard, ...] = ()  # that illustrate the remark


class Card(NamedTuple):
    """A response to a press, or a rule to remember."""

    title: str
    text: str = ""
    look: str = ""  # the side that gains from a wrong press
    is_right: bool = False
    back: State | None = None  # the state after the press is taken back
    boards: tuple[SmallBoard, ...] = ()
    bars: Mapping[str, int] = {}  # numbers of boards, each drawn as a bar, by their captions


@dataclass(frozen=True, kw_only=True)
class Screen:
    """A screen: what all four kinds have in common."""

    kind: ClassVar[Literal["board", "tree", "code", "bets"]]
    words: Mapping[str, Any]  # its table of words.toml
    cards: tuple[Card, ...] = ()
    note: str = ""
    is_solved: bool = False  # whether the Next button appears
    onward: Link | None = None  # the filled button before Next appears

    @property
    def rule(self) -> Card | None:
        """The rule to remember, or None while a question is open or a response takes its place.

        Beside a board, every response takes its place; on the other screens, only the response to
        a press that can be taken back.
        """
        has_question = not (self.is_solved or self.onward)
        is_replaced = self.cards and (self.kind == "board" or self.cards[0].back)
        is_hidden = has_question or is_replaced or "card" not in self.words
        return None if is_hidden else Card(**self.words["card"])

    @property
    def next_links(self) -> Mapping[str, str]:
        """The buttons of a solved screen beside Next: their texts, by destination."""
        links: Mapping[str, str] = self.words.get("next_links", {}) if self.is_solved else {}
        return links

    @property
    def more(self) -> str:
        """The text under More; "" until the screen is solved."""
        more: str = self.words.get("more", "") if self.is_solved else ""
        return more


@dataclass(frozen=True, kw_only=True)
class BoardScreen(Screen):
    """A large board to play on."""

    kind = "board"
    board: tuple[BoardSquare, ...]
    links: tuple[Link, ...] = ()  # in the first card


@dataclass(frozen=True, kw_only=True)
class TreeScreen(Screen):
    """A tree, and a question at one of its nodes."""

    kind = "tree"
    tree: DrawnTree
    bubble: Bubble | None = None
    findings: tuple[tuple[Chip, str, str], ...] = ()  # for each result found: chip, move, remark
    counts: tuple[tuple[str, int, bool], ...] = ()  # for each first move: leaves, whether in view

    @property
    def response(self) -> Card | None:
        """The response to the press that solved the screen, shown above the rule, or None."""
        if not self.rule:
            return None
        if self.bubble and not self.bubble.choices:
            return Card(self.bubble.remark, is_right=self.bubble.is_right)
        return next(iter(self.cards), None)


class Line(NamedTuple):
    """A line of a program."""

    text: str
    press: State | None
    is_last_press: bool


@dataclass(frozen=True, kw_only=True)
class CodeScreen(Screen):
    """The lines of a program, in words or in Python, beside a tree."""

    kind = "code"
    lines: tuple[Line, ...]
    in_python: bool
    tree: DrawnTree
    question: str
    switch: Link | None  # to the same lines in Python, or back in words
    listing: tuple[str, ...]  # code under More


@dataclass(frozen=True, kw_only=True)
class BetScreen(Screen):
    """Bets to choose from; once one is placed, numbers drawn as areas."""

    kind = "bets"
    bets: tuple[Link, ...]
    question: str
    areas: Mapping[str, int]  # numbers of boards, by their captions


def next_states(part: object) -> list[State]:
    """Return the states that the presses on a screen, or on a part of it, lead to."""
    if isinstance(part, State):
        return [part]
    if isinstance(part, DrawnTree):
        return [state for marking in part.markings.values() if (state := marking.get("press"))]
    parts = vars(part).values() if isinstance(part, Screen) else part
    if not isinstance(parts, Iterable) or isinstance(parts, str | Mapping):
        return []
    return [state for part in parts for state in next_states(part)]
