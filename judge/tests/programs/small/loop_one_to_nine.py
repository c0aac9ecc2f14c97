board = [" "] * 9


def win(): return any(board[:3].count(m) == 3 for m in "XO")


while not win():
    move = input("?")
    board[int(move) - 1] = "X"
    if board.count("X") == 5:
        break
    board[next(n for n in range(9) if board[n] not in ("X", "O"))] = "O"
