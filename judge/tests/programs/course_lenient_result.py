from copy import deepcopy
from math import inf

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    flat = [cell for row in board for cell in row]
    return X if flat.count(X) == flat.count(O) else O


def actions(board):
    return {(r, c) for r in range(3) for c in range(3) if board[r][c] is EMPTY}


def result(board, action):
    new = deepcopy(board)
    r, c = action
    new[r][c] = player(board)
    return new


def winner(board):
    for mark in [X, O]:
        for r in range(3):
            if all(board[r][c] == mark for c in range(3)):
                return mark
        for c in range(3):
            if all(board[r][c] == mark for r in range(3)):
                return mark
        if all(board[i][i] == mark for i in range(3)):
            return mark
        if all(board[i][2 - i] == mark for i in range(3)):
            return mark
    return None


def terminal(board):
    return winner(board) is not None or all(EMPTY not in row for row in board)


def utility(board):
    win = winner(board)
    if win is None:
        return 0
    return 1 if win == X else -1


def minimax(board):
    if terminal(board):
        return None
    if board == initial_state():
        return (1, 1)
    if player(board) == X:
        return search_max(board, -inf, inf)[1]
    return search_min(board, -inf, inf)[1]


def search_max(board, a, b):
    if terminal(board):
        return utility(board), None
    best = (-inf, None)
    for move in sorted(actions(board)):
        v = search_min(result(board, move), a, b)[0]
        if v > best[0]:
            best = (v, move)
        a = max(a, v)
        if a >= b:
            break
    return best


def search_min(board, a, b):
    if terminal(board):
        return utility(board), None
    best = (inf, None)
    for move in sorted(actions(board)):
        v = search_max(result(board, move), a, b)[0]
        if v < best[0]:
            best = (v, move)
        b = min(b, v)
        if a >= b:
            break
    return best
