"""What the lesson asks, what is right and what is wrong first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from inspect import getsource
from typing import Literal, NamedTuple

from engine.notation import to_digits
from engine.players import random
from engine.position import OTHER, Mark, Position, Square
from engine.search import WIN, analyse, sign
from engine.symmetry import branches
from teach.rules import picks
from teach.searches import MOST_EMPTY, Cut, Node, Path, Recorder, Scoring, code, run, value
from teach.trees import TreeNode, run_tree, tree

Kind = Literal["value", "pick", "tick"]
Mistake = Literal[
    "empty", "other end", "other turn", "not below", "not taken", "is searched", "is left out"
]
SHOW = "show"  # the answer that asks for the right one


# The code


# Minimax once more: each value is for the side to move, so that both sides take the highest.
def negamax(node: Node) -> float:
    if node.over:
        return node.value if node.is_max else -node.value
    return max(-negamax(child) for child in node.children())


def listings() -> dict[str, tuple[str, ...]]:
    """Return the lines of both forms of the search, as they run, and of the random player."""
    head, *_, body = getsource(random).splitlines()
    return {
        "minimax": code("minimax"),
        "negamax": tuple(getsource(negamax).splitlines()),
        "random": (head, body),
    }


# The trees


def hide(node: TreeNode, keep: Callable[[TreeNode], bool]) -> TreeNode:
    """Return a tree without best play and without values, but for those of the nodes to keep."""
    kept = node if keep(node) else node._replace(value=None)
    return kept._replace(
        chosen=False, starred=False, below=tuple(hide(child, keep) for child in node.below)
    )


def is_leaf(node: TreeNode) -> bool:
    """Say whether the game is over at a node."""
    return node.position.outcome() is not None


def cropped(node: TreeNode, levels: int) -> TreeNode:
    """Return so many levels of a tree below its root."""
    below = tuple(cropped(child, levels - 1) for child in node.below) if levels else ()
    return node._replace(below=below)


def for_the_side_to_move(node: TreeNode) -> TreeNode:
    """Return a tree with the values that negamax returns."""
    own = negamax(Node(node.path, node.position, "depth", "squares", Recorder()))
    return node._replace(value=own, below=tuple(map(for_the_side_to_move, node.below)))


def once(root: TreeNode) -> tuple[TreeNode, tuple[Path, ...]]:
    """Return a tree as a memo leaves it, and the nodes it looks up as they came up before.

    What is below one that is looked up is not searched again.
    """
    met: set[Position] = set()
    again: list[Path] = []

    def visit(node: TreeNode) -> TreeNode:
        if node.position in met:
            again.append(node.path)
            return cross(node._replace(stage="cut"))
        met.add(node.position)
        return node._replace(below=tuple(map(visit, node.below)))

    def cross(node: TreeNode) -> TreeNode:
        return node._replace(
            below=tuple(cross(child._replace(stage="below a cut")) for child in node.below)
        )

    return visit(root), tuple(again)


def upwards(node: TreeNode) -> Iterator[TreeNode]:
    """Yield all nodes in the order in which minimax knows their values, the root last."""
    for child in node.below:
        yield from upwards(child)
    yield node


# The questions


class Question(NamedTuple):
    """Hold a question about the tree below a position.

    `value`: what each node of `paths` is worth · `pick`: one of the options · `tick`: which nodes
    of `paths` are not searched; a tick stands for the node and all below it. The nodes are in the
    order in which a search enters them, and so are the `right` answers. The tree is drawn as
    `before` until they are found, then as `after`.
    """

    kind: Kind
    position: Position
    before: TreeNode
    after: TreeNode
    options: tuple[str, ...]
    right: tuple[str, ...]
    paths: tuple[Path, ...] = ()


def _value(board: str, leaves: bool) -> Question:
    """Ask for the values of the leaves, or of all other nodes, the leaves being given."""
    position = Position.parse(board)
    after = tree(position, merged=False, scoring="depth")
    asked = [node for node in after.walk() if is_leaf(node) == leaves]
    turns = range(1, 1 + len(position.legal_moves()))
    return Question(
        kind="value",
        position=position,
        before=hide(after, lambda node: is_leaf(node) and not leaves),
        after=after,
        options=(*(str(WIN - n) for n in turns), "0", *(str(n - WIN) for n in reversed(turns))),
        right=tuple(f"{node.value}" for node in asked),
        paths=tuple(node.path for node in asked),
    )


def _move(
    board: str,
    right: Square,
    scoring: Scoring = "depth",
    merged: bool = False,
    levels: int = MOST_EMPTY,
) -> Question:
    """Ask which move to play; those that come to the same are one if `merged`."""
    position = Position.parse(board)
    after = cropped(tree(position, merged=merged, scoring="depth"), levels)
    flat = cropped(tree(position, merged=merged, scoring="flat"), levels)
    return Question(
        kind="pick",
        position=position,
        before=hide(flat, lambda _: True) if scoring == "flat" else hide(after, lambda _: False),
        after=after,
        options=tuple(str(branch.square) for branch in branches(position, merged)),
        right=(str(right),),
    )


def _only(board: str, merged: bool = False, levels: int = MOST_EMPTY) -> Question:
    """Ask for the first move with the highest value."""
    scores = analyse(Position.parse(board))
    return _move(board, max(scores, key=scores.__getitem__), merged=merged, levels=levels)


def _who() -> Question:
    """Ask what a node is worth where the other side chooses between what differs."""
    position = Position.parse("O-XX--XOO")
    after = tree(position, merged=False, scoring="depth")
    node = after.below[0]
    return Question(
        kind="pick",
        position=position,
        before=hide(after, is_leaf),
        after=after,
        options=tuple(f"{child.value}" for child in node.below),
        right=(f"{node.value}",),
        paths=(node.path,),
    )


def _sign() -> Question:
    """Ask what negamax returns for a node of which minimax has a value."""
    position = Position.parse("O-XX--XOO")
    before = tree(position, merged=False, scoring="depth")
    after = for_the_side_to_move(before)
    node = before.below[0]
    return Question(
        kind="pick",
        position=position,
        before=hide(before, lambda _: True),
        after=after,
        options=tuple(f"{v}" for v in sorted({value_of(node), 0, -value_of(node)})),
        right=(f"{value_of(after.below[0])}",),
        paths=(node.path,),
    )


def value_of(node: TreeNode) -> int:
    """Return the value of a node that has one, as a whole number."""
    assert node.value is not None, "its search is over"
    return int(node.value)


def _again() -> Question:
    position = Position.parse("--OXX-X-O")
    whole = tree(position, merged=False, scoring="depth")
    after, again = once(whole)
    return _tick(position, hide(whole, is_leaf), after, again)


def _tick(position: Position, before: TreeNode, after: TreeNode, out: Sequence[Path]) -> Question:
    paths = tuple(node.path for node in before.walk() if node.path)
    return Question(
        kind="tick",
        position=position,
        before=before,
        after=after,
        options=tuple(map(to_digits, paths)),
        right=tuple(map(to_digits, out)),
        paths=paths,
    )


def _mirror() -> Question:
    """Ask which move is the mirror image of the first."""
    position = Position.parse("-X-O-OXOX")
    first = branches(position)[0]
    whole = tree(position, merged=False, scoring="depth")
    return Question(
        kind="pick",
        position=position,
        before=hide(whole, is_leaf),
        after=tree(position, merged=True, scoring="depth"),
        options=tuple(str(square) for square in position.legal_moves()[1:]),
        right=tuple(map(str, first.mirrors)),
    )


def _cut() -> Question:
    """Ask, where alpha-beta first cuts, whether what is left is searched."""
    position = Position.parse("XOO---XXO")
    search = run(position, "alpha-beta", "depth", "squares")
    at = next(n for n, step in enumerate(search.steps) if isinstance(step, Cut))
    return Question(
        kind="pick",
        position=position,
        before=run_tree(search, at),
        after=run_tree(search, len(search.steps)),
        options=("searched", "cut"),
        right=("cut",),
        paths=(search.steps[at].path,),
    )


def _never() -> Question:
    position = Position.parse("---XOXXO-")
    search = run(position, "alpha-beta", "depth", "squares")
    out = [(*cut.path, s) for cut in search.steps if isinstance(cut, Cut) for s in cut.rest]
    whole = tree(position, merged=False, scoring="depth")
    return _tick(position, hide(whole, is_leaf), run_tree(search, len(search.steps)), out)


@cache
def questions() -> Mapping[str, Question]:
    """Return the questions of the lesson by name, in its order."""
    flat = picks(Position.parse("O--X-XOOX"))[0]
    return {
        "ends": _value("XXOOO-XX-", leaves=True),
        "who": _who(),
        "fill": _value("XO-X-O-XO", leaves=False),
        "only": _only("-O-XOXOX-"),
        "fork": _only("--XXOO-XO"),
        "odds": _only("X---O---X", merged=True),
        "flat": _move("O--X-XOOX", flat.square, scoring="flat"),
        "lost": _only("-X---XOOX", levels=2),
        "sign": _sign(),
        "again": _again(),
        "mirror": _mirror(),
        "cut": _cut(),
        "never": _never(),
    }


# The answers


class Judged(NamedTuple):
    """Say how an answer is: the verdict, what was `given`, and the first mistake.

    `at` is the node at which it was made, None for a pick, and `instead` the value given there.
    """

    verdict: Literal["right", "wrong", "shown"] | None
    given: tuple[str, ...]
    mistake: Mistake | None = None
    at: Path | None = None
    instead: str = ""


def judge(question: Question, given: tuple[str, ...]) -> Judged:
    """Judge an answer, none at all included, and name the first mistake in the order of a search.

    Raises ValueError, with the reason, for what is no answer to the question.
    """
    if SHOW in given:
        return Judged("shown", (SHOW,))
    _refuse(question, given)
    if not given:
        return Judged(None, ())
    if question.kind == "pick":
        return Judged("right" if given == question.right else "wrong", given)
    check = _first_wrong_value if question.kind == "value" else _first_wrong_tick
    return check(question, given) or Judged("right", given)


def _refuse(question: Question, given: tuple[str, ...]) -> None:
    takes = {"value": len(question.paths), "pick": 1}.get(question.kind, len(given))
    if given and len(given) != takes:
        raise ValueError(f"that question takes {takes} answer{'s' if takes != 1 else ''}")
    allowed = question.options if question.kind == "pick" else ("", *question.options)
    if not set(given) <= set(allowed):
        raise ValueError(f"an answer is one of {', '.join(question.options)}")


def _first_wrong_value(question: Question, given: tuple[str, ...]) -> Judged | None:
    answers = dict(zip(question.paths, zip(given, question.right, strict=True), strict=True))
    for path in (node.path for node in upwards(question.after) if node.path in answers):
        answer, right = answers[path]
        if answer != right:
            return Judged("wrong", given, _why_not(question.position, path, answer), path, answer)
    return None


def _why_not(root: Position, path: Path, answer: str) -> Mistake:
    if not answer:
        return "empty"
    position = root.after(path)
    true = value(position, len(path), "depth")
    if position.outcome():
        return "other turn" if sign(int(answer)) == sign(true) else "other end"
    below = [value(child, len(path) + 1, "depth") for child in position.children().values()]
    return "not taken" if int(answer) in below else "not below"


def _first_wrong_tick(question: Question, given: tuple[str, ...]) -> Judged | None:
    for path in question.paths:
        ticked, out = is_below(path, given), is_below(path, question.right)
        if ticked != out:
            return Judged("wrong", given, "is searched" if ticked else "is left out", path)
    return None


def is_below(path: Path, ticks: Sequence[str]) -> bool:
    """Say whether a node, or one above it, is ticked."""
    return any(tick and to_digits(path).startswith(tick) for tick in ticks)


# At random


def average(position: Position, mark: Mark) -> Fraction:
    """Return what `mark` gets on average if both sides play at random: 1 for a win, -1 for a loss.

    All moves are equally likely, each time.
    """
    if outcome := position.outcome():
        return Fraction({mark: 1, OTHER[mark]: -1, None: 0}[outcome.winner])
    children = position.children().values()
    return sum((average(child, mark) for child in children), Fraction()) / len(children)
