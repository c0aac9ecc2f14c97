import random


def choose(board):
    while True:
        i = random.randrange(9)
        if board[i] == "-":
            return i
