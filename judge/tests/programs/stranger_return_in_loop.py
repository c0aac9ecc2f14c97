def win(b, p):
    w = [[1,2,3],[4,5,6],[7,8,9],[1,4,7],[2,5,8],[3,6,9],[1,5,9],[3,5,7]]
    return any(all(b[i] == p for i in l) for l in w)

def full(b):
    return all(b[i] != " " for i in range(1, 10))

def minimax(b, maxi, ai, hu):
    if win(b, ai): return 1
    if win(b, hu): return -1
    if full(b): return 0
    if maxi:
        best = -99
        for i in range(1, 10):
            if b[i] == " ":
                b[i] = ai
                best = max(best, minimax(b, False, ai, hu))
                b[i] = " "
                return best
    else:
        best = 99
        for i in range(1, 10):
            if b[i] == " ":
                b[i] = hu
                best = min(best, minimax(b, True, ai, hu))
                b[i] = " "
        return best

def computer_move(board, letter):
    # board is a list of 10, index 0 is ignored
    other = "X" if letter == "O" else "O"
    best, move = -100, 0
    for i in range(1, 10):
        if board[i] == " ":
            board[i] = letter
            s = minimax(board, False, letter, other)
            board[i] = " "
            if s > best:
                best, move = s, i
    return move
