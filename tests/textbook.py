"""Tic-tac-toe a second time, on strings and as books print it: what the tests compare with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import inf

EMPTY = "---------"
ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


@cache
def winner(board: str) -> str | None:
    for row in ROWS:
        marks = {board[int(square)] for square in row}
        if marks in ({"X"}, {"O"}):
            return marks.pop()
    return None


@cache
def over(board: str) -> bool:
    return winner(board) is not None or "-" not in board


@cache
def turn(board: str) -> str:
    return "XO"[board.count("X") - board.count("O")]


@cache
def children(board: str) -> dict[int, str]:
    if over(board):
        return {}
    return {
        square: board[:square] + turn(board) + board[square + 1 :]
        for square in range(9)
        if board[square] == "-"
    }


@cache
def every_board() -> frozenset[str]:
    boards, layer = set[str](), {EMPTY}
    while layer:
        boards |= layer
        layer = {child for board in layer for child in children(board).values()}
    return frozenset(boards)


def every_game(board: str = EMPTY) -> Iterator[str]:
    """Yield the final board of every way to play on from `board`."""
    if over(board):
        yield board
    for child in children(board).values():
        yield from every_game(child)


@cache
def minimax(board: str, side: str, turns: int = 0) -> int:
    """Value `board` for `side`, `turns` marks after the decision: the form most books print."""
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
def wins_at(board: str, mark: str) -> tuple[int, ...]:
    """Return the empty squares where `mark` would win, were it its move."""
    rows = [[int(square) for square in row] for row in ROWS]
    last = [[s for s in row if board[s] != mark] for row in rows]
    return tuple(sorted({s for s, *more in filter(None, last) if not more and board[s] == "-"}))


@cache
def holding(board: str) -> tuple[int, ...]:
    """Return the moves that keep the best result: a win before a draw, before a loss."""
    scores = move_scores(board)
    top = sign(max(scores.values()))
    return tuple(square for square in scores if sign(scores[square]) == top)


@cache
def best(board: str) -> tuple[int, ...]:
    """Return the moves that perfect play chooses among; none once over."""
    scores = move_scores(board)
    top = max(scores.values(), default=0)
    chances = {s: chance_after(children(board)[s]) for s in scores if scores[s] == top}
    return tuple(s for s in chances if chances[s] == max(chances.values()))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@cache
def best_chance(board: str) -> Fraction:
    """Give the best chance the side to move has to win against random replies.

    It may pick, each time, among all moves that keep the game's value: won, drawn or lost.
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
    """Give the chance of the side that has just moved, its opponent replying at random."""
    if over(board):
        return Fraction(winner(board) is not None)
    replies = children(board).values()
    return sum(map(best_chance, replies), Fraction(0)) / len(replies)


@cache
def chance_of_best(board: str) -> Fraction:
    """Give the chance of the side that has just moved where it goes on with the best moves."""
    if over(board):
        return Fraction(winner(board) is not None)
    replies = children(board).values()
    answered = [children(reply)[best(reply)[0]] for reply in replies if not over(reply)]
    return Fraction(sum(map(chance_of_best, answered)), len(replies))


Path = tuple[int, ...]


@cache
def worth(board: str, side: str, turns: int, flat: bool) -> int:
    """Value `board` for `side` by minimax, counting turns or flat."""
    value = minimax(board, side, turns)
    return sign(value) if flat else value


@cache
def squares(board: str, order: str, flat: bool) -> tuple[int, ...]:
    """Give the moves as a search takes them: in square order, or best or worst first."""
    scores = move_scores(board)
    values = {square: sign(scores[square]) if flat else scores[square] for square in scores}
    direction = {"squares": 0, "best": -1, "worst": 1}[order]
    return tuple(sorted(values, key=lambda square: (direction * values[square], square)))


class Search:
    """Minimax, or fail-soft alpha-beta, writing down each step and the stack after it.

    No window is handed down: alpha is by definition the best that MAX has anywhere on the stack,
    beta the best that MIN has.
    """

    def __init__(self, board: str, pruning: bool, flat: bool, order: str) -> None:
        self.side, self.pruning, self.flat, self.order = turn(board), pruning, flat, order
        self.stack: dict[Path, float] = {}  # the best so far of each node being searched
        self.left_out: set[Path] = set()
        self.steps: list[tuple[object, ...]] = []
        self.stacks: list[tuple[tuple[Path, float], ...]] = []
        self.first_back: dict[tuple[Path, float], Path] = {}  # by parent and value
        self.value = self.search(board, ())
        del self.stack[()]
        self.note("return", (), self.value)

    def note(self, *step: object) -> None:
        self.steps.append(step)
        self.stacks.append(tuple(self.stack.items()))

    def held(self) -> tuple[float, float, float]:
        """Give the best and the window of the node on top of the stack."""
        if not self.pruning:
            return next(reversed(self.stack.values())), -inf, inf
        levels = list(self.stack.values())
        return levels[-1], max(levels[0::2], default=-inf), min(levels[1::2], default=inf)

    def search(self, board: str, path: Path) -> float:
        if over(board):
            _, *window = self.held()  # a leaf has that of its parent
            end = self.stack[path] = worth(board, self.side, len(path), self.flat)
            self.note("enter", path, end, (end, *window))
            return end
        pick = max if turn(board) == self.side else min
        self.stack[path] = -inf if pick is max else inf
        held = self.held()
        self.note("enter", path, None, held)
        moves = squares(board, self.order, self.flat)
        for number, square in enumerate(moves, 1):
            child, below, before = (*path, square), children(board)[square], held
            value = self.search(below, child)
            del self.stack[child]
            self.stack[path] = pick(self.stack[path], value)
            self.first_back.setdefault((path, value), child)
            best, mine, theirs = held = self.held()
            self.note("back", child, value, self.bound(below, child, value), before, held)
            if mine >= theirs and moves[number:]:
                self.left_out |= {(*path, left) for left in moves[number:]}
                against = theirs if pick is max else mine
                by = self.holder(path, against)
                self.note("cut", path, square, moves[number:], best, against, by)
                break
        return self.stack[path]

    def holder(self, path: Path, against: float) -> Path:
        """Say which node gave the other side, as near above as can be, what it has."""
        return next(
            self.first_back[above, against]
            for above, best in reversed(self.stack.items())
            if (len(path) - len(above)) % 2 and best == against
        )

    def bound(self, board: str, path: Path, value: float) -> str:
        """Say what is known of a value, whatever the branches left out below it are worth."""
        if not any(left[: len(path)] == path for left in self.left_out):
            return "exact"
        lowest, highest = (self.if_left_out_is(end, board, path) for end in (-inf, inf))
        if lowest == highest:
            return "exact"
        return "at most" if value == highest else "at least"

    def if_left_out_is(self, value: float, board: str, path: Path) -> float:
        if path in self.left_out:
            return value
        below = [
            self.if_left_out_is(value, child, (*path, square))
            for square, child in children(board).items()
        ]
        if not below:
            return worth(board, self.side, len(path), self.flat)
        return max(below) if turn(board) == self.side else min(below)


def one_of_each(boards: Iterable[str]) -> Iterator[str]:
    """Yield one of all boards that are turned or mirrored the same: each of its images in turn."""
    for number, board in enumerate(sorted({min(images(board)) for board in boards})):
        yield images(board)[number % 8]


@cache
def images(board: str) -> tuple[str, ...]:
    """Return a board turned and mirrored: its eight images."""
    found: tuple[str, ...] = ()
    for _ in range(4):
        board = "".join(board[square] for square in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        mirrored = "".join(board[square] for square in (2, 1, 0, 5, 4, 3, 8, 7, 6))
        found += (board, mirrored)
    return found


def games_against_perfect(human: str, board: str = EMPTY) -> Iterator[tuple[int, ...]]:
    """Yield each game of a human who tries everything, with each reply perfect may choose."""
    if over(board):
        yield ()
    for square in children(board) if turn(board) == human else best(board):
        for rest in games_against_perfect(human, children(board)[square]):
            yield (square, *rest)
