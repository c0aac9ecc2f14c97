"""
Tic Tac Toe Player
"""

import math
from copy import deepcopy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """
    Returns starting state of the board.
    """
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    count = sum(cell != EMPTY for row in board for cell in row)
    return X if count % 2 == 0 else O


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}


def result(board, action):
    if action not in actions(board):
        raise Exception("Invalid action")
    new_board = deepcopy(board)
    new_board[action[0]][action[1]] = player(board)
    return new_board


def winner(board):
    for mark in [X, O]:
        for i in range(3):
            if board[i] == [mark, mark, mark]:
                return mark
            if [board[0][i], board[1][i], board[2][i]] == [mark, mark, mark]:
                return mark
        if [board[0][0], board[1][1], board[2][2]] == [mark, mark, mark]:
            return mark
        if [board[0][2], board[1][1], board[2][0]] == [mark, mark, mark]:
            return mark
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    # the score is for the player who is about to move
    w = winner(board)
    if w is None:
        return 0
    if w == player(board):
        return 1
    return -1


def minimax(board):
    if terminal(board):
        return None

    def value(b):
        if terminal(b):
            return utility(b)
        values = [value(result(b, a)) for a in actions(b)]
        return max(values) if player(b) == X else min(values)

    moves = list(actions(board))
    if player(board) == X:
        return max(moves, key=lambda a: value(result(board, a)))
    return min(moves, key=lambda a: value(result(board, a)))
