"""
Tic Tac Toe Player
"""
import copy
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """Starting state of the board."""
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    """Who has the next turn."""
    count = 0
    for row in board:
        for cell in row:
            if cell != EMPTY:
                count += 1
    return X if count % 2 == 0 else O


def actions(board):
    """All (i, j) that can be played."""
    moves = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                moves.add((i, j))
    return moves


def result(board, action):
    """The board after the move."""
    i, j = action
    if i not in range(3) or j not in range(3) or board[i][j] is not EMPTY:
        raise Exception("not a valid action")
    new = [row[:] for row in board]
    new[i][j] = player(board)
    return new


def winner(board):
    """The winner, if there is one."""
    lines = []
    for i in range(3):
        lines.append(board[i])
        lines.append([board[0][i], board[1][i], board[2][i]])
    lines.append([board[0][0], board[1][1], board[2][2]])
    lines.append([board[0][2], board[1][1], board[2][0]])
    for line in lines:
        if line == [X, X, X]:
            return X
        if line == [O, O, O]:
            return O
    return None


def terminal(board):
    """True if the game is over."""
    if winner(board) is not None:
        return True
    return all(cell is not EMPTY for row in board for cell in row)


def utility(board):
    """1 if X has won, -1 if O has won, 0 otherwise."""
    if winner(board) == X:
        return 1
    elif winner(board) == O:
        return -1
    return 0


def minimax(board):
    """The best action for the current player."""
    if terminal(board):
        return None
    if player(board) == X:
        best, move = -math.inf, None
        for action in actions(board):
            value = min_value(result(board, action))
            if value > best:
                best, move = value, action
        return move
    else:
        best, move = math.inf, None
        for action in actions(board):
            value = min_value(result(board, action))
            if value < best:
                best, move = value, action
        return move


def max_value(board):
    if terminal(board):
        return utility(board)
    v = -math.inf
    for action in actions(board):
        v = max(v, min_value(result(board, action)))
        if v == 1:
            break
    return v


def min_value(board):
    if terminal(board):
        return utility(board)
    v = math.inf
    for action in actions(board):
        v = min(v, max_value(result(board, action)))
        if v == -1:
            break
    return v
