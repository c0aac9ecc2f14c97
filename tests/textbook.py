"""Tic-tac-toe a second time, on strings and as books print it: what the tests compare with."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

EMPTY = "---------"
ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


def winner(board: str) -> str | None:
    for row in ROWS:
        marks = {board[int(square)] for square in row}
        if marks in ({"X"}, {"O"}):
            return marks.pop()
    return None


def over(board: str) -> bool:
    return winner(board) is not None or "-" not in board


def turn(board: str) -> str:
    return "XO"[board.count("X") - board.count("O")]


def children(board: str) -> dict[int, str]:
    if over(board):
        return {}
    return {
        square: board[:square] + turn(board) + board[square + 1 :]
        for square in range(9)
        if board[square] == "-"
    }


def every_board() -> set[str]:
    boards, layer = set(), {EMPTY}
    while layer:
        boards |= layer
        layer = {child for board in layer for child in children(board).values()}
    return boards


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


def move_scores(board: str) -> dict[int, int]:
    side = turn(board)
    return {square: minimax(child, side, 1) for square, child in children(board).items()}


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
