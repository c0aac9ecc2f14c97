"""Minimax on strings, as many write it. A test puts each mistake into it."""

from functools import cache

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def choose(board: str) -> int:
    me = turn(board)
    values = {square: minimax(child, me, 1) for square, child in children(board).items()}
    return max(values, key=values.__getitem__)


@cache
def minimax(board: str, me: str, turns: int) -> float:
    if winner(board) or "-" not in board:
        return score(board, me, turns)
    pick = max if turn(board) == me else min
    best = float("-inf") if pick is max else float("inf")
    for child in children(board).values():
        value = minimax(child, me, turns + 1)
        best = pick(best, value)
    return best


def score(board: str, me: str, turns: int) -> int:
    won = winner(board)
    return 0 if not won else 10 - turns if won == me else turns - 10


def children(board: str) -> dict[int, str]:
    free = [square for square in range(9) if board[square] == "-"]
    return {square: board[:square] + turn(board) + board[square + 1 :] for square in free}


def turn(board: str) -> str:
    return "X" if board.count("X") == board.count("O") else "O"


def winner(board: str) -> str | None:
    return next((board[a] for a, b, c in ROWS if board[a] == board[b] == board[c] != "-"), None)
