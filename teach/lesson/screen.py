"""The parts of a lesson screen. A screen is a pure function of its state: the presses made on it.

The address of the page records these presses. All sentences of the screens are in words.toml.
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
    """The presses made on a screen, as stored in its address.

    What the name of a press means is up to each screen: a square, a node, a line of code or a word.
    """

    # The comments give the name of each field in an address.
    seen_presses: tuple[str, ...] = ()  # `seen`: those whose consequence was shown earlier
    kept_presses: tuple[str, ...] = ()  # `p`: those that still count, in order
    wrong_press: str = ""  # `try`: a wrong press whose consequence is on show
    view: str = ""  # `at`: the part of the screen in view

    @property
    def query(self) -> str:
        """The query string of the address.

        >>> State(seen_presses=("2",), kept_presses=("3", "5")).query
        'seen=2&p=3&p=5'
        """
        args = {
            "seen": self.seen_presses,
            "p": self.kept_presses,
            "try": self.wrong_press,
            "at": self.view,
        }
        return urlencode({name: value for name, value in args.items() if value}, doseq=True)

    @property
    def last_press(self) -> str:
        """The wrong press, otherwise the last of those kept, or "" if there is neither."""
        return self.wrong_press or next(reversed(self.kept_presses), "")

    def press(self, name: str) -> State:
        """Return the state in which a press is kept, as the last one."""
        other_presses = (press for press in self.kept_presses if press != name)
        return self._replace(kept_presses=(*other_presses, name), wrong_press="")

    def attempt(self, name: str) -> State:
        """Return the state that shows the consequence of a wrong press."""
        return self._replace(wrong_press=name)

    def choose(self, name: str, is_right: bool) -> State:
        """Return the state after a press, which is kept only if it is right."""
        return self.press(name) if is_right else self.attempt(name)

    def take_back(self, name: str, kept_count: int = 0) -> State:
        """Return the state that keeps only the first `kept_count` presses.

        The press `name`, which is taken back, is one of the seen presses from then on.
        """
        seen_presses = tuple(sorted({*self.seen_presses, name}))
        return State(seen_presses, self.kept_presses[:kept_count], view=self.view)


SquareRole = Literal[
    "",
    "wins",  # part of the winning line
    "last",  # one of the last two marks
    "past",  # beside a winning line
]


class BoardSquare(NamedTuple):
    """A square of the large board."""

    mark: Mark | None
    side_to_move: Mark
    is_only: bool = False  # the only square left to pick; its mark is drawn in pencil
    role: SquareRole = ""
    is_new: bool = False  # whether the mark appears after the press, not at once
    comes_later: bool = False  # whether the mark appears after other new ones
    is_reply: bool = False
    chip: Chip | None = None
    next_state: State | None = None  # that a click leads to
    badge: str | None = None  # ✓ if picking it was right


class Link(NamedTuple):
    """A link to a state of this screen."""

    text: str
    state: State
    is_action: bool = False  # whether it is drawn as a button, not as a value to choose
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

    tip: int  # where it points, in twelfths of the tree's width; with 0, the bubble has no tip
    remark: str = ""
    question: str = ""
    choices: tuple[Link, ...] = ()
    is_right: bool = False  # whether the last press was right
    boards: tuple[SmallBoard, ...] = ()  # illustrations of the remark


class Card(NamedTuple):
    """A response to a press, or a rule to remember."""

    title: str
    text: str = ""
    winner: str = ""  # the side that wins after a wrong press; the card has its color
    is_right: bool = False
    back: State | None = None  # the state after the press is taken back
    boards: tuple[SmallBoard, ...] = ()
    bars: Mapping[str, int] = {}  # counts of nodes, each drawn as a bar, by caption


class Finding(NamedTuple):
    """A result that the learner has found, in the list beside a tree."""

    chip: Chip
    move: str  # its square in words, or ""
    remark: str


class LeafCount(NamedTuple):
    """The number of leaves that a search evaluates with one of the moves first."""

    first_move: str
    leaf_count: int
    is_in_view: bool  # whether the tree shows this search


@dataclass(frozen=True, kw_only=True)
class Screen:
    """What all four kinds of screens have in common."""

    kind: ClassVar[Literal["board", "tree", "code", "bets"]]
    words: Mapping[str, Any]  # its sentences, a table of words.toml
    cards: tuple[Card, ...] = ()
    note: str = ""
    is_solved: bool = False  # whether the Next button appears
    onward: Link | None = None  # the filled button before Next appears

    @property
    def rule(self) -> Card | None:
        """The rule to remember, or None if a question is open or a response takes its place.

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
    findings: tuple[Finding, ...] = ()
    leaf_counts: tuple[LeafCount, ...] = ()

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
    next_state: State | None  # that a click leads to
    is_last_press: bool


@dataclass(frozen=True, kw_only=True)
class CodeScreen(Screen):
    """The lines of a program, in words or in Python, beside a tree."""

    kind = "code"
    lines: tuple[Line, ...]
    in_python: bool
    tree: DrawnTree
    question: str
    switch: Link | None  # leads to the same lines in Python, or back to those in words
    listing: tuple[str, ...]  # code under More


@dataclass(frozen=True, kw_only=True)
class BetScreen(Screen):
    """Bets to choose from; once one is placed, counts drawn as areas."""

    kind = "bets"
    bets: tuple[Link, ...]
    question: str
    areas: Mapping[str, int]  # counts of nodes or boards, by caption


def next_states(part: object) -> list[State]:
    """Return the states that clicks on a screen, or on a part of it, lead to.

    The states are collected from all fields of a screen, however deeply they are nested.
    """
    if isinstance(part, State):
        return [part]
    if isinstance(part, DrawnTree):
        return [state for marking in part.markings.values() if (state := marking.get("target"))]
    inner_parts = vars(part).values() if isinstance(part, Screen) else part
    if not isinstance(inner_parts, Iterable) or isinstance(inner_parts, str | Mapping):
        return []
    return [state for inner_part in inner_parts for state in next_states(inner_part)]
