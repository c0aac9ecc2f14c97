"""tictactoe.py"""
import copy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[None, None, None],
            [None, None, None],
            [None, None, None]]


def player(board):
    if board.count(X) > board.count(O):
        return O
    else:
        return X


def actions(board):
    return set((i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY)


def result(board, action):
    b = copy.deepcopy(board)
    if b[action[0]][action[1]] is not EMPTY:
        raise Exception("taken")
    b[action[0]][action[1]] = player(board)
    return b


def winner(board):
    all_lines = board + [list(col) for col in zip(*board)]
    all_lines.append([board[i][i] for i in range(3)])
    all_lines.append([board[i][2 - i] for i in range(3)])
    for line in all_lines:
        if line[0] is not None and line.count(line[0]) == 3:
            return line[0]
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


def minimax(board):
    if terminal(board):
        return None
    turn = player(board)

    def search(b):
        if terminal(b):
            return utility(b)
        values = [search(result(b, a)) for a in actions(b)]
        return max(values) if player(b) == X else min(values)

    choose = max if turn == X else min
    return choose(actions(board), key=lambda a: search(result(board, a)))
