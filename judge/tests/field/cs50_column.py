import math

X, O, EMPTY = "X", "O", None
WINS = [[(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)],
        [(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 2), (1, 2)],
        [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]


def initial_state():
    return [[EMPTY, EMPTY, EMPTY] for _ in range(3)]


def player(board):
    filled = 9 - sum(row.count(EMPTY) for row in board)
    return O if filled % 2 else X


def actions(board):
    return [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell is EMPTY]


def result(board, action):
    r, c = action
    if board[r][c] is not EMPTY:
        raise ValueError("taken")
    copied = [row[:] for row in board]
    copied[r][c] = player(board)
    return copied


def winner(board):
    for line in WINS:
        marks = {board[r][c] for r, c in line}
        if len(marks) == 1 and marks != {EMPTY}:
            return marks.pop()
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


def minimax(board):
    if terminal(board):
        return None
    if board == initial_state():
        return (1, 1)
    return search(board, -math.inf, math.inf)[1]


def search(board, alpha, beta):
    if terminal(board):
        return utility(board), None
    best_action = None
    if player(board) == X:
        value = -math.inf
        for action in actions(board):
            v, _ = search(result(board, action), alpha, beta)
            if v > value:
                value, best_action = v, action
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value, best_action
    value = math.inf
    for action in actions(board):
        v, _ = search(result(board, action), alpha, beta)
        if v < value:
            value, best_action = v, action
        beta = min(beta, value)
        if alpha >= beta:
            break
    return value, best_action
