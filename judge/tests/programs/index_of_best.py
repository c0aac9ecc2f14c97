def winner(board):
    for a, b, c in [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]:
        if board[a] == board[b] == board[c] != " ":
            return board[a]
    if " " not in board:
        return "tie"
    return None

def minimax(board, player, me):
    w = winner(board)
    if w == me:
        return 1
    if w == "tie":
        return 0
    if w:
        return -1
    scores = []
    for i in range(9):
        if board[i] == " ":
            board[i] = player
            scores.append(minimax(board, "O" if player == "X" else "X", me))
            board[i] = " "
    return max(scores) if player == me else min(scores)

def best_move(board, me):
    scores = []
    for i in range(9):
        if board[i] == " ":
            board[i] = me
            scores.append(minimax(board, "O" if me == "X" else "X", me))
            board[i] = " "
    return scores.index(max(scores))
