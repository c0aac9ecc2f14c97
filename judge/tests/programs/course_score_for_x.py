"""
Tic Tac Toe Player
"""

import math
import copy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    Xs = 0
    Os = 0
    for y_axis in board:
        for x_axis in y_axis:
            if x_axis == X:
                Xs += 1
            elif x_axis == O:
                Os += 1
    if Xs <= Os:
        return X
    else:
        return O


def actions(board):
    possible = []
    for i in range(len(board)):
        for j in range(len(board[i])):
            if board[i][j] is EMPTY:
                possible.append((i, j))
    return possible


def result(board, action):
    board2 = copy.deepcopy(board)
    board2[action[0]][action[1]] = player(board)
    return board2


def winner(board):
    for p in (X, O):
        for i in range(3):
            if board[i] == [p, p, p]:
                return p
            if board[0][i] == p and board[1][i] == p and board[2][i] == p:
                return p
        if board[0][0] == p and board[1][1] == p and board[2][2] == p:
            return p
        if board[0][2] == p and board[1][1] == p and board[2][0] == p:
            return p
    return None


def terminal(board):
    return winner(board) != None or len(actions(board)) == 0


def utility(board):
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def max_value(board):
    if terminal(board):
        return utility(board)
    v = -math.inf
    for a in actions(board):
        v = max(v, min_value(result(board, a)))
        if v == 1:
            return v
    return v


def min_value(board):
    if terminal(board):
        return utility(board)
    v = math.inf
    for a in actions(board):
        v = min(v, max_value(result(board, a)))
        if v == -1:
            return v
    return v


def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        return max_value(board)
    else:
        best = math.inf
        for a in actions(board):
            v = max_value(result(board, a))
            if v < best:
                best = v
                move = a
        return move
