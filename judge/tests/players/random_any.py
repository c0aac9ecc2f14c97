"""Any free square, at random."""

from random import choice


def choose(board: str) -> int:
    return choice([square for square in range(9) if board[square] == "-"])
