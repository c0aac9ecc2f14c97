board = [*range(9)]


def win(): return any(board[:3].count(m) == 3 for m in "XO")


while not win():
    import sys
    r = sys.stdin.readline()
    c = input()
    board[3 * int(r) + int(c)] = "X"
    if board.count("X") == 5:
        break
    board[next(n for n in range(9) if board[n] not in ("X", "O"))] = "O"
