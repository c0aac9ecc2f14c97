KEYS = ["top-L", "top-M", "top-R", "mid-L", "mid-M", "mid-R", "low-L", "low-M", "low-R"]
LINES = [KEYS[0:3], KEYS[3:6], KEYS[6:9], KEYS[0::3], KEYS[1::3], KEYS[2::3], KEYS[0::4], KEYS[2:7:2]]


def winner(board):
    for line in LINES:
        marks = {board[k] for k in line}
        if len(marks) == 1 and " " not in marks:
            return marks.pop()


def solve(board, turn):
    won = winner(board)
    if won:
        return (1 if won == "X" else -1), None
    free = [k for k in KEYS if board[k] == " "]
    if not free:
        return 0, None
    options = []
    for k in free:
        board[k] = turn
        options.append((solve(board, "O" if turn == "X" else "X")[0], k))
        board[k] = " "
    pick = max if turn == "X" else min
    return pick(options, key=lambda o: o[0])
