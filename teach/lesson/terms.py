"""The glossary: each term with a small picture, of boards or of a tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from engine.notation import signed
from engine.position import OTHER, Mark, Position, Square
from engine.reasons import threats
from engine.results import results
from engine.search import analyze, sign
from teach.estimates import open_lines
from teach.lesson.screen import WORDS
from teach.markings import Chip, DrawnTree, Marking, number_chip
from teach.numbers import node_names, number_tree
from teach.trees import Path, tree
from teach.windows import entry_windows

# The last leaf is pruned: MAX is sure of 3, and MIN already has 2 there.
SMALL_TREE = number_tree(((3, 12), (2, 4)))
ROOT: Path = ()
LEFT: Path = (0,)
RIGHT: Path = (1,)
PRUNED: Path = (1, 1)


class BoardPicture(NamedTuple):
    """A board as a picture."""

    board: Position
    values: Mapping[Square, tuple[str, Mark | str]] = {}  # each with the side that it favors
    last: Square | None = None
    threatened: tuple[Square, ...] = ()  # where a side could win next


class Term(NamedTuple):
    """A term of the glossary."""

    name: str
    text: str
    screen: int | None = None  # the screen of the lesson that introduces it
    study: str = ""  # if no screen does, a board whose search in Study shows it
    book: str = ""  # its name in books, if that differs
    boards: tuple[BoardPicture, ...] = ()
    tree: DrawnTree | None = None

    @property
    def names(self) -> Mapping[Path, str] | None:
        """The names of the nodes of a tree of numbers, or None."""
        if not self.tree or self.tree.kind == "boards":
            return None
        return node_names(self.tree.root)


@cache
def terms() -> Mapping[str, Term]:
    """Return the terms in the order of words.toml, by their ids."""
    return {id_: _term(id_, Term(**fields)) for id_, fields in WORDS["terms"].items()}


def _term(id_: str, term: Term) -> Term:
    picture = PICTURES[id_]
    if isinstance(picture, DrawnTree):
        return term._replace(tree=picture)
    return term._replace(boards=picture)


def _small_tree(
    chips: Mapping[Path, str], highlighted: Collection[Path] = (), is_cut: bool = False
) -> DrawnTree:
    """Return the small tree with chips at inner nodes, and the `lit` nodes in ink."""
    markings = {
        node.digits: Marking(classes="lit" if node.path in highlighted else "")
        for node in SMALL_TREE.walk()
    }
    for path, text in chips.items():
        markings[SMALL_TREE.at(path).digits]["chip"] = Chip(text, "nobody")
    if is_cut:
        markings[SMALL_TREE.at(PRUNED).digits] = Marking(classes="gone", edge="cut")
    return DrawnTree(SMALL_TREE, markings)


def _values(min_sign: int = 1) -> Mapping[Path, str]:
    """Return the values of the inner nodes, with those of MIN multiplied by `min_sign`."""
    inner = [node for node in SMALL_TREE.walk() if node.below]
    return {
        node.path: number_chip(node.value if node.is_max else min_sign * node.value).text
        for node in inner
    }


def _averages() -> Mapping[Path, str]:
    """Return the values of the inner nodes if the lower two choose at random."""
    means = {child.path: sum(leaf.value for leaf in child.below) / 2 for child in SMALL_TREE.below}
    return {path: f"{mean:g}" for path, mean in (means | {ROOT: max(means.values())}).items()}


def _with_windows() -> DrawnTree:
    """Return the small tree with the windows on entry, below the root."""
    small_tree, windows = _small_tree({}), entry_windows(SMALL_TREE)
    for path in (LEFT, RIGHT):
        small_tree.markings[SMALL_TREE.at(path).digits]["frame"] = windows[path]
    return small_tree


def _beyond_the_horizon() -> DrawnTree:
    """Return the small tree searched one turn deep: estimates, and leaves that nobody sees."""
    shown = _small_tree(
        {path: f"~{text}" for path, text in _values().items()}, highlighted=[LEFT, RIGHT]
    )
    unseen = {leaf.digits: Marking(classes="waits", edge="pale") for leaf in SMALL_TREE.leaves}
    return DrawnTree(SMALL_TREE, {**shown.markings, **unseen})


def _threatening(board: str, last: Square) -> BoardPicture:
    position = Position.parse(board)
    return BoardPicture(position, last=last, threatened=threats(position, OTHER[position.turn]))


def _scored(board: str) -> BoardPicture:
    position = Position.parse(board)
    known, scores = results(position), analyze(position)
    count = {square: score if position.turn == "X" else -score for square, score in scores.items()}
    return BoardPicture(
        position, {at: (signed(score), known[at].winner or "") for at, score in count.items()}
    )


def _estimated(position: Position, squares: Collection[Square]) -> BoardPicture:
    """Return a board with the estimates after some moves."""
    after = {square: position.play(square) for square in squares}
    lines = {
        square: [open_lines(child, mark).worth for mark in ("X", "O")]
        for square, child in after.items()
    }
    found = {square: of_x - of_o for square, (of_x, of_o) in lines.items()}
    good_for = {1: "X", 0: "", -1: "O"}
    return BoardPicture(
        position, {at: (f"~{signed(it)}", good_for[sign(it)]) for at, it in found.items()}
    )


TRUE_VALUES = _values()
VALUES_WITH_BOUND = {LEFT: TRUE_VALUES[LEFT], RIGHT: "≤ 2"}
PICTURES: Mapping[str, DrawnTree | tuple[BoardPicture, ...]] = {
    "root": _small_tree({}, highlighted=[ROOT]),
    "leaf": _small_tree({}, highlighted=[leaf.path for leaf in SMALL_TREE.leaves]),
    "node": DrawnTree(tree(Position.parse("XOXOOX---"), "flat"), {}, drawn_levels=1),
    "turn": (
        BoardPicture(Position.parse("----X----"), last=4),
        BoardPicture(Position.parse("O---X----"), last=0),
    ),
    "depth": _small_tree(
        {ROOT: "depth 0", LEFT: "depth 1", RIGHT: "depth 1"}, highlighted=[LEFT, RIGHT]
    ),
    "score": (_scored("OX--X-OOX"),),
    "max": _small_tree({ROOT: TRUE_VALUES[ROOT]}, highlighted=[ROOT]),
    "min": _small_tree(
        {LEFT: TRUE_VALUES[LEFT], RIGHT: TRUE_VALUES[RIGHT]}, highlighted=[LEFT, RIGHT]
    ),
    "minimax": _small_tree(TRUE_VALUES),
    "negamax": _small_tree(_values(-1)),
    "expectimax": _small_tree(_averages()),
    "threat": (_threatening("X-X-O----", 2),),
    "fork": (_threatening("X-X-O-O-X", 2),),
    "perfect-play": (BoardPicture(Position.parse("XOXXOOOXX")),),
    "estimate": (_estimated(Position(), (0, 4, 7)),),  # a corner, the center and an edge
    "horizon": _beyond_the_horizon(),
    "memo": (_scored("XOXOOX-X-"), _scored("XOXOOX-X-")),
    "symmetry": tuple(BoardPicture(Position().play(square)) for square in (0, 2, 8)),
    "alpha": _small_tree({ROOT: "≥ 3", LEFT: TRUE_VALUES[LEFT]}, highlighted=[ROOT]),
    "beta": _small_tree(VALUES_WITH_BOUND, highlighted=[RIGHT]),
    "window": _with_windows(),
    "cutoff": _small_tree(VALUES_WITH_BOUND, is_cut=True),
    "alpha-beta": _small_tree({ROOT: TRUE_VALUES[ROOT], **VALUES_WITH_BOUND}, is_cut=True),
    "move-ordering": _small_tree({LEFT: "first", RIGHT: "second"}, is_cut=True),
}
