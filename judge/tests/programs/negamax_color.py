"""negamax for tic tac toe, board is a flat list of 1, -1, 0"""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8),
         (0, 3, 6), (1, 4, 7), (2, 5, 8),
         (0, 4, 8), (2, 4, 6))


def evaluate(board):
    for a, b, c in LINES:
        s = board[a] + board[b] + board[c]
        if s == 3:
            return 1
        if s == -3:
            return -1
    return 0


def negamax(board, color):
    e = evaluate(board)
    if e != 0 or 0 not in board:
        return e
    best = -99
    for i in range(9):
        if board[i] == 0:
            board[i] = color
            best = max(best, -negamax(board, -color))
            board[i] = 0
    return best


def get_best_move(board, color):
    best, move = -99, -1
    for i in range(9):
        if board[i] == 0:
            board[i] = color
            v = -negamax(board, -color)
            board[i] = 0
            if v > best:
                best, move = v, i
    return move


if __name__ == "__main__":
    b = [0] * 9
    c = 1
    while evaluate(b) == 0 and 0 in b:
        b[get_best_move(b, c)] = c
        c = -c
    print(b)
