"""A second, independent implementation of the game and its search, as in textbooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import inf
from typing import NamedTuple

EMPTY = "---------"
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


@cache
def winner(board: str) -> str | None:
    for row in LINES:
        marks = {board[int(square)] for square in row}
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
    """Yield the moves and the winner of each game of a player; record its choices in `choices`."""
    child_boards = children(board)
    if child_boards and turn(board) == side:
        choices[board] = choose(board)
        child_boards = {choices[board]: child_boards[choices[board]]}
    for square, child in child_boards.items():
        yield from games_of(choose, side, choices, child, f"{moves}{square}")
    if not child_boards:
        yield moves, winner(board)


@cache
def minimax(board: str, side: str, turns: int = 0) -> int:
    """Return the score of a board for `side`, `turns` plies below the root, as most books do."""
    if won := winner(board):
        return 10 - turns if won == side else turns - 10
    scores = [minimax(child, side, turns + 1) for child in children(board).values()]
    if not scores:
        return 0
    return max(scores) if turn(board) == side else min(scores)


@cache
def move_scores(board: str) -> dict[int, int]:
    side = turn(board)
    return {square: minimax(child, side, 1) for square, child in children(board).items()}


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


@cache
def winning_squares(board: str, mark: str) -> tuple[int, ...]:
    """Return the empty squares where `mark` could win at once."""
    rows = [[int(square) for square in row] for row in LINES]
    missing = [[square for square in row if board[square] != mark] for row in rows]
    single = {squares[0] for squares in missing if len(squares) == 1}
    return tuple(sorted(square for square in single if board[square] == "-"))


@cache
def sound_moves(board: str) -> tuple[int, ...]:
    """Return the moves with the best result: a win, otherwise a draw, otherwise a loss."""
    scores = move_scores(board)
    top = sign(max(scores.values()))
    return tuple(square for square in scores if sign(scores[square]) == top)


@cache
def best(board: str) -> tuple[int, ...]:
    """Return the moves that Perfect chooses from; empty once the game is over."""
    scores = move_scores(board)
    top = max(scores.values(), default=0)
    chances = {s: chance_after(children(board)[s]) for s in scores if scores[s] == top}
    return tuple(s for s in chances if chances[s] == max(chances.values()))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@cache
def best_win_chance(board: str) -> Fraction:
    """Return the best chance of the side to move to win against random replies.

    Each time it may choose any move that keeps the result: won, drawn or lost.
    """
    scores = move_scores(board)
    if not scores:
        return Fraction(0)
    value = sign(max(scores.values()))
    return max(
        chance_after(child)
        for square, child in children(board).items()
        if sign(scores[square]) == value
    )


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
def leaf_value(board: str, side: str, turns: int, flat: bool) -> int:
    """Return the minimax value of a board for `side`, with turns counted or, if `flat`, without."""
    value = minimax(board, side, turns)
    return sign(value) if flat else value


def tree_of(board: str, flat: bool = False, side: str = "", turns: int = 0) -> Tree:
    """Return the full tree of a board, with values for `side` or for the side to move."""
    side = side or turn(board)
    child_boards = children(board).items()
    tree: Tree = {square: tree_of(child, flat, side, turns + 1) for square, child in child_boards}
    return tree or leaf_value(board, side, turns, flat)


@cache
def estimate(board: str, side: str) -> int:
    """Return the sum over the lines that only one side has marks on, minus for the other side.

    A line with two marks is worth 3, and a line with one mark is worth 1.
    """
    counts = {"XX": 3, "X": 1, "OO": -3, "O": -1}
    rows = ("".join(board[int(square)] for square in row).replace("-", "") for row in LINES)
    return sum(counts.get(row, 0) for row in rows) * (1 if side == "X" else -1)


def moves_by_symmetry(board: str) -> list[tuple[int, ...]]:
    """Return the moves in groups that lead to symmetric boards, in square order."""
    alike: dict[str, list[int]] = {}
    for square, child in children(board).items():
        alike.setdefault(min(symmetric_boards(child)), []).append(square)
    return [tuple(squares) for squares in alike.values()]


def depth_limited_tree(
    board: str, depth: int, merged: bool, side: str = "", turns: int = 0
) -> Tree:
    """Return the tree of a board to a depth limit; leaves are estimates, or wins as 100 - turns."""
    side = side or turn(board)
    if is_over(board):
        won = winner(board)
        return 0 if won is None else 100 - turns if won == side else turns - 100
    if turns == depth:
        return estimate(board, side)
    moves = [kind[0] for kind in moves_by_symmetry(board)] if merged else list(children(board))
    return {
        s: depth_limited_tree(children(board)[s], depth, merged, side, turns + 1) for s in moves
    }


def tree_of_values(values: object) -> Tree:
    """Return nested tuples of values as a tree, with branches by their index."""
    if isinstance(values, int):
        return values
    assert isinstance(values, tuple)
    return {number: tree_of_values(branch) for number, branch in enumerate(values)}


def minimax_value(tree: Tree, is_max: bool = True) -> int:
    if isinstance(tree, int):
        return tree
    values = [minimax_value(below, not is_max) for below in tree.values()]
    return max(values) if is_max else min(values)


def ordered_tree(tree: Tree, order: str, is_max: bool = True) -> Tree:
    """Return a tree with its moves in search order: as they are, or best or worst first."""
    if isinstance(tree, int):
        return tree
    sign_of_order = {"squares": 0, "best": -1, "worst": 1}[order] * (1 if is_max else -1)
    moves = sorted(tree, key=lambda move: sign_of_order * minimax_value(tree[move], not is_max))
    return {move: ordered_tree(tree[move], order, not is_max) for move in moves}


def walk_tree(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Tree]]:
    """Yield each node of a tree with its path, from the root down."""
    yield path, tree
    for move, below in tree.items() if isinstance(tree, dict) else ():
        yield from walk_tree(below, (*path, move))


class Frame(NamedTuple):
    """The best value so far of a node being searched, and its window."""

    best: float
    alpha: float
    beta: float


class Step(NamedTuple):
    """A step as it should be recorded."""

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

    It passes no window down: alpha is, by definition, the best that MAX has anywhere on the stack,
    and beta the best that MIN has.
    """

    def __init__(self, tree: Tree, pruning: bool, is_max: bool = True) -> None:
        self.pruning, self.is_max = pruning, is_max
        self.stack: dict[Path, float] = {}  # the best value so far of each node being searched
        self.pruned_paths: set[Path] = set()
        self.steps: list[Step] = []
        self.stacks: list[dict[Path, float]] = []
        self.first_returned: dict[tuple[Path, float], Path] = {}  # by parent and value
        self.value = self.search(tree, (), is_max)
        last_frame = self.top_frame()
        del self.stack[()]
        self.record(Step("end", (), self.value, last_frame, last_frame))

    def record(self, step: Step) -> None:
        self.steps.append(step)
        self.stacks.append({**self.stack})

    def top_frame(self) -> Frame:
        """Return the best value and the window of the node on top of the stack."""
        levels = list(self.stack.values())
        first, second = levels[0::2], levels[1::2]
        of_max, of_min = (first, second) if self.is_max else (second, first)
        window = (max(of_max, default=-inf), min(of_min, default=inf))
        return Frame(levels[-1], *(window if self.pruning else (-inf, inf)))

    def search(self, tree: Tree, path: Path, is_max: bool) -> float:
        if isinstance(tree, int):
            window = self.top_frame()
            self.stack[path] = tree
            leaf = window._replace(best=tree)
            self.record(Step("leaf", path, tree, leaf, leaf))
            return tree
        pick = max if is_max else min
        self.stack[path] = -inf if is_max else inf
        frame = self.top_frame()
        self.record(Step("enter", path, frame.best, frame, frame))
        moves = tuple(tree)
        for number, move in enumerate(moves, 1):
            child, below, before = (*path, move), tree[move], frame
            value = self.search(below, child, not is_max)
            del self.stack[child]
            self.stack[path] = pick(self.stack[path], value)
            self.first_returned.setdefault((path, value), child)
            best, alpha, beta = frame = self.top_frame()
            kind = "first" if abs(before.best) == inf else "better"
            if best == before.best:
                kind = "as good" if value == best else "no better"
            bound = self.bound(below, child, value, not is_max)
            self.record(Step(kind, child, value, before, frame, bound))
            if alpha >= beta and moves[number:]:
                self.pruned_paths |= {(*path, left) for left in moves[number:]}
                bound_value = beta if is_max else alpha
                source, pruned = self.bound_source(path, bound_value), moves[number:]
                self.record(
                    Step("cut", path, best, frame, frame, "exact", pruned, source, bound_value)
                )
                break
        return self.stack[path]

    def bound_source(self, path: Path, bound_value: float) -> Path:
        """Return the nearest node above that set the bound which allows the cutoff."""
        return next(
            self.first_returned[above, bound_value]
            for above, best in reversed(self.stack.items())
            if (len(path) - len(above)) % 2 and best == bound_value
        )

    def bound(self, tree: Tree, path: Path, value: float, is_max: bool) -> str:
        """Return whether a value is exact or a bound, whatever the pruned branches are worth."""
        if not any(left[: len(path)] == path for left in self.pruned_paths):
            return "exact"
        lowest, highest = (self.value_if_pruned_is(end, tree, path, is_max) for end in (-inf, inf))
        if lowest == highest:
            return "exact"
        return "at most" if value == highest else "at least"

    def value_if_pruned_is(self, value: float, tree: Tree, path: Path, is_max: bool) -> float:
        if path in self.pruned_paths:
            return value
        if isinstance(tree, int):
            return tree
        below = [
            self.value_if_pruned_is(value, child, (*path, move), not is_max)
            for move, child in tree.items()
        ]
        return max(below) if is_max else min(below)


def one_image_of_each(boards: Iterable[str]) -> Iterator[str]:
    """Yield one board of each set of symmetric ones, in varying orientation."""
    for number, board in enumerate(sorted({min(symmetric_boards(board)) for board in boards})):
        yield symmetric_boards(board)[number % 8]


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
    for square in children(board) if turn(board) == human else best(board):
        for rest in games_against_perfect(human, children(board)[square]):
            yield (square, *rest)


class Windows:
    """Alpha-beta as books print it, recording the window of each node."""

    def __init__(self, tree: Tree, is_max: bool = True) -> None:
        self.on_entry: dict[Path, tuple[float, float]] = {}
        self.on_exit: dict[Path, tuple[float, float]] = {}
        self.returned: dict[Path, float] = {}
        self.pruned_children: dict[Path, tuple[Path, ...]] = {}  # by the node
        self.value = self.search(tree, (), -inf, inf, is_max)

    def search(self, tree: Tree, path: Path, alpha: float, beta: float, is_max: bool) -> float:
        self.on_entry[path] = alpha, beta
        best = tree if isinstance(tree, int) else -inf if is_max else inf
        below = {} if isinstance(tree, int) else tree
        for number, move in enumerate(below, 1):
            value = self.search(below[move], (*path, move), alpha, beta, not is_max)
            best = max(best, value) if is_max else min(best, value)
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
            if alpha >= beta:
                self.pruned_children[path] = tuple((*path, left) for left in [*below][number:])
                break
        self.on_exit[path] = alpha, beta
        self.returned[path] = best
        return best
