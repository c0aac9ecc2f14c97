WIN = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def won(board, p):
    return any(board[a] == board[b] == board[c] == p for a, b, c in WIN)


def best_move(board, me, turn=None):
    turn = turn or me
    you = "O" if me == "X" else "X"
    if won(board, me):
        return 1
    if won(board, you):
        return -1
    if "-" not in board:
        return 0
    best, move = (-100 if turn == me else 100), None
    for i in range(9):
        if board[i] == "-":
            board[i] = turn
            v = best_move(board, me, "O" if turn == "X" else "X")
            board[i] = "-"
            if (turn == me and v > best) or (turn != me and v < best):
                best, move = v, i
    return move
