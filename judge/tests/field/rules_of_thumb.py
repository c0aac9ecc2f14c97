import random

WINNING = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def gap(board, mark):
    for line in WINNING:
        marks = [board[i] for i in line]
        if marks.count(mark) == 2 and marks.count(" ") == 1:
            return line[marks.index(" ")]


def get_computer_move(board, mark):
    other = "O" if mark == "X" else "X"
    for m in (mark, other):
        i = gap(board, m)
        if i is not None:
            return i
    if board[4] == " ":
        return 4
    corners = [i for i in (0, 2, 6, 8) if board[i] == " "]
    if corners:
        return corners[0]
    return board.index(" ")
