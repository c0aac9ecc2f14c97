EMPTY, X, O = 0, 1, -1

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def evaluate(board):
    for a, b, c in LINES:
        s = board[a] + board[b] + board[c]
        if s == 3:
            return X
        if s == -3:
            return O
    return 0


def negamax(board, player):
    w = evaluate(board)
    if w:
        return w * player
    if 0 not in board:
        return 0
    best = -10
    for i in range(9):
        if board[i] == EMPTY:
            board[i] = player
            score = negamax(board, -player)
            board[i] = EMPTY
            if score > best:
                best = score
    return best


def best_move(board, player):
    best = -10
    move = -1
    for i in range(9):
        if board[i] == EMPTY:
            board[i] = player
            score = negamax(board, -player)
            board[i] = EMPTY
            if score > best:
                best = score
                move = i
    return move
