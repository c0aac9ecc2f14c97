board = dict.fromkeys("abcdefghi", 0)


def win(): return any(list(board.values())[:3].count(m) == 3 for m in "XO")


while not win():
    board[input("?")] = "X"
    if [*board.values()].count("X") == 5:
        break
    board[next(n for n in board if board[n] not in ("X", "O"))] = "O"
