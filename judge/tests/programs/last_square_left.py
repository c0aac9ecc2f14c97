def winner(s):
    for i, j, k in [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]:
        if s[i] != "." and s[i] == s[j] == s[k]:
            return s[i]
    return None

def value(s, who, me):
    w = winner(s)
    if w:
        return 1 if w == me else -1
    moves = [i for i in range(8) if s[i] == "."]
    if not moves:
        return 0
    vals = [value(s[:i] + who + s[i+1:], "O" if who == "X" else "X", me) for i in moves]
    return max(vals) if who == me else min(vals)

def choose_move(board, mark):
    """board: a string of nine, '.' is free"""
    best = None
    for i in range(9):
        if board[i] == ".":
            v = value(board[:i] + mark + board[i+1:], "O" if mark == "X" else "X", mark)
            if best is None or v > best[0]:
                best = (v, i)
    return best[1]
