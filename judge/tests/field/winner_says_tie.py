def check_winner(board):
    for a, b, c in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
        if board[a] == board[b] == board[c] and board[a] is not None:
            return board[a]
    if all(cell is not None for cell in board):
        return "Tie"
    return "Continue"


def minimax(board, depth, is_ai, ai, human):
    outcome = check_winner(board)
    if outcome == ai:
        return 10 - depth
    if outcome == human:
        return depth - 10
    if outcome == "Tie":
        return 0
    best = -100 if is_ai else 100
    for i in range(9):
        if board[i] is None:
            board[i] = ai if is_ai else human
            score = minimax(board, depth + 1, not is_ai, ai, human)
            board[i] = None
            best = max(best, score) if is_ai else min(best, score)
    return best


def find_best_move(board, ai):
    human = "O" if ai == "X" else "X"
    best_score, best_index = -100, -1
    for i in range(9):
        if board[i] is None:
            board[i] = ai
            score = minimax(board, 0, False, ai, human)
            board[i] = None
            if score > best_score:
                best_score, best_index = score, i
    return best_index
