import copy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    empty = sum(cell == EMPTY for row in board for cell in row)
    return X if empty % 2 == 1 else O


def actions(board):
    s = set()
    for i, row in enumerate(board):
        for j, cell in enumerate(row):
            if cell is EMPTY:
                s.add((i, j))
    return s


def result(board, action):
    if action not in actions(board):
        raise Exception
    new_board = copy.deepcopy(board)
    new_board[action[0]][action[1]] = player(board)
    return new_board


WINS = [
    [(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)],
    [(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 2), (2, 2)],
    [(0, 0), (1, 1), (2, 2)], [(2, 0), (1, 1), (0, 2)],
]


def winner(board):
    for (a, b), (c, d), (e, f) in WINS:
        if board[a][b] is not EMPTY and board[a][b] == board[c][d] == board[e][f]:
            return board[a][b]


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    if winner(board) is None:
        return 0
    if winner(board) == player(board):
        return 1
    return -1


def minimax(board):
    if terminal(board):
        return None
    scores = {a: value(result(board, a), -2, 2) for a in actions(board)}
    if player(board) == X:
        return max(scores, key=scores.get)
    return min(scores, key=scores.get)


def value(board, alpha, beta):
    if terminal(board):
        return utility(board)
    if player(board) == X:
        for a in actions(board):
            alpha = max(alpha, value(result(board, a), alpha, beta))
            if alpha >= beta:
                break
        return alpha
    for a in actions(board):
        beta = min(beta, value(result(board, a), alpha, beta))
        if alpha >= beta:
            break
    return beta
