from functools import lru_cache

from .rules import EMPTY, winner


@lru_cache(maxsize=None)
def value(board, player):
    """+1 if the side to move wins."""
    if winner(board):
        return -1
    if EMPTY not in board:
        return 0
    other = "O" if player == "X" else "X"
    return max(-value(board[:i] + player + board[i + 1:], other) for i in range(9) if board[i] == EMPTY)


def best_move(board, player):
    text = "".join(board)
    other = "O" if player == "X" else "X"
    free = [i for i in range(9) if text[i] == EMPTY]
    return max(free, key=lambda i: -value(text[:i] + player + text[i + 1:], other))
