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


alpha = -math.inf
beta = math.inf


def player(board):
    flat = [c for row in board for c in row]
    return O if flat.count(X) > flat.count(O) else X


def actions(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY]


def result(board, action):
    i, j = action
    if not (0 <= i < 3 and 0 <= j < 3) or board[i][j] != EMPTY:
        raise ValueError
    copy = [row[:] for row in board]
    copy[i][j] = player(board)
    return copy


def winner(board):
    b = [c for row in board for c in row]
    for x, y, z in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
        if b[x] and b[x] == b[y] == b[z]:
            return b[x]
    return None


def terminal(board):
    return winner(board) is not None or len(actions(board)) == 0


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


def minimax(board):
    """
    Returns the optimal action for the current player on the board.
    """
    if terminal(board):
        return None
    if player(board) == X:
        return max_value(board)[1]
    return min_value(board)[1]


def max_value(board):
    global alpha
    if terminal(board):
        return utility(board), None
    v, move = -math.inf, None
    for action in actions(board):
        score = min_value(result(board, action))[0]
        if score > v:
            v, move = score, action
        alpha = max(alpha, v)
        if alpha >= beta:
            break
    return v, move


def min_value(board):
    global beta
    if terminal(board):
        return utility(board), None
    v, move = math.inf, None
    for action in actions(board):
        score = max_value(result(board, action))[0]
        if score < v:
            v, move = score, action
        beta = min(beta, v)
        if alpha >= beta:
            break
    return v, move
