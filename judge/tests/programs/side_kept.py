def empty_cells(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == 0]


def wins(board, p):
    return (any(all(board[i][j] == p for j in range(3)) for i in range(3))
            or any(all(board[i][j] == p for i in range(3)) for j in range(3))
            or all(board[i][i] == p for i in range(3))
            or all(board[i][2 - i] == p for i in range(3)))


def score(board, p):
    # did p win
    if wins(board, p):
        return 1
    if wins(board, -p):
        return -1
    return 0


def minimax(board, p, depth=0):
    """Return [row, col, score]."""
    if wins(board, 1) or wins(board, -1) or not empty_cells(board):
        return [-1, -1, score(board, 1)]
    best = [-1, -1, -2 * p]
    for i, j in empty_cells(board):
        board[i][j] = p
        s = minimax(board, p, depth + 1)
        board[i][j] = 0
        s[0], s[1] = i, j
        if p == 1 and s[2] > best[2] or p == -1 and s[2] < best[2]:
            best = s
    return best


def best_move(board, p):
    row, col, _ = minimax(board, p)
    return row, col
