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
    xs = sum(row.count(X) for row in board)
    os = sum(row.count(O) for row in board)
    if xs > os:
        return O
    return X


def actions(board):
    possible = []
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                possible.append((i, j))
    return possible


def result(board, action):
    copy = deepcopy(board)
    if copy[action[0]][action[1]] is not EMPTY:
        raise Exception("not possible")
    copy[action[0]][action[1]] = player(board)
    return copy


def checkRow(board, p):
    for row in board:
        if row.count(p) == 3:
            return True
        else:
            return False


def checkCol(board, p):
    for j in range(3):
        if board[0][j] == p and board[1][j] == p and board[2][j] == p:
            return True
    return False


def checkDiag(board, p):
    if board[0][0] == p and board[1][1] == p and board[2][2] == p:
        return True
    if board[0][2] == p and board[1][1] == p and board[2][0] == p:
        return True
    return False


def winner(board):
    if checkRow(board, X) or checkCol(board, X) or checkDiag(board, X):
        return X
    elif checkRow(board, O) or checkCol(board, O) or checkDiag(board, O):
        return O
    else:
        return None


def terminal(board):
    if winner(board) is not None:
        return True
    for row in board:
        if EMPTY in row:
            return False
    return True


def utility(board):
    if winner(board) == X:
        return 1
    elif winner(board) == O:
        return -1
    return 0


def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        plays = []
        for action in actions(board):
            plays.append([minValue(result(board, action)), action])
        return sorted(plays, key=lambda x: x[0], reverse=True)[0][1]
    elif player(board) == O:
        plays = []
        for action in actions(board):
            plays.append([maxValue(result(board, action)), action])
        return sorted(plays, key=lambda x: x[0])[0][1]


def maxValue(board):
    v = float('-inf')
    if terminal(board):
        return utility(board)
    for action in actions(board):
        v = max(v, minValue(result(board, action)))
    return v


def minValue(board):
    v = float('inf')
    if terminal(board):
        return utility(board)
    for action in actions(board):
        v = min(v, maxValue(result(board, action)))
    return v
