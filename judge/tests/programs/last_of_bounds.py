import math


def three(board, player):
    rows = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return any(all(board[i] == player for i in row) for row in rows)


def moves(board):
    return [i for i in range(9) if board[i] == " "]


def alphabeta(board, depth, alpha, beta, maximizing, ai):
    human = "O" if ai == "X" else "X"
    if three(board, ai):
        return 10 - depth
    if three(board, human):
        return depth - 10
    if not moves(board):
        return 0
    if maximizing:
        best = -math.inf
        for i in moves(board):
            board[i] = ai
            best = max(best, alphabeta(board, depth + 1, alpha, beta, False, ai))
            board[i] = " "
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    best = math.inf
    for i in moves(board):
        board[i] = human
        best = min(best, alphabeta(board, depth + 1, alpha, beta, True, ai))
        board[i] = " "
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def get_best_move(board, ai):
    best, move = -math.inf, None
    alpha = -math.inf
    for i in moves(board):
        board[i] = ai
        value = alphabeta(board, 0, alpha, math.inf, False, ai)
        board[i] = " "
        if value >= best:
            best, move = value, i
        alpha = max(alpha, best)
    return move
