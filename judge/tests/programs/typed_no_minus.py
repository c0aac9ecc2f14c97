from __future__ import annotations
from typing import Literal, Optional, Sequence

Mark = Literal["X", "O"]
Board = list[Optional[Mark]]

def opponent(mark: Mark) -> Mark:
    return "O" if mark == "X" else "X"

def winner(board: Board) -> Optional[Mark]:
    for i in range(0, 9, 3):
        if board[i] and board[i] == board[i + 1] == board[i + 2]:
            return board[i]
    for i in range(3):
        if board[i] and board[i] == board[i + 3] == board[i + 6]:
            return board[i]
    if board[4] and (board[0] == board[4] == board[8] or board[2] == board[4] == board[6]):
        return board[4]
    return None

def evaluate(board: Board, mark: Mark) -> Optional[int]:
    w = winner(board)
    if w == mark: return 1
    if w == opponent(mark): return -1
    if None not in board: return 0
    return None

def minimax(board: Board, mark: Mark, turn: Mark) -> int:
    value = evaluate(board, mark)
    if value:
        return value
    scores = []
    for i, cell in enumerate(board):
        if cell is None:
            board[i] = turn
            scores.append(minimax(board, mark, opponent(turn)))
            board[i] = None
    return (max if turn == mark else min)(scores, default=0)

def pick_square(board: Board, mark: Mark) -> int:
    def value(i: int) -> int:
        board[i] = mark
        v = minimax(board, opponent(mark), opponent(mark))
        board[i] = None
        return v
    return max((i for i in range(9) if board[i] is None), key=value)
