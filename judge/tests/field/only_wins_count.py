combos = ["012", "345", "678", "036", "147", "258", "048", "246"]
def is_winner(board, p):
    return any(all(board[int(i)] == p for i in c) for c in combos)
def minimax(board, p, ai):
    if is_winner(board, ai): return 1
    opp = "o" if ai == "x" else "x"
    if is_winner(board, opp): return 0
    if not board.count("."): return 0
    vals = []
    for i in range(9):
        if board[i] == ".":
            board[i] = p
            vals.append(minimax(board, "o" if p == "x" else "x", ai))
            board[i] = "."
    return max(vals) if p == ai else min(vals)
def computer_move(board, ai):
    best = -1
    for i in range(9):
        if board[i] == ".":
            board[i] = ai
            v = minimax(board, "o" if ai == "x" else "x", ai)
            board[i] = "."
            if v > best: best, move = v, i
    return move
