"""The tree below a position, as the pages show it: its nodes, and who would choose which.

A tree hangs from its root, the position being decided, and a node of it is named by its path:
the squares played since. The side to move at the root is MAX, so the levels an even distance
below it are MAX's, the others MIN's, and every value is MAX's, counted from the root.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from engine.explain import threats
from engine.position import OTHER, Position, Square
from engine.search import Result, Safe, best_moves, results, safe_replies
from engine.symmetry import Symmetry, branches, canonical, relation
from engine.trace import Back, Cut, Enter, Path, Run, Scoring, plain, run, value

View = Literal["merged", "all", "alpha-beta"]

VIEWS: tuple[View, ...] = ("merged", "all", "alpha-beta")
LEVELS = 3  # how deep one page nests


def follow(root: Position, path: Path) -> Position:
    """Return the position at `path`. Raises IllegalMoveError where it breaks the rules."""
    for square in path:
        root = root.play(square)
    return root


class Met(NamedTuple):
    """Say where a position was met before, and which symmetry takes that one to this."""

    path: Path
    symmetry: Symmetry


def met_before(root: Position, path: Path, merged: bool) -> Met | None:
    """Say where the position at `path` was met before, among the levels that nest with it.

    Three levels nest below the root, below each node three turns on, and so forth. They are read
    level by level, each in the order of its cards. None where the position is new.
    Raises IllegalMoveError where the path breaks the rules.
    """
    above = path[: (len(path) - 1) // LEVELS * LEVELS]
    top, position = follow(root, above), follow(root, path)
    first = above + _first_paths(top, merged).get(_same(position, merged), path[len(above) :])
    symmetry = relation(follow(root, first), position)
    return Met(first, symmetry) if symmetry and first != path else None


@lru_cache(maxsize=64)
def _first_paths(root: Position, merged: bool) -> dict[Position, Path]:
    first: dict[Position, Path] = {}
    level: dict[Path, Position] = {(): root}
    for _ in range(LEVELS):
        below = {
            (*path, branch.square): branch.position
            for path, position in level.items()
            for branch in branches(position, merged)
        }
        for path, position in below.items():
            first.setdefault(_same(position, merged), path)
        # Whatever lies below a position met before was met before, too.
        level = {path: at for path, at in below.items() if first[_same(at, merged)] == path}
    return first


def _same(position: Position, merged: bool) -> Position:
    """Return what all positions that a view takes for the same have in common."""
    return canonical(position) if merged else position


class Card(NamedTuple):
    """Hold one node of the tree as a view shows it, `below` nodes under it in the full tree.

    It is starred if perfect play chooses among it and others. Where alpha-beta searched, what
    it saw is in `enter` and `back`, and the `cut` that left the node out in the third; all are
    None in other views, and where a node further up was left out.
    """

    path: Path
    mirrors: tuple[Square, ...]
    position: Position
    value: int
    below: int
    met: Met | None
    safe: Safe
    starred: bool
    enter: Enter | None = None
    back: Back | None = None
    cut: Cut | None = None

    @property
    def square(self) -> Square:
        """Return the square that the card plays."""
        return self.path[-1]


def cards(root: Position, path: Path, merged: bool, scoring: Scoring) -> list[Card]:
    """Return the children of the node at `path`, in square order; none once the game is over.

    Raises IllegalMoveError where the path breaks the rules.
    """
    position = follow(root, path)
    best = best_moves(position)
    return [
        Card(
            path=(*path, square),
            mirrors=mirrors,
            position=child,
            value=value(child, len(path) + 1, scoring),
            below=plain(child).nodes - 1,
            met=met_before(root, (*path, square), merged),
            safe=safe_replies(position, square),
            starred=square in best,
        )
        for square, mirrors, child in branches(position, merged)
    ]


def searched_cards(root: Position, path: Path, scoring: Scoring) -> list[Card]:
    """Return the same children with what alpha-beta in square order saw of each.

    A move is starred where the search settled on it: to alpha-beta only a move that is seen to
    improve on those before is better. Raises ValueError with more than four empty squares.
    """
    search = run(root, "alpha-beta", scoring, "squares")
    enters = {step.path: step for step in search.steps if isinstance(step, Enter)}
    backs = {step.path: step for step in search.steps if isinstance(step, Back)}
    cuts = {
        (*step.path, s): step for step in search.steps if isinstance(step, Cut) for s in step.rest
    }
    settled = _settled(search, path)
    return [
        card._replace(
            starred=card.path == settled,
            enter=enters.get(card.path),
            back=backs.get(card.path),
            cut=cuts.get(card.path),
        )
        for card in cards(root, path, merged=False, scoring=scoring)
    ]


def _settled(search: Run, path: Path) -> Path | None:
    """Return the last child of the node at `path` that was seen to improve on those before."""
    better = [
        step.path
        for step in search.steps
        if isinstance(step, Back) and step.path[:-1] == path and step.improves
    ]
    return better[-1] if better else None


class Choices(NamedTuple):
    """Hold the moves that each of two players chooses among, by the score alone.

    The `fighter` counts turns. The `fatalist` sees only won, drawn and lost, and takes the
    first of its moves: once lost it does not care, and may not even block the squares `open`,
    where the opponent then wins. The results are those of their first moves, and count turns
    from the root.
    """

    fatalist: tuple[Square, ...]
    fighter: tuple[Square, ...]
    fatalist_result: Result
    fighter_result: Result
    open: tuple[Square, ...]


def choices(root: Position, path: Path) -> Choices | None:
    """Return what each would choose at the node at `path`.

    None where the fighter might play as the fatalist does, or once the game is over.
    Raises IllegalMoveError where the path breaks the rules.
    """
    position = follow(root, path)
    fatalist, fighter = _highest(position, "flat"), _highest(position, "depth")
    if fatalist[:1] == fighter[:1]:
        return None
    found = results(position)
    return Choices(
        fatalist=fatalist,
        fighter=fighter,
        fatalist_result=_from_root(found[fatalist[0]], path),
        fighter_result=_from_root(found[fighter[0]], path),
        open=threats(position.play(fatalist[0]), OTHER[position.turn]),
    )


def _from_root(result: Result, path: Path) -> Result:
    return result._replace(turns=result.turns + len(path))


def _highest(position: Position, scoring: Scoring) -> tuple[Square, ...]:
    values = {s: value(position.play(s), 1, scoring) for s in position.legal_moves()}
    return tuple(square for square in values if values[square] == max(values.values()))
