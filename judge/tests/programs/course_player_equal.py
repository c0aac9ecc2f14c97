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
    """
    Returns player who has the next turn on a board.
    """
    if board == initial_state():
        return X
    numX = 0
    numO = 0
    for i in range(3):
        for j in range(3):
            if board[i][j] == X:
                numX += 1
            elif board[i][j] == O:
                numO += 1
    if numX >= numO:
        return O
    else:
        return X


def actions(board):
    res = set()
    for i in range(len(board)):
        for j in range(len(board[0])):
            if board[i][j] == EMPTY:
                res.add((i, j))
    return res


def result(board, action):
    if action not in actions(board):
        raise Exception("Invalid Action!!!")
    row, col = action
    board_copy = deepcopy(board)
    board_copy[row][col] = player(board)
    return board_copy


def winner(board):
    for row in board:
        if row[0] is not None and row[0] == row[1] == row[2]:
            return row[0]
    for j in range(3):
        if board[0][j] is not None and board[0][j] == board[1][j] == board[2][j]:
            return board[0][j]
    if board[1][1] is not None and board[0][0] == board[1][1] == board[2][2]:
        return board[1][1]
    if board[1][1] is not None and board[0][2] == board[1][1] == board[2][0]:
        return board[1][1]
    return None


def terminal(board):
    if winner(board):
        return True
    if not any(EMPTY in row for row in board):
        return True
    return False


def utility(board):
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        return best_of_max(board)[1]
    return best_of_min(board)[1]


def best_of_max(board):
    if terminal(board):
        return utility(board), None
    v, best = -math.inf, None
    for action in actions(board):
        score, _ = best_of_min(result(board, action))
        if score > v:
            v, best = score, action
            if v == 1:
                break
    return v, best


def best_of_min(board):
    if terminal(board):
        return utility(board), None
    v, best = math.inf, None
    for action in actions(board):
        score, _ = best_of_max(result(board, action))
        if score < v:
            v, best = score, action
            if v == -1:
                break
    return v, best
