import math
from copy import deepcopy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    x = sum(row.count(X) for row in board)
    o = sum(row.count(O) for row in board)
    if x > o:
        return O
    return X


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}


def result(board, action):
    if action not in actions(board):
        raise ValueError("invalid action")
    copied = deepcopy(board)
    copied[action[0]][action[1]] = player(board)
    return copied


def winner(board):
    # horizontally
    for row in board:
        if row[0] == row[1] == row[2]:
            return row[0]
    # vertically
    for j in range(3):
        if board[0][j] == board[1][j] == board[2][j] and board[0][j] is not None:
            return board[0][j]
    # diagonally
    if board[0][0] == board[1][1] == board[2][2]:
        return board[1][1]
    if board[0][2] == board[1][1] == board[2][0]:
        return board[1][1]
    return None


def terminal(board):
    if winner(board):
        return True
    for row in board:
        if EMPTY in row:
            return False
    return True


def utility(board):
    w = winner(board)
    return 1 if w == X else -1 if w == O else 0


def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        return maximum(board, -math.inf, math.inf)[1]
    return minimum(board, -math.inf, math.inf)[1]


def maximum(board, alpha, beta):
    if terminal(board):
        return utility(board), None
    v, best = -math.inf, None
    for action in actions(board):
        score = minimum(result(board, action), alpha, beta)[0]
        if score > v:
            v, best = score, action
        alpha = max(alpha, v)
        if v >= beta:
            break
    return v, best


def minimum(board, alpha, beta):
    if terminal(board):
        return utility(board), None
    v, best = math.inf, None
    for action in actions(board):
        score = maximum(result(board, action), alpha, beta)[0]
        if score < v:
            v, best = score, action
        beta = min(beta, v)
        if v <= alpha:
            break
    return v, best
