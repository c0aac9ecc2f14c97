def choose(board):
    me = "X" if board.count("X") == (9 - board.count("-")) / 2 else "0"
    best, move = -9, None
    for i in free(board):
        v = -search(put(board, i, me), other(me))
        if v > best:
            best, move = v, i
    return move


def other(mark):
    return "0" if mark == "X" else "X"


def free(board):
    return [i for i in range(9) if board[i] == "-"]


def put(board, i, mark):
    return board[:i] + mark + board[i + 1:]


def won(board, mark):
    return any(board[a] == board[b] == board[c] == mark for a, b, c in
               [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])


def search(board, mark):
    if won(board, other(mark)):
        return -1
    if not free(board):
        return 0
    return max(-search(put(board, i, mark), other(mark)) for i in free(board))
