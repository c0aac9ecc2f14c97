import copy
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    n = 0
    for row in board:
        for square in row:
            if square is not EMPTY:
                n = n + 1
    if n % 2:
        return O
    return X


def actions(board):
    free = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] is EMPTY:
                free.add((i, j))
    return free


def result(board, action):
    if board[action[0]][action[1]] is not EMPTY or min(action) < 0:
        raise ValueError("no such move")
    after = copy.deepcopy(board)
    after[action[0]][action[1]] = player(board)
    return after


def winner(board):
    for i in range(3):
        if board[i][0] and board[i][0] == board[i][1] == board[i][2]:
            return board[i][0]
        if board[0][i] and board[0][i] == board[1][i] == board[2][i]:
            return board[0][i]
    if board[1][1] and (board[0][0] == board[1][1] == board[2][2]
                        or board[0][2] == board[1][1] == board[2][0]):
        return board[1][1]
    return None


def terminal(board):
    return bool(winner(board)) or len(actions(board)) == 0


def utility(board):
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def minimax(board):
    if terminal(board):
        return None
    best_value = -math.inf
    best_action = None
    for action in actions(board):
        value = minimax_value(result(board, action))
        if value > best_value:
            best_value = value
            best_action = action
    return best_action


def minimax_value(board):
    if terminal(board):
        return utility(board)
    if player(board) == X:
        value = -math.inf
        for action in actions(board):
            value = max(value, minimax_value(result(board, action)))
            if value == 1:
                break
    else:
        value = math.inf
        for action in actions(board):
            value = min(value, minimax_value(result(board, action)))
            if value == -1:
                break
    return value
