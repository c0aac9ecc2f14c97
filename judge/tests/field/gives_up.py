def choose(board):
    me = "X" if board.count("X") == board.count("O") else "O"
    best, move = -1, None  # -1 is a loss, so a lost board has no better move
    for i in range(9):
        if board[i] == "-":
            v = -value(board[:i] + me + board[i + 1:])
            if v > best:
                best, move = v, i
    return move


def value(board):
    me = "X" if board.count("X") == board.count("O") else "O"
    for a, b, c in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
        if board[a] == board[b] == board[c] != "-":
            return -1
    if "-" not in board:
        return 0
    return max(-value(board[:i] + me + board[i + 1:]) for i in range(9) if board[i] == "-")
