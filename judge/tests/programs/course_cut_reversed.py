import math
X = "X"
O = "O"
EMPTY = None

def initial_state():
    return [[EMPTY] * 3, [EMPTY] * 3, [EMPTY] * 3]

def player(board):
    x = sum(r.count(X) for r in board)
    o = sum(r.count(O) for r in board)
    return O if x > o else X

def actions(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY]

def result(board, action):
    i, j = action
    if board[i][j] is not EMPTY:
        raise Exception
    new = [r[:] for r in board]
    new[i][j] = player(board)
    return new

def winner(board):
    for p in [X, O]:
        for i in range(3):
            if all(board[i][j] == p for j in range(3)) or all(board[j][i] == p for j in range(3)):
                return p
        if all(board[i][i] == p for i in range(3)) or all(board[i][2-i] == p for i in range(3)):
            return p

def terminal(board):
    return winner(board) is not None or len(actions(board)) == 0

def utility(board):
    if winner(board) == X: return 1
    if winner(board) == O: return -1
    return 0

def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        return max_value(board, -math.inf, math.inf)[1]
    else:
        return min_value(board, -math.inf, math.inf)[1]

def max_value(board, alpha, beta):
    if terminal(board):
        return utility(board), None
    v, best = -math.inf, None
    for a in actions(board):
        val = min_value(result(board, a), alpha, beta)[0]
        if val > v:
            v, best = val, a
        alpha = max(alpha, v)
        if beta >= alpha:
            break
    return v, best

def min_value(board, alpha, beta):
    if terminal(board):
        return utility(board), None
    v, best = math.inf, None
    for a in actions(board):
        val = max_value(result(board, a), alpha, beta)[0]
        if val < v:
            v, best = val, a
        beta = min(beta, v)
        if beta >= alpha:
            break
    return v, best
