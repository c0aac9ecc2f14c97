def choose(board):
    """I am O, always."""
    values = {}
    for n in range(9):
        if board[n] == "-":
            turn = "X" if board.count("X") == board.count("O") else "O"
            values[n] = value(board[:n] + turn + board[n + 1:])
    return min(values, key=values.get)


def value(board):
    for i, j, k in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if board[i] != "-" and board[i] == board[j] == board[k]:
            return 1 if board[i] == "X" else -1
    if "-" not in board:
        return 0
    turn = "X" if board.count("X") == board.count("O") else "O"
    below = [value(board[:n] + turn + board[n + 1:]) for n in range(9) if board[n] == "-"]
    return max(below) if turn == "X" else min(below)
