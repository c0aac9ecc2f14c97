from functools import lru_cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


@lru_cache(maxsize=None)
def minimax(board, player):
    """Returns (score, move) for player to move; board is a tuple."""
    opponent = "O" if player == "X" else "X"
    w = winner(board)
    if w == player:
        return 1, None
    if w == opponent:
        return -1, None
    empty = [i for i in range(9) if board[i] == " "]
    if not empty:
        return 0, None
    best = (-2, None)
    for move in empty:
        child = board[:move] + (player,) + board[move + 1:]
        score = -minimax(child, opponent)[0]
        if score > best[0]:
            best = (score, move)
    return best
