X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    xs = sum(row.count(X) for row in board)
    os = sum(row.count(O) for row in board)
    return X if xs <= os else O


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    raise NotImplementedError


def winner(board):
    for a, b, c in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (0, 4, 8), (2, 4, 6)]:
        cells = board[0] + board[1] + board[2]
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return None


def terminal(board):
    return bool(winner(board)) or not actions(board)


def utility(board):
    pass


def minimax(board):
    """TODO"""
