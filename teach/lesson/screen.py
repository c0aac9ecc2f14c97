"""The parts of a screen of the lesson, and the states that presses lead to.

All sentences are in words.toml. A screen is a pure function of a state: the presses in an address.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from engine.position import Mark, Position, Square
from teach.drawn import Chip, Tree

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
        given = {"seen": self.seen, "p": self.p, "try": self.tried, "at": self.at}
        return urlencode({name: value for name, value in given.items() if value}, doseq=True)

    @property
    def last(self) -> str:
        """Return the press to answer: the one tried, else the last that stays, "" before any."""
        return self.tried or next(reversed(self.p), "")

    def press(self, what: str) -> State:
        """Return the state after a press that stays, as the last."""
        return self._replace(p=(*(p for p in self.p if p != what), what), tried="")

    def attempt(self, what: str) -> State:
        """Return the state in which the consequence of a press is shown."""
        return self._replace(tried=what)

    def choose(self, what: str, right: bool) -> State:
        """Return the state after a press that stays if it is right."""
        return self.press(what) if right else self.attempt(what)

    def take_back(self, what: str, keep: int = 0) -> State:
        """Return the state after `what` is seen and all presses but the first `keep` are undone."""
        return State(tuple(sorted({*self.seen, what})), self.p[:keep], at=self.at)


class Drawn(NamedTuple):
    """Hold a square of the large board, and whose turn it is: the `side` to press it.

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
    """Hold a link to a state of this screen."""

    text: str
    state: State
    look: str = ""


class Small(NamedTuple):
    """Hold a small board, the last square, a caption, and where the last side threatens to win."""

    position: Position
    last: Square
    caption: str
    threats: tuple[Square, ...] = ()


class Bubble(NamedTuple):
    """Hold a sentence and a question at a board of the tree, and the numbers to choose from.

    `at` is the place of the tip, in twelfths of the tree's width; without, the top is asked about.
    `right` says that the last press was. `boards` show what is said.
    """

    at: int
    said: str = ""
    asks: str = ""
    choices: tuple[Link, ...] = ()
    right: bool = False
    boards: tuple[Small, ...] = ()


class Card(NamedTuple):
    """Hold an answer to a press, or a rule to keep.

    `look` is the mark of the side that gained by a wrong press; `right` says that it was right.
    `names` are terms. `boards` are drawn below; `bars` are numbers by their names.
    """

    title: str
    text: str = ""
    look: str = ""
    right: bool = False
    back: State | None = None
    names: str = ""
    boards: tuple[Small, ...] = ()
    bars: Mapping[str, int] = {}


class Screen(NamedTuple):
    """Hold all parts of a screen.

    `words`: what to `say`, and the rule to keep on a `card` · `asks`: the request, next to the code
    · `code`: its lines · `bets`: to choose from, and as `areas` numbers by their names · `counts`:
    ends looked at, by the first move, and whether the tree shows it · `known`: results found, each
    with its move and a remark · `links`: in the last card · `done`: Next is ready · `on`: where the
    filled button leads until then, if anywhere · `listing`: code under More · `beside`: a second
    tree, as large.
    """

    words: Mapping[str, Any]
    board: tuple[Drawn, ...] = ()
    tree: Tree | None = None
    code: tuple[Link, ...] = ()
    bets: tuple[Link, ...] = ()
    areas: Mapping[str, int] = {}
    counts: tuple[tuple[str, int, bool], ...] = ()
    asks: str = ""
    bubble: Bubble | None = None
    note: str = ""
    known: tuple[tuple[Chip, str, str], ...] = ()
    cards: tuple[Card, ...] = ()
    links: tuple[Link, ...] = ()
    done: bool = False
    on: Link | None = None
    listing: tuple[str, ...] = ()
    beside: Tree | None = None

    @property
    def kind(self) -> Literal["board", "tree", "code", "bets"]:
        """Say what is pressed."""
        return "board" if self.board else "code" if self.code else "bets" if self.bets else "tree"

    @property
    def rule(self) -> Card | None:
        """Return the rule to keep, None until solved, or while a press can be taken back."""
        solved = self.done or self.on
        answered = self.cards and (self.board or self.cards[0].back)
        hidden = not solved or answered or "card" not in self.words
        return None if hidden else Card(**self.words["card"])

    @property
    def lead(self) -> Card | None:
        """Return the answer to the press that solved a tree; it stands over the rule."""
        if not self.rule or self.kind != "tree":
            return None
        if self.bubble and not self.bubble.choices:
            return Card(self.bubble.said, right=self.bubble.right)
        return next(iter(self.cards), None)

    @property
    def ways(self) -> Mapping[str, str]:
        """Return the ways on from a solved screen besides Next: words for each place."""
        ways: Mapping[str, str] = self.words.get("ways", {}) if self.done else {}
        return ways

    @property
    def more(self) -> str:
        """Return what there is to read under More, nothing until solved."""
        more: str = self.words.get("more", "") if self.done else ""
        return more


def states_beyond(drawn: tuple[object, ...] | Tree) -> list[State]:
    """Return the states to which presses on a drawn part lead."""
    if isinstance(drawn, State):
        return [drawn]
    if isinstance(drawn, Tree):
        return [state for mark in drawn.marks.values() if (state := mark.get("press"))]
    parts = (part for part in drawn if isinstance(part, tuple | Tree))
    return [state for part in parts for state in states_beyond(part)]
