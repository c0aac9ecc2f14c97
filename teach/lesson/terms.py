"""The words of the lesson, each with a small picture: boards, or a tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from engine.notation import signed
from engine.position import OTHER, Mark, Position, Square
from engine.reasons import threats
from engine.results import results
from engine.search import analyze
from teach.lesson.screen import WORDS
from teach.marks import Chip, Marking, Tree, figure
from teach.numbers import node_names, number_tree
from teach.trees import Path, tree

# MAX is sure of 3 when the last leaf is left out: MIN has 2 there already.
SMALL = number_tree(((3, 12), (2, 4)))
TOP: Path = ()
LEFT: Path = (0,)
RIGHT: Path = (1,)
LEFT_OUT: Path = (1, 1)


class BoardPicture(NamedTuple):
    """A board as a picture: numbers by square and whose they are; who could win where next."""

    board: Position
    values: Mapping[Square, tuple[str, Mark | str]] = {}
    last: Square | None = None
    threatened: tuple[Square, ...] = ()


class Term(NamedTuple):
    """A word, what it means, the screen that brings it, and its picture."""

    name: str
    text: str
    screen: int
    boards: tuple[BoardPicture, ...] = ()
    tree: Tree | None = None

    @property
    def names(self) -> Mapping[Path, str] | None:
        """What the nodes of a tree of numbers are called; None where boards stand there."""
        if not self.tree or self.tree.kind == "boards":
            return None
        return node_names(self.tree.root)


@cache
def terms() -> Mapping[str, Term]:
    """Return the words in the order of words.toml, by their ids."""
    return {name: _term(name, **said) for name, said in WORDS["terms"].items()}


def _term(id_: str, name: str, text: str, screen: int) -> Term:
    drawn = PICTURES[id_]
    if isinstance(drawn, Tree):
        return Term(name, text, screen, tree=drawn)
    return Term(name, text, screen, boards=drawn)


def _numbers(known: Mapping[Path, str], lit: Collection[Path] = (), cut: bool = False) -> Tree:
    """Return the small tree with what is `known` at its forks, and the `lit` nodes in ink."""
    marks = {node.digits: Marking(look="lit" if node.path in lit else "") for node in SMALL.walk()}
    for path, text in known.items():
        marks[SMALL.at(path).digits]["chip"] = Chip(text, "nobody")
    if cut:
        marks[SMALL.at(LEFT_OUT).digits] = Marking(look="gone", edge="cut")
    return Tree(SMALL, marks)


def _values(sign: int = 1) -> Mapping[Path, str]:
    """Return the values of the forks, those of MIN times `sign`."""
    forks = [node for node in SMALL.walk() if node.below]
    return {
        node.path: figure(node.value if node.is_max else sign * node.value).text for node in forks
    }


def _threatening(board: str, last: Square) -> BoardPicture:
    position = Position.parse(board)
    return BoardPicture(position, last=last, threatened=threats(position, OTHER[position.turn]))


def _scored(board: str) -> BoardPicture:
    position = Position.parse(board)
    known = results(position)
    scores = analyze(position).items()
    return BoardPicture(
        position, {at: (signed(score), known[at].winner or "") for at, score in scores}
    )


ALL = _values()
BOUND = {LEFT: ALL[LEFT], RIGHT: "≤ 2"}
PICTURES: Mapping[str, Tree | tuple[BoardPicture, ...]] = {
    "score": (_scored("OX--X-OOX"),),
    "max": _numbers({TOP: ALL[TOP]}, lit=[TOP]),
    "min": _numbers({LEFT: ALL[LEFT], RIGHT: ALL[RIGHT]}, lit=[LEFT, RIGHT]),
    "minimax": _numbers(ALL),
    "node": Tree(tree(Position.parse("XOXOOX---"), "flat"), {}, deep=1),
    "leaf": _numbers({}, lit=[leaf.path for leaf in SMALL.leaves]),
    "threat": (_threatening("X-X-O----", 2),),
    "fork": (_threatening("X-X-O-O-X", 8),),
    "perfect-play": (BoardPicture(Position.parse("XOXXOOOXX")),),
    "depth": _numbers({TOP: "turn 1", LEFT: "turn 2"}, lit=[TOP, LEFT]),
    "negamax": _numbers(_values(-1)),
    "memo": (_scored("XOXOOX-X-"), _scored("XOXOOX-X-")),
    "symmetry": tuple(BoardPicture(Position().play(square)) for square in (0, 2, 8)),
    "alpha": _numbers({TOP: "≥ 3", LEFT: ALL[LEFT]}, lit=[TOP]),
    "beta": _numbers(BOUND, lit=[RIGHT]),
    "cut": _numbers(BOUND, cut=True),
    "alpha-beta": _numbers({TOP: ALL[TOP], **BOUND}, cut=True),
}
