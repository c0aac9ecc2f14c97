import random

COLS = "abc"
ROWS = "123"
SQUARES = [c + r for r in ROWS for c in COLS]
LINES = [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"],
         ["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"],
         ["a1", "b2", "c3"], ["a3", "b2", "c1"]]


def new_board():
    return {s: " " for s in SQUARES}


def won_by(board, mark):
    return any(all(board[s] == mark for s in line) for line in LINES)


def open_squares(board):
    return [s for s in SQUARES if board[s] == " "]


def minimax(board, mark, my_mark):
    your_mark = "o" if my_mark == "x" else "x"
    if won_by(board, my_mark):
        return 1
    if won_by(board, your_mark):
        return -1
    if not open_squares(board):
        return 0
    values = []
    for s in open_squares(board):
        board[s] = mark
        values.append(minimax(board, your_mark if mark == my_mark else my_mark, my_mark))
        board[s] = " "
    return sum(values) / len(values) if mark != my_mark else max(values)


def computer_move(board, my_mark):
    your_mark = "o" if my_mark == "x" else "x"
    best = []
    best_value = -5
    for s in open_squares(board):
        board[s] = my_mark
        v = minimax(board, your_mark, my_mark)
        board[s] = " "
        if v > best_value:
            best, best_value = [s], v
        elif v == best_value:
            best.append(s)
    return random.choice(best)
