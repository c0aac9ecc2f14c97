"""Wants to win quickly, but adds depth instead of subtracting."""
WINS = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]

def winner(board):
    for a, b, c in WINS:
        if board[a] != "-" and board[a] == board[b] == board[c]:
            return board[a]
    return None

def minimax(board, depth, me, turn):
    w = winner(board)
    if w == me:
        return 10 + depth
    if w is not None:
        return depth - 10
    if "-" not in board:
        return 0
    scores = []
    for i in range(9):
        if board[i] == "-":
            nb = board[:i] + turn + board[i+1:]
            scores.append(minimax(nb, depth + 1, me, "O" if turn == "X" else "X"))
    return max(scores) if turn == me else min(scores)

def find_best_move(board, player):
    best = None
    best_val = -1000
    for i in range(9):
        if board[i] == "-":
            nb = board[:i] + player + board[i+1:]
            v = minimax(nb, 0, player, "O" if player == "X" else "X")
            if v > best_val:
                best_val = v
                best = i
    return best
