"""The tree below a position: its branches, what alpha-beta saw of it, and what it cost.

A tree hangs from its root, the position being decided, and a node of it is named by its path:
the squares played since. The side to move at the root is MAX, so the levels an even distance
below it are MAX's, the others MIN's, and every value is MAX's, counted from the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import takewhile
from math import inf
from typing import Literal, NamedTuple

from engine.position import Position, Square, reachable
from engine.search import score
from engine.symmetry import Symmetry, canonical, relation

Path = tuple[Square, ...]
View = Literal["merged", "all", "alpha-beta"]
Scoring = Literal["depth", "flat"]
Bound = Literal["exact", "at most", "at least"]

VIEWS: tuple[View, ...] = ("merged", "all", "alpha-beta")
SCORINGS: tuple[Scoring, ...] = ("depth", "flat")
LEVELS = 3  # how deep one page nests


def value(position: Position, distance: int, scoring: Scoring) -> int:
    """Return what `position` is worth to MAX, who decides `distance` turns above it.

    A win on turn n of that decision is `10 - n`, a loss `n - 10`, a draw `0`; flat, they are 1,
    -1 and 0. So a node has the highest value of its children on MAX's levels, the lowest on MIN's.
    """
    own = score(position)
    sign = (own > 0) - (own < 0)
    counted = own - sign * distance if scoring == "depth" else sign
    return counted if distance % 2 == 0 else -counted


def follow(root: Position, path: Path) -> Position:
    """Return the position at `path`. Raises IllegalMoveError where it breaks the rules."""
    for square in path:
        root = root.play(square)
    return root


class Branch(NamedTuple):
    """Hold one child of a position: the lowest square that leads to it, and its mirror images."""

    square: Square
    mirrors: tuple[Square, ...]
    position: Position


def branches(position: Position, view: View) -> list[Branch]:
    """Return the children that `view` tells apart, in square order; none once over."""
    squares: dict[Position, list[Square]] = {}
    after = position.children()
    for square, child in after.items():
        squares.setdefault(_same(child, view), []).append(square)
    return [Branch(square, tuple(rest), after[square]) for square, *rest in squares.values()]


def _same(position: Position, view: View) -> Position:
    """Return what all positions that `view` takes for the same have in common."""
    return canonical(position) if view == "merged" else position


class Met(NamedTuple):
    """Say where a position was met before, and which symmetry takes that one to this."""

    path: Path
    symmetry: Symmetry


def met_before(root: Position, path: Path, view: View) -> Met | None:
    """Say where the position at `path` was met before, among the levels that nest with it.

    Three levels nest below the root, below each node three turns on, and so forth. They are read
    level by level, each in the order of its cards. None where the position is new.
    Raises IllegalMoveError where the path breaks the rules.
    """
    above = path[: (len(path) - 1) // LEVELS * LEVELS]
    top, position = follow(root, above), follow(root, path)
    first = above + _first_paths(top, view).get(_same(position, view), path[len(above) :])
    symmetry = relation(follow(root, first), position)
    return Met(first, symmetry) if symmetry and first != path else None


@lru_cache(maxsize=64)
def _first_paths(root: Position, view: View) -> dict[Position, Path]:
    first: dict[Position, Path] = {}
    level: dict[Path, Position] = {(): root}
    for _ in range(LEVELS):
        below = {
            (*path, branch.square): branch.position
            for path, position in level.items()
            for branch in branches(position, view)
        }
        for path, position in below.items():
            first.setdefault(_same(position, view), path)
        # Whatever lies below a position met before was met before, too.
        level = {path: at for path, at in below.items() if first[_same(at, view)] == path}
    return first


class Visit(NamedTuple):
    """Hold the window that alpha-beta searched a node with, and the value it returned.

    A bound is -inf or inf while open. The value is exact inside the window and where the game
    is over. Outside it is "at most" alpha, which MAX already has, or "at least" beta, MIN's.
    """

    alpha: float
    beta: float
    returned: float
    bound: Bound


class Cut(NamedTuple):
    """Say why alpha-beta did not search a node.

    On the level above, the side to move can force `forced` by playing `by`, searched before.
    The other side already has `had` elsewhere, no worse for it, so it will not let this happen.
    """

    had: float
    forced: int
    by: Square


def arrival(root: Position, path: Path, scoring: Scoring) -> Visit | Cut | None:
    """Return how alpha-beta from `root` comes to the node at `path`; None if a cut lies above it.

    It is the fail-hard form with bounds open at the root and children in square order.
    Raises IllegalMoveError where the path breaks the rules.
    """
    position = root
    found: Visit | Cut | None = Visit(-inf, inf, value(root, 0, scoring), "exact")
    for distance, square in enumerate(path):
        child = position.play(square)
        here = arrivals(position, distance, found, scoring)
        position, found = child, here.get(square)
    return found


def arrivals(
    position: Position, distance: int, at: Visit | Cut | None, scoring: Scoring
) -> dict[Square, Visit | Cut]:
    """Return how alpha-beta comes to each child of a node; empty if it did not search the node.

    Fail-hard alpha-beta returns the true value or the bound nearest to it, so the true values
    tell all that it does. Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975.
    """
    if not isinstance(at, Visit):
        return {}
    alpha, beta = at.alpha, at.beta
    found: dict[Square, Visit | Cut] = {}
    cut: Cut | None = None
    for square, child in position.children().items():
        exact = value(child, distance + 1, scoring)
        found[square] = cut or _visit(child, exact, alpha, beta)
        if cut:
            continue
        if distance % 2 == 0:
            had, alpha = beta, max(alpha, exact)
        else:
            had, beta = alpha, min(beta, exact)
        if alpha >= beta:
            cut = Cut(had, exact, square)
    return found


def _visit(position: Position, exact: int, alpha: float, beta: float) -> Visit:
    if position.outcome() or alpha < exact < beta:
        return Visit(alpha, beta, exact, "exact")
    if exact <= alpha:
        return Visit(alpha, beta, alpha, "at most")
    return Visit(alpha, beta, beta, "at least")


class Card(NamedTuple):
    """Hold one node of the tree as a view shows it, `below` nodes under it in the full tree.

    In the alpha-beta view it has a `visit`, or the `cut` that left it out, or neither if its
    parent was not searched. The other views have neither.
    """

    path: Path
    mirrors: tuple[Square, ...]
    position: Position
    value: int
    below: int
    met: Met | None
    visit: Visit | None
    cut: Cut | None

    @property
    def square(self) -> Square:
        """Return the square that the card plays."""
        return self.path[-1]


def cards(root: Position, path: Path, view: View, scoring: Scoring) -> list[Card]:
    """Return the children of the node at `path`, in square order; none once the game is over.

    Raises IllegalMoveError where the path breaks the rules.
    """
    position = follow(root, path)
    found: dict[Square, Visit | Cut] = {}
    if view == "alpha-beta":
        found = arrivals(position, len(path), arrival(root, path, scoring), scoring)
    below = []
    for square, mirrors, child in branches(position, view):
        here = (*path, square)
        at = found.get(square)
        below.append(
            Card(
                here,
                mirrors,
                child,
                value(child, len(here), scoring),
                plain_nodes(child) - 1,
                met_before(root, here, view),
                at if isinstance(at, Visit) else None,
                at if isinstance(at, Cut) else None,
            )
        )
    return below


class Choices(NamedTuple):
    """Hold the moves that each of two players chooses among, by the score alone.

    The `fighter` counts turns. The `fatalist` sees only won, drawn and lost, and takes the
    first of its moves: once lost it does not care, and may not even block.
    """

    fatalist: tuple[Square, ...]
    fighter: tuple[Square, ...]

    @property
    def differ(self) -> bool:
        """Say whether counting turns changes anything."""
        return self.fatalist != self.fighter


def choices(position: Position) -> Choices:
    """Return the moves with the highest score, flat and depth-aware; none once over."""
    return Choices(_highest(position, "flat"), _highest(position, "depth"))


def _highest(position: Position, scoring: Scoring) -> tuple[Square, ...]:
    values = {s: value(position.play(s), 1, scoring) for s in position.legal_moves()}
    return tuple(square for square in values if values[square] == max(values.values()))


class Cost(NamedTuple):
    """Count the nodes that each kind of search visits, the position it starts from included."""

    plain: int
    alpha_beta: int
    best_first: int
    memoised: int
    symmetric: int


@cache
def cost(position: Position, scoring: Scoring) -> Cost:
    """Return what it costs to solve `position`, counted by running each search.

    Alpha-beta is the fail-hard form with open bounds, without a memo; the memos go without it.
    """
    return Cost(
        plain_nodes(position),
        _alpha_beta(position, -inf, inf, scoring, _in_square_order)[1],
        _alpha_beta(position, -inf, inf, scoring, _best_first)[1],
        _memoised_nodes(canonical(position), "all"),
        _memoised_nodes(canonical(position), "merged"),
    )


@cache
def plain_nodes(position: Position) -> int:
    """Count the nodes of plain minimax: every way to play on from `position`, and itself."""
    # Mirror images have trees of the same size, so each is walked once.
    return 1 + sum(plain_nodes(canonical(child)) for child in position.children().values())


Order = Callable[[Position, Scoring], Iterable[Position]]


def _alpha_beta(
    position: Position, alpha: float, beta: float, scoring: Scoring, order: Order
) -> tuple[float, int]:
    """Return the value for the side to move, within the window, and the nodes visited."""
    replies = order(position, scoring)
    if not replies:
        return _end(position, scoring), 1
    visited = 1
    for child in replies:
        reply, below = _alpha_beta(child, -beta, -alpha, scoring, order)
        visited += below
        alpha = max(alpha, -reply)
        if alpha >= beta:
            return beta, visited
    return alpha, visited


@cache
def _end(position: Position, scoring: Scoring) -> int:
    """Return what the end of a game is worth to the side to move, which has lost or drawn.

    Turns count from the empty board, not the root: only which value is higher matters here.
    """
    return -abs(value(position, position.ply, scoring))


def _in_square_order(position: Position, scoring: Scoring) -> Iterable[Position]:
    return position.children().values()


def _best_first(position: Position, scoring: Scoring) -> Iterable[Position]:
    # What is worst for the opponent is best for the side to move.
    return sorted(position.children().values(), key=lambda child: value(child, 0, scoring))


@cache
def _memoised_nodes(position: Position, view: View) -> int:
    """Count the nodes of minimax with a memo, which are the different positions it meets."""
    memo: dict[Position, int] = {}
    _memoised(position, view, memo)
    return len(memo)


def _memoised(position: Position, view: View, memo: dict[Position, int]) -> int:
    """Return the plain value for the side to move: 1, 0 or -1."""
    position = _same(position, view)
    if position not in memo:
        replies = [-_memoised(child, view, memo) for child in position.children().values()]
        memo[position] = max(replies) if replies else _end(position, "flat")
    return memo[position]


def warm_up() -> None:
    """Count what the largest trees cost, so that no page waits for it."""
    for position in takewhile(lambda position: position.ply <= 2, reachable()):
        for scoring in SCORINGS:
            cost(position, scoring)
