"""A second, independent implementation of the game and its search, as in textbooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import inf
from typing import NamedTuple

# A board is a string of nine characters, "X", "O" or "-", row by row.
EMPTY = "---------"
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


@cache
def winner(board: str) -> str | None:
    for line in LINES:
        marks = {board[int(square)] for square in line}
        if marks in ({"X"}, {"O"}):
            return marks.pop()
    return None


@cache
def is_over(board: str) -> bool:
    return winner(board) is not None or "-" not in board


@cache
def turn(board: str) -> str:
    return "XO"[board.count("X") - board.count("O")]


@cache
def children(board: str) -> dict[int, str]:
    """Return the board after each legal move; empty once the game is over."""
    if is_over(board):
        return {}
    return {
        square: board[:square] + turn(board) + board[square + 1 :]
        for square in range(9)
        if board[square] == "-"
    }


@cache
def all_boards() -> frozenset[str]:
    boards, layer = set[str](), {EMPTY}
    while layer:
        boards |= layer
        layer = {child for board in layer for child in children(board).values()}
    return frozenset(boards)


def games_of(
    choose: Callable[[str], int],
    side: str,
    choices: dict[str, int],
    board: str = EMPTY,
    moves: str = "",
) -> Iterator[tuple[str, str | None]]:
    """Yield the moves and the winner of each game that a player can get into.

    The player is `side`, and its choice on each board is recorded in `choices`.
    """
    if is_over(board):
        yield moves, winner(board)
        return
    squares = [*children(board)]
    if turn(board) == side:
        choices[board] = choose(board)
        squares = [choices[board]]
    for square in squares:
        yield from games_of(choose, side, choices, children(board)[square], f"{moves}{square}")


@cache
def minimax(board: str, side: str, distance: int = 0) -> int:
    """Return the score for `side` of a board that is `distance` plies below the root.

    As in most books, a win is worth 10 minus the distance, a draw 0.
    """
    if winning_side := winner(board):
        return 10 - distance if winning_side == side else distance - 10
    scores = [minimax(child, side, distance + 1) for child in children(board).values()]
    if not scores:
        return 0
    return max(scores) if turn(board) == side else min(scores)


@cache
def move_scores(board: str) -> dict[int, int]:
    """Return the score of each move for the side to move; empty once the game is over."""
    side = turn(board)
    return {square: minimax(child, side, 1) for square, child in children(board).items()}


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


@cache
def winning_squares(board: str, mark: str) -> tuple[int, ...]:
    """Return the empty squares where `mark` could win at once."""
    squares = set()
    for line in LINES:
        missing = [int(square) for square in line if board[int(square)] != mark]
        if len(missing) == 1 and board[missing[0]] == "-":
            squares.add(missing[0])
    return tuple(sorted(squares))


@cache
def sound_moves(board: str) -> tuple[int, ...]:
    """Return the moves with the best result: a win, otherwise a draw, otherwise a loss."""
    scores = move_scores(board)
    result = sign(max(scores.values()))
    return tuple(square for square, score in scores.items() if sign(score) == result)


@cache
def best(board: str) -> tuple[int, ...]:
    """Return the moves that Perfect chooses from; empty once the game is over.

    They have the best score, and of the moves with that score the best chance to win.
    """
    scores = move_scores(board)
    top_score = max(scores.values(), default=0)
    chances = {
        square: chance_after(children(board)[square])
        for square, score in scores.items()
        if score == top_score
    }
    top_chance = max(chances.values(), default=0)
    return tuple(square for square, chance in chances.items() if chance == top_chance)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@cache
def best_win_chance(board: str) -> Fraction:
    """Return the best chance of the side to move to win against random replies.

    That side may choose any move that keeps the result, as long as the game lasts.
    """
    if is_over(board):
        return Fraction(0)
    return max(chance_after(children(board)[square]) for square in sound_moves(board))


@cache
def chance_after(board: str) -> Fraction:
    """Return the chance of the side that just moved to win against random replies."""
    if is_over(board):
        return Fraction(winner(board) is not None)
    replies = children(board).values()
    return sum(map(best_win_chance, replies), Fraction(0)) / len(replies)


@cache
def chance_with_best_moves(board: str) -> Fraction:
    """Return the chance of the side that just moved to win against random replies.

    That side continues with the moves that Perfect chooses from.
    """
    if is_over(board):
        return Fraction(winner(board) is not None)
    replies = children(board).values()
    answers = [children(reply)[best(reply)[0]] for reply in replies if not is_over(reply)]
    return Fraction(sum(map(chance_with_best_moves, answers)), len(replies))


Path = tuple[int, ...]
Tree = int | dict[int, "Tree"]  # the value of a leaf for MAX, or the subtree of each move


@cache
def leaf_value(board: str, side: str, distance: int, flat: bool) -> int:
    """Return the minimax value of a board for `side`: as `minimax` does, or if `flat`, its sign."""
    value = minimax(board, side, distance)
    return sign(value) if flat else value


def tree_of(board: str, flat: bool = False, side: str = "", distance: int = 0) -> Tree:
    """Return the full tree of a board, with values for `side` or for the side to move."""
    side = side or turn(board)
    if is_over(board):
        return leaf_value(board, side, distance, flat)
    return {
        square: tree_of(child, flat, side, distance + 1)
        for square, child in children(board).items()
    }


@cache
def estimate(board: str, side: str) -> int:
    """Return the points of `side` minus those of the other side.

    A side has 3 points for each line with two of its marks and 1 for each line with one of them,
    if the other side has no mark on the line.
    """
    points_for_x = {"XX": 3, "X": 1, "OO": -3, "O": -1}
    marks = ("".join(board[int(square)] for square in line).replace("-", "") for line in LINES)
    difference = sum(points_for_x.get(line_marks, 0) for line_marks in marks)
    return difference if side == "X" else -difference


def moves_by_symmetry(board: str) -> list[tuple[int, ...]]:
    """Return the moves in groups that lead to symmetric boards, in square order."""
    groups: dict[str, list[int]] = {}  # by one of the symmetric boards that the moves lead to
    for square, child in children(board).items():
        groups.setdefault(min(symmetric_boards(child)), []).append(square)
    return [tuple(squares) for squares in groups.values()]


def depth_limited_tree(
    board: str, depth: int, merged: bool, side: str = "", distance: int = 0
) -> Tree:
    """Return the tree of a board to a depth limit; if `merged`, with one of symmetric moves.

    A win is worth 100 minus the distance from the root; an unfinished leaf has its estimate.
    """
    side = side or turn(board)
    if winning_side := winner(board):
        return 100 - distance if winning_side == side else distance - 100
    if is_over(board):
        return 0
    if distance == depth:
        return estimate(board, side)
    squares = [*children(board)]
    if merged:
        squares = [group[0] for group in moves_by_symmetry(board)]
    return {
        square: depth_limited_tree(children(board)[square], depth, merged, side, distance + 1)
        for square in squares
    }


def tree_of_values(values: object) -> Tree:
    """Return nested tuples of values as a tree; the move to a branch is its index."""
    if isinstance(values, int):
        return values
    assert isinstance(values, tuple)
    return {index: tree_of_values(branch) for index, branch in enumerate(values)}


def minimax_value(tree: Tree, is_max: bool = True) -> int:
    """Return the value of a tree for MAX; `is_max` says whether MAX moves at the root."""
    if isinstance(tree, int):
        return tree
    values = [minimax_value(subtree, not is_max) for subtree in tree.values()]
    return max(values) if is_max else min(values)


def ordered_tree(tree: Tree, order: str, is_max: bool = True) -> Tree:
    """Return a tree with its moves in search order: as they are, or best or worst first.

    The order is "squares", "best" or "worst".
    """
    if isinstance(tree, int):
        return tree
    # Sorting is stable, so with equal keys the moves stay in square order.
    factor = {"squares": 0, "best": -1, "worst": 1}[order] * (1 if is_max else -1)
    moves = sorted(tree, key=lambda move: factor * minimax_value(tree[move], not is_max))
    return {move: ordered_tree(tree[move], order, not is_max) for move in moves}


def walk_tree(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Tree]]:
    """Yield each node of a tree with its path, from the root down."""
    yield path, tree
    if isinstance(tree, dict):
        for move, subtree in tree.items():
            yield from walk_tree(subtree, (*path, move))


class Frame(NamedTuple):
    """The best value so far of a node being searched, and its window."""

    best: float
    alpha: float
    beta: float


class Step(NamedTuple):
    """A step of a search, with the fields of `teach.searches.Step`, where they are explained."""

    kind: str
    path: Path
    value: float
    before: Frame
    after: Frame
    bound: str = "exact"
    pruned_moves: Path = ()
    bound_source: Path = ()
    bound_value: float = 0


class Search:
    """Minimax or fail-soft alpha-beta that records each step and the stack after it.

    Unlike the search that it is compared with, it passes no window from a node to its children. It
    uses the definition: alpha is the best that MAX has anywhere on the stack, beta the best that
    MIN has.
    """

    def __init__(self, tree: Tree, pruning: bool, is_max: bool = True) -> None:
        self.pruning, self.is_max = pruning, is_max
        self.stack: dict[Path, float] = {}  # the best value so far of each node being searched
        self.pruned_paths: set[Path] = set()
        self.steps: list[Step] = []
        self.stacks: list[dict[Path, float]] = []  # after each step
        # For each parent and value: the first of its children that returned that value.
        self.first_returned: dict[tuple[Path, float], Path] = {}
        self.value = self.search(tree, (), is_max)
        last_frame = self.top_frame()
        del self.stack[()]
        self.record(Step("end", (), self.value, last_frame, last_frame))

    def record(self, step: Step) -> None:
        self.steps.append(step)
        self.stacks.append({**self.stack})

    def top_frame(self) -> Frame:
        """Return the best value and the window of the node on top of the stack."""
        best_values = list(self.stack.values())  # of the root, of its child, and so on
        if not self.pruning:
            return Frame(best_values[-1], -inf, inf)
        at_even_depth, at_odd_depth = best_values[0::2], best_values[1::2]
        of_max, of_min = at_even_depth, at_odd_depth
        if not self.is_max:
            of_max, of_min = at_odd_depth, at_even_depth
        return Frame(best_values[-1], max(of_max, default=-inf), min(of_min, default=inf))

    def search(self, tree: Tree, path: Path, is_max: bool) -> float:
        """Return the value of a node for MAX; record the steps of its search."""
        if isinstance(tree, int):
            return self.search_leaf(tree, path)
        self.stack[path] = -inf if is_max else inf
        frame = self.top_frame()
        self.record(Step("enter", path, frame.best, frame, frame))
        moves = tuple(tree)
        for searched_count, move in enumerate(moves, 1):
            child_path = (*path, move)
            value = self.search(tree[move], child_path, not is_max)
            bound = self.bound(tree[move], child_path, value, not is_max)
            frame = self.receive(child_path, value, bound, is_max)
            later_moves = moves[searched_count:]
            if later_moves and frame.alpha >= frame.beta:
                self.prune(path, later_moves, is_max)
                break
        return self.stack[path]

    def search_leaf(self, value: int, path: Path) -> float:
        """Return the value of a leaf; record its step."""
        # The window of a leaf is that of its parent: its own value does not narrow it.
        frame = self.top_frame()._replace(best=value)
        self.stack[path] = value
        self.record(Step("leaf", path, value, frame, frame))
        return value

    def receive(self, child: Path, value: float, bound: str, is_max: bool) -> Frame:
        """Return the frame of a node after a child returned `value` to it; record the step."""
        del self.stack[child]
        before, path = self.top_frame(), child[:-1]
        self.stack[path] = max(before.best, value) if is_max else min(before.best, value)
        self.first_returned.setdefault((path, value), child)
        after = self.top_frame()
        if after.best == before.best:
            kind = "as good" if value == after.best else "no better"
        else:
            kind = "first" if abs(before.best) == inf else "better"
        self.record(Step(kind, child, value, before, after, bound))
        return after

    def prune(self, path: Path, pruned_moves: Path, is_max: bool) -> None:
        """Record a cutoff, which prunes some children of the node on top of the stack."""
        frame = self.top_frame()
        self.pruned_paths |= {(*path, move) for move in pruned_moves}
        bound_value = frame.beta if is_max else frame.alpha
        source = self.bound_source(path, bound_value)
        self.record(
            Step("cut", path, frame.best, frame, frame, "exact", pruned_moves, source, bound_value)
        )

    def bound_source(self, path: Path, bound_value: float) -> Path:
        """Return the node whose value is the bound that allows a cutoff.

        It is a child of the nearest node of the other side that has the bound as its best.
        """
        return next(
            self.first_returned[ancestor, bound_value]
            for ancestor, best in reversed(self.stack.items())
            if (len(path) - len(ancestor)) % 2 and best == bound_value
        )

    def bound(self, tree: Tree, path: Path, value: float, is_max: bool) -> str:
        """Return whether a returned value is "exact", or the true value is "at most" or "at least".

        A value is exact if it is the same whatever the pruned branches are worth.
        """
        if not any(pruned[: len(path)] == path for pruned in self.pruned_paths):
            return "exact"
        lowest, highest = (
            self.value_if_pruned_are(extreme, tree, path, is_max) for extreme in (-inf, inf)
        )
        if lowest == highest:
            return "exact"
        return "at most" if value == highest else "at least"

    def value_if_pruned_are(self, value: float, tree: Tree, path: Path, is_max: bool) -> float:
        """Return what a node would be worth if each pruned branch were worth `value`."""
        if path in self.pruned_paths:
            return value
        if isinstance(tree, int):
            return tree
        child_values = [
            self.value_if_pruned_are(value, subtree, (*path, move), not is_max)
            for move, subtree in tree.items()
        ]
        return max(child_values) if is_max else min(child_values)


def one_image_of_each(boards: Iterable[str]) -> Iterator[str]:
    """Yield one board of each set of symmetric ones, in varying orientation."""
    canonical_boards = {min(symmetric_boards(board)) for board in boards}
    for index, board in enumerate(sorted(canonical_boards)):
        yield symmetric_boards(board)[index % 8]


@cache
def symmetric_boards(board: str) -> tuple[str, ...]:
    """Return the eight rotations and reflections of a board."""
    images: tuple[str, ...] = ()
    for _ in range(4):
        board = "".join(board[square] for square in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        mirrored = "".join(board[square] for square in (2, 1, 0, 5, 4, 3, 8, 7, 6))
        images += (board, mirrored)
    return images


def games_against_perfect(human: str, board: str = EMPTY) -> Iterator[tuple[int, ...]]:
    """Yield every game against Perfect, whatever the human and Perfect choose."""
    if is_over(board):
        yield ()
    squares = children(board) if turn(board) == human else best(board)
    for square in squares:
        for later_moves in games_against_perfect(human, children(board)[square]):
            yield (square, *later_moves)


class Windows:
    """Alpha-beta as books print it, recording the window of each node."""

    def __init__(self, tree: Tree, is_max: bool = True) -> None:
        self.on_entry: dict[Path, tuple[float, float]] = {}
        self.on_exit: dict[Path, tuple[float, float]] = {}
        self.returned: dict[Path, float] = {}
        # By the node that prunes its later children; () if its window closes at its last child.
        self.pruned_children: dict[Path, tuple[Path, ...]] = {}
        self.value = self.search(tree, (), -inf, inf, is_max)

    def search(self, tree: Tree, path: Path, alpha: float, beta: float, is_max: bool) -> float:
        """Return the value of a node for MAX; record its windows and what it prunes."""
        self.on_entry[path] = self.on_exit[path] = alpha, beta
        if isinstance(tree, int):
            self.returned[path] = tree
            return tree
        best: float = -inf if is_max else inf
        moves = [*tree]
        for searched_count, move in enumerate(moves, 1):
            value = self.search(tree[move], (*path, move), alpha, beta, not is_max)
            if is_max:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                later_moves = moves[searched_count:]
                self.pruned_children[path] = tuple((*path, later) for later in later_moves)
                break
        self.on_exit[path] = alpha, beta
        self.returned[path] = best
        return best
