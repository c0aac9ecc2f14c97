"""The glossary: each term with a small picture, of boards or of a tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from statistics import fmean
from typing import NamedTuple

from engine.notation import signed
from engine.position import OTHER, Position, Square
from engine.reasons import threats
from engine.results import results
from engine.search import analyze, sign
from teach.estimates import estimate
from teach.lesson.screen import WORDS
from teach.markings import CUT_OFF, NOT_SEARCHED, Chip, DrawnTree, Marking, number_chip
from teach.numbers import node_names, number_tree
from teach.trees import Path, tree
from teach.windows import entry_windows

# Alpha-beta prunes the last leaf: MAX is sure of 3 on the left, and MIN has 2 on the right.
SMALL_TREE = number_tree(((3, 12), (2, 4)))
ROOT: Path = ()
LEFT: Path = (0,)
RIGHT: Path = (1,)
PRUNED: Path = (1, 1)


class BoardPicture(NamedTuple):
    """A board as a picture."""

    board: Position
    # By square: the value of the move as text, and the side that this value favors, or "".
    values: Mapping[Square, tuple[str, str]] = {}
    last_square: Square | None = None
    threatened: tuple[Square, ...] = ()  # where a side could win next


class Term(NamedTuple):
    """A term of the glossary."""

    name: str
    text: str
    screen: int | None = None  # the screen of the lesson that introduces it
    study: str = ""  # if no screen does: a board whose search in Study shows the term
    book: str = ""  # the term that books use, if that differs
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
    return {id_: _with_picture(id_, Term(**fields)) for id_, fields in WORDS["terms"].items()}


def _with_picture(id_: str, term: Term) -> Term:
    """Return a term with its tree or its boards."""
    picture = PICTURES[id_]
    if isinstance(picture, DrawnTree):
        return term._replace(tree=picture)
    return term._replace(boards=picture)


def _small_tree(
    chips: Mapping[Path, str], highlighted: Collection[Path] = (), shows_cutoff: bool = False
) -> DrawnTree:
    """Return the small tree with texts as chips, some nodes highlighted, and perhaps its cutoff."""
    markings = {
        node.digits: Marking(role="highlighted") if node.path in highlighted else Marking()
        for node in SMALL_TREE.walk()
    }
    for path, text in chips.items():
        markings[SMALL_TREE.at(path).digits]["chip"] = Chip(text, "nobody")
    if shows_cutoff:
        markings[SMALL_TREE.at(PRUNED).digits] = Marking(role="pruned", edge=CUT_OFF)
    return DrawnTree(SMALL_TREE, markings)


def _value_texts(min_sign: int = 1) -> Mapping[Path, str]:
    """Return the values of the inner nodes as texts, those of MIN multiplied by `min_sign`."""
    texts = {}
    for node in SMALL_TREE.walk():
        if node.below:
            value = node.value if node.is_max else min_sign * node.value
            texts[node.path] = number_chip(value).text
    return texts


def _expected_value_texts() -> Mapping[Path, str]:
    """Return the values of the inner nodes as texts if LEFT and RIGHT choose at random."""
    values = {child.path: fmean(leaf.value for leaf in child.below) for child in SMALL_TREE.below}
    values[ROOT] = max(values.values())
    return {path: f"{value:g}" for path, value in values.items()}


def _window_tree() -> DrawnTree:
    """Return the small tree with the windows on entry to LEFT and RIGHT."""
    small_tree, windows = _small_tree({}), entry_windows(SMALL_TREE)
    for path in (LEFT, RIGHT):
        small_tree.markings[SMALL_TREE.at(path).digits]["frame"] = windows[path]
    return small_tree


def _horizon_tree() -> DrawnTree:
    """Return the small tree searched one turn deep: estimates, and leaves that nobody sees."""
    estimates = {path: f"~{text}" for path, text in _value_texts().items()}
    markings = {**_small_tree(estimates, highlighted=[LEFT, RIGHT]).markings}
    for leaf in SMALL_TREE.leaves:
        markings[leaf.digits] = Marking(role="not searched", edge=NOT_SEARCHED)
    return DrawnTree(SMALL_TREE, markings)


def _threat_picture(board: str, last_square: Square) -> BoardPicture:
    """Return a board with the threats of the side that moved last."""
    position = Position.parse(board)
    return BoardPicture(
        position, last_square=last_square, threatened=threats(position, OTHER[position.turn])
    )


def _score_picture(board: str) -> BoardPicture:
    """Return a board with the score of each move, for X."""
    position = Position.parse(board)
    move_results, x_sign = results(position), 1 if position.turn == "X" else -1
    values = {
        square: (signed(x_sign * score), move_results[square].winner or "")
        for square, score in analyze(position).items()
    }
    return BoardPicture(position, values)


def _estimate_picture(position: Position, squares: Collection[Square]) -> BoardPicture:
    """Return a board with the estimates after some moves."""
    favored = {1: "X", 0: "", -1: "O"}  # by the sign of an estimate
    values = {}
    for square in squares:
        value = estimate(position.play(square))
        values[square] = (f"~{signed(value)}", favored[sign(value)])
    return BoardPicture(position, values)


TRUE_VALUES = _value_texts()
VALUES_WITH_BOUND = {LEFT: TRUE_VALUES[LEFT], RIGHT: "≤ 2"}
PICTURES: Mapping[str, DrawnTree | tuple[BoardPicture, ...]] = {
    "root": _small_tree({}, highlighted=[ROOT]),
    "leaf": _small_tree({}, highlighted=[leaf.path for leaf in SMALL_TREE.leaves]),
    "node": DrawnTree(tree(Position.parse("XOXOOX---"), "flat"), {}, drawn_level_count=1),
    "turn": (
        BoardPicture(Position.parse("----X----"), last_square=4),
        BoardPicture(Position.parse("O---X----"), last_square=0),
    ),
    "depth": _small_tree(
        {ROOT: "depth 0", LEFT: "depth 1", RIGHT: "depth 1"}, highlighted=[LEFT, RIGHT]
    ),
    "score": (_score_picture("OX--X-OOX"),),
    "max": _small_tree({ROOT: TRUE_VALUES[ROOT]}, highlighted=[ROOT]),
    "min": _small_tree(
        {LEFT: TRUE_VALUES[LEFT], RIGHT: TRUE_VALUES[RIGHT]}, highlighted=[LEFT, RIGHT]
    ),
    "minimax": _small_tree(TRUE_VALUES),
    "negamax": _small_tree(_value_texts(-1)),
    "expectimax": _small_tree(_expected_value_texts()),
    "threat": (_threat_picture("X-X-O----", 2),),
    "fork": (_threat_picture("X-X-O-O-X", 2),),
    "perfect-play": (BoardPicture(Position.parse("XOXXOOOXX")),),
    "estimate": (_estimate_picture(Position(), (0, 4, 7)),),  # a corner, the center and an edge
    "horizon": _horizon_tree(),
    "memo": (_score_picture("XOXOOX-X-"), _score_picture("XOXOOX-X-")),
    "symmetry": tuple(BoardPicture(Position().play(square)) for square in (0, 2, 8)),
    "alpha": _small_tree({ROOT: "≥ 3", LEFT: TRUE_VALUES[LEFT]}, highlighted=[ROOT]),
    "beta": _small_tree(VALUES_WITH_BOUND, highlighted=[RIGHT]),
    "window": _window_tree(),
    "cutoff": _small_tree(VALUES_WITH_BOUND, shows_cutoff=True),
    "alpha-beta": _small_tree({ROOT: TRUE_VALUES[ROOT], **VALUES_WITH_BOUND}, shows_cutoff=True),
    "move-ordering": _small_tree({LEFT: "first", RIGHT: "second"}, shows_cutoff=True),
}
