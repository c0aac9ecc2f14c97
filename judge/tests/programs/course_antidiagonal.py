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
    xCounter = 0
    oCounter = 0
    for i in range(0, len(board)):
        for j in range(0, len(board[0])):
            if board[i][j] == X:
                xCounter += 1
            elif board[i][j] == O:
                oCounter += 1
    if xCounter > oCounter:
        return O
    else:
        return X


def actions(board):
    possibleActions = set()
    for i in range(0, len(board)):
        for j in range(0, len(board[0])):
            if board[i][j] == EMPTY:
                possibleActions.add((i, j))
    return possibleActions


def result(board, action):
    if action not in actions(board):
        raise Exception("Action not valid")
    board_copy = copy.deepcopy(board)
    board_copy[action[0]][action[1]] = player(board)
    return board_copy


def checkRows(board, who):
    for row in range(3):
        if board[row][0] == who and board[row][1] == who and board[row][2] == who:
            return True
    return False


def checkColumns(board, who):
    for col in range(3):
        if board[0][col] == who and board[1][col] == who and board[2][col] == who:
            return True
    return False


def checkFirstDiagonal(board, who):
    count = 0
    for row in range(3):
        for col in range(3):
            if row == col and board[row][col] == who:
                count += 1
    return count == 3


def checkSecondDiagonal(board, who):
    count = 0
    for row in range(3):
        for col in range(3):
            if row + col == 3 and board[row][col] == who:
                count += 1
    return count == 3


def winner(board):
    for who in (X, O):
        if checkRows(board, who) or checkColumns(board, who):
            return who
        if checkFirstDiagonal(board, who) or checkSecondDiagonal(board, who):
            return who
    return None


def terminal(board):
    if winner(board) == X or winner(board) == O:
        return True
    for row in board:
        for cell in row:
            if cell == EMPTY:
                return False
    return True


def utility(board):
    if winner(board) == X:
        return 1
    elif winner(board) == O:
        return -1
    else:
        return 0


def minimax(board):
    if terminal(board):
        return None
    elif player(board) == X:
        plays = []
        for action in actions(board):
            plays.append([min_value(result(board, action)), action])
        return sorted(plays, key=lambda x: x[0], reverse=True)[0][1]
    elif player(board) == O:
        plays = []
        for action in actions(board):
            plays.append([max_value(result(board, action)), action])
        return sorted(plays, key=lambda x: x[0])[0][1]


def max_value(board):
    v = -math.inf
    if terminal(board):
        return utility(board)
    for action in actions(board):
        v = max(v, min_value(result(board, action)))
        if v == 1:
            return v
    return v


def min_value(board):
    v = math.inf
    if terminal(board):
        return utility(board)
    for action in actions(board):
        v = min(v, max_value(result(board, action)))
        if v == -1:
            return v
    return v
