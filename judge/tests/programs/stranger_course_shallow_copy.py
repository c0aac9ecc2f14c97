"""
Tic Tac Toe Player
"""
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    n = 0
    for row in board:
        for c in row:
            if c != EMPTY:
                n += 1
    if n % 2 == 0:
        return X
    return O


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}


def result(board, action):
    if board[action[0]][action[1]] != EMPTY:
        raise ValueError("Cell is taken")
    board_copy = board.copy()
    board_copy[action[0]][action[1]] = player(board)
    return board_copy


def winner(board):
    for p in (X, O):
        for i in range(3):
            if all(board[i][j] == p for j in range(3)):
                return p
            if all(board[j][i] == p for j in range(3)):
                return p
        if all(board[i][i] == p for i in range(3)) or all(board[i][2 - i] == p for i in range(3)):
            return p
    return None


def terminal(board):
    return winner(board) is not None or len(actions(board)) == 0


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
        v = -math.inf
        best = None
        for a in actions(board):
            m = minvalue(result(board, a))
            if m > v:
                v = m
                best = a
        return best
    else:
        v = math.inf
        best = None
        for a in actions(board):
            m = maxvalue(result(board, a))
            if m < v:
                v = m
                best = a
        return best


def maxvalue(board):
    if terminal(board):
        return utility(board)
    v = -math.inf
    for a in actions(board):
        v = max(v, minvalue(result(board, a)))
    return v


def minvalue(board):
    if terminal(board):
        return utility(board)
    v = math.inf
    for a in actions(board):
        v = min(v, maxvalue(result(board, a)))
    return v
