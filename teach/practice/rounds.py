"""Practice: the questions, rounds of ten, and the judging of presses.

Three kinds: find the only move; fill in the values of a tree; say at each fork of a tree whether
alpha-beta looks at the last board or cuts. In a tree a win of X counts 1, a win of O -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from math import inf
from random import Random
from typing import Literal, NamedTuple

from engine.position import Position, Square
from engine.reasons import why
from engine.results import holding_moves, variation_after
from engine.search import analyse, sign
from engine.symmetry import SYMMETRIES, image, mirror_images_as_one, representatives
from teach.counts import plain
from teach.lesson.trees import grown
from teach.searches import BACK, ENTERED, run
from teach.trees import Node, tree

Kind = Literal["moves", "values", "cuts"]

# How many questions of each hardness a round has, easy first. The only move `completes` a line,
# `blocks` a line, `forks` or is `quiet`. Values are asked in trees of at most so many boards. A cut
# is a `tie`, comes `after a win` at once of either side, or is `clear`; in `both` alpha-beta cuts
# at a fork, and goes on at another though X has a value.
ROUNDS: Mapping[Kind, Mapping[str, int]] = {
    "moves": {"completes": 3, "blocks": 3, "forks": 2, "quiet": 2},
    "values": {"5": 3, "10": 3, "12": 2, "16": 2},
    "cuts": {"clear": 4, "after a win": 2, "tie": 1, "both": 3},
}
RARE = ("clear", "both")  # few images are as hard, so each goes before easier images of a position
OF = 10  # questions in a round
NUMBERS = 1_000  # rounds of each kind
ASTRAY = "no press on this page leads there"


# The questions


@cache
def to_practise(kind: Kind) -> Mapping[str, list[tuple[Position, ...]]]:
    """Return the positions to ask about, by hardness, each as a group of its images.

    All images are asked, but for cuts: the order of a search differs from image to image.
    """
    found: dict[str, list[tuple[Position, ...]]] = {hardness: [] for hardness in ROUNDS[kind]}
    for position in dict.fromkeys(representatives().values()):
        images: dict[str | None, list[Position]] = {}
        for turned in dict.fromkeys(image(position, symmetry) for symmetry in SYMMETRIES):
            images.setdefault(HARDNESS[kind](turned), []).append(turned)
        if hardness := next((hardness for hardness in (*RARE, *found) if hardness in images), None):
            found[hardness].append(tuple(images[hardness]))
    return found


@mirror_images_as_one
def _how_hard_to_find(position: Position) -> str | None:
    """Say how hard the only move to keep a win or a draw is to see, among three moves or more."""
    kept = keepers(position)
    if len(kept) != 1 or len(position.legal_moves()) < 3:
        return None
    reason = why(position, kept[0]).reason
    return reason if reason in ROUNDS["moves"] else "quiet"


def keepers(position: Position) -> tuple[Square, ...]:
    """Return the moves that keep a win or a draw, unless all moves do.

    >>> keepers(Position.parse("XX-OO----"))
    (2,)
    """
    scores = analyse(position)
    kept = holding_moves(scores)
    return kept if len(kept) < len(scores) else ()


@mirror_images_as_one
def _how_hard_to_fill(position: Position) -> str | None:
    """Say how large the tree of two or three empty squares is; moves must differ in value.

    Trees of fewer than five boards are not asked.
    """
    if position.ply not in (6, 7) or len(set(map(sign, analyse(position).values()))) < 2:
        return None
    boards = plain(position)
    return next(most for most in ROUNDS["values"] if boards <= int(most)) if boards > 4 else None


def _how_hard_to_cut(position: Position) -> str | None:
    """Name the cuts of alpha-beta in square order, from three empty squares."""
    if position.ply != 6 or position.outcome():
        return None
    steps = run(tree(position, "flat"), "alpha-beta").steps
    found = set()
    for step, following in pairwise(steps):
        goes_on = len(step.path) == 2 and step.kind in BACK and following.kind in ENTERED
        if following.kind == "cut":
            won = any(position.after(path).outcome() for path in (step.path, following.by))
            tie = following.value == following.against
            found.add("tie" if tie else "after a win" if won else "clear")
        elif goes_on and step.after.alpha > -inf:
            found.add("both")
    if found <= {"both"}:
        return None
    return next(hardness for hardness in (*RARE, *ROUNDS["cuts"]) if hardness in found)


HARDNESS: Mapping[Kind, Callable[[Position], str | None]] = {
    "moves": _how_hard_to_find,
    "values": _how_hard_to_fill,
    "cuts": _how_hard_to_cut,
}


def round_of(kind: Kind, number: int) -> tuple[Position, ...]:
    """Return the ten positions of a round, easy first, no two of them images of each other."""
    rng = Random(number)
    return tuple(
        rng.choice(images)
        for hardness, count in ROUNDS[kind].items()
        for images in rng.sample(to_practise(kind)[hardness], count)
    )


# Find the only move


class Moves(NamedTuple):
    """Say how far a learner is with the only move.

    `kept` are the right moves, mostly a single move; `found` was pressed or shown. To be drawn are
    the moves `made`: the right one, or the last wrong one and best play to the end.
    """

    kept: tuple[Square, ...]
    wrong: tuple[Square, ...] = ()
    found: Square | None = None
    made: tuple[Square, ...] = ()


def find(position: Position, presses: str) -> Moves:
    """Judge the squares pressed, digits in their order; `s` asks to be shown a right move.

    Raises ValueError, with the reason, for presses no page offers.

    >>> find(Position.parse("XX-OO----"), "52").wrong
    (5,)
    """
    kept = keepers(position)
    if not kept:
        raise ValueError("no move here keeps a win or a draw that another gives away")
    done = Moves(kept)
    for press in presses:
        free = [square for square in position.legal_moves() if square not in done.wrong]
        offered = {"s": kept[0], **{str(square): square for square in free}}
        if done.found is not None or press not in offered:
            raise ValueError(ASTRAY)
        square = offered[press]
        if square in kept:
            done = done._replace(found=square, made=(square,))
        else:
            line = variation_after(position, square)
            done = done._replace(wrong=(*done.wrong, square), made=line)
    return done


# Fill in the values

VALUES = {"x": 1, "d": 0, "o": -1}  # by the letter in an address: X wins, draw, O wins


class Values(NamedTuple):
    """Say how far a learner is: the boards to fill, the board asked, `at`, and the boards `known`.

    `boards` have the root last, as in a search. `wrong` are all the wrong values given, and `last`
    is the board of a value just given or shown.
    """

    root: Node
    boards: tuple[Node, ...]
    at: Node | None
    known: tuple[Node, ...] = ()
    wrong: tuple[tuple[Node, int], ...] = ()
    last: Node | None = None

    def is_ready(self, board: Node) -> bool:
        """Say whether the values of all boards below are known."""
        return all(child in self.known or not child.below for child in board.below)


def fill(position: Position, presses: str) -> Values:
    """Judge the values given, two characters each: the place of a board in `boards`, and a letter.

    `x` is +1, `d` 0, `o` -1, and `s` asks to be shown; a board alone, at the end, is asked next.
    Raises ValueError, with the reason, for trees never asked and presses no page offers.
    """
    if HARDNESS["values"](position) is None:
        raise ValueError("that tree is none to fill in")
    root = grown(position, filled=2)
    boards = (*(child for child in root.below if child.below), root)
    done = Values(root, boards, at=boards[0])
    for first in range(0, len(presses), 2):
        done = _filled(done, *presses[first : first + 2])
    return done


def _filled(done: Values, place: str, letter: str = "") -> Values:
    """Return how far a learner is after another press."""
    board = dict(zip("0123", done.boards, strict=False)).get(place)
    if board is None or board in done.known:
        raise ValueError(ASTRAY)
    if not letter:
        return done._replace(at=board, last=None)
    given = VALUES.get(letter, board.value)
    if letter not in (*VALUES, "s") or not done.is_ready(board) or (board, given) in done.wrong:
        raise ValueError(ASTRAY)
    if given != board.value:
        return done._replace(at=board, wrong=(*done.wrong, (board, given)), last=board)
    known = (*done.known, board)
    at = next((other for other in done.boards if other not in known), None)
    return done._replace(known=known, at=at, last=board)


# Cut


Verdict = Literal["looked", "went on", "in vain", "cut", "not yet", "lowest"]


class Said(NamedTuple):
    """Judge a press, and hold the best of each side before: `top` for X, `best` for O at a `fork`.

    `looked`: no choice · `went on` or `cut`: as alpha-beta does · `in vain`: alpha-beta cuts · `not
    yet`: alpha-beta goes on · `lowest`: alpha-beta goes on, though no value is lower. None is no
    value yet.
    """

    verdict: Verdict
    fork: Node
    top: int | None
    best: int | None


class Cuts(NamedTuple):
    """Say how far a learner is: the ends looked at, the ends cut, and the values known by path.

    Alpha-beta looks at `needed` of the `ends`. `wrong` says whether a choice was not alpha-beta's.
    """

    root: Node
    ends: tuple[Node, ...]
    needed: int
    looked: tuple[Node, ...] = ()
    cut: tuple[Node, ...] = ()
    values: Mapping[str, int] = {}
    wrong: bool = False
    last: Said | None = None

    @property
    def next(self) -> Node | None:
        """Return the end to look at next, None at the end."""
        return next(iter(self.ends[len(self.looked) + len(self.cut) :]), None)

    def fork(self, end: Node) -> Node:
        """Return the board of O above an end, or an end that is X's move itself."""
        return next(board for board in self.root.below if board.path == end.path[:1])

    @property
    def asks(self) -> Node | None:
        """Return the fork to go on with or cut, where O has a value already, else None."""
        fork = self.next and self.fork(self.next)
        return fork if fork and fork.digits in self.values else None

    @property
    def offered(self) -> str:
        """Return the presses offered, as in an address.

        A cut is offered at each fork once, as a second try would teach no more.
        """
        if not self.asks:
            return "u" if self.next else ""
        return "us" if self.last and self.last.verdict in ("not yet", "lowest") else "ucs"


def search(position: Position, presses: str) -> Cuts:
    """Judge the presses: `u` uncovers the next end, `c` cuts a fork, `s` asks to be shown.

    Raises ValueError, with the reason, for trees without cuts and presses no page offers.
    """
    if HARDNESS["cuts"](position) is None:
        raise ValueError("in that tree there is nothing to cut")
    steps = run(tree(position, "flat"), "alpha-beta").steps
    root = grown(position)
    done = Cuts(root, root.leaves, needed=sum(step.kind == "leaf" for step in steps))
    for press in presses:
        end = done.next
        if not end or press not in done.offered:
            raise ValueError(ASTRAY)
        done = _said(done, end, press)
    return done


def _said(done: Cuts, end: Node, press: str) -> Cuts:
    """Return how far a learner is after another press."""
    fork = done.fork(end)
    top, best = done.values.get(""), done.values.get(fork.digits)
    verdict: Verdict = "went on"
    if best is None:
        verdict = "looked"
    elif top is not None and best <= top:
        verdict = "in vain" if press == "u" else "cut"
    elif press == "c":
        verdict = "lowest" if top is None and best == -1 else "not yet"
    wrong = done.wrong or verdict in ("in vain", "not yet")
    done = done._replace(wrong=wrong, last=Said(verdict, fork, top, best))
    if verdict == "cut":
        return done._replace(cut=(*done.cut, end))
    if press == "c":
        return done
    value = end.value if best is None else min(best, end.value)
    values = {**done.values, end.digits: end.value, fork.digits: value}
    if end == (fork.below or (fork,))[-1]:
        values[""] = value if top is None else max(top, value)
    return done._replace(looked=(*done.looked, end), values=values)
