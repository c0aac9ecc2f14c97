import random

WINNING = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]


def check_win(board, mark):
    return any(all(board[i] == mark for i in line) for line in WINNING)


def get_empty(board):
    return [i for i, x in enumerate(board) if x == "-"]


def minimax(board, maximizing, me, other):
    if check_win(board, me):
        return 1
    if check_win(board, other):
        return -1
    if not get_empty(board):
        return 0
    if maximizing:
        best = -2
        for i in get_empty(board):
            board[i] = me
            best = max(best, minimax(board, False, me, other))
            board[i] = "-"
            return best
    else:
        best = 2
        for i in get_empty(board):
            board[i] = other
            best = min(best, minimax(board, True, me, other))
            board[i] = "-"
            return best


def get_best_move(board, mark):
    other = "O" if mark == "X" else "X"
    best, best_moves = -2, []
    for i in get_empty(board):
        board[i] = mark
        value = minimax(board, False, mark, other)
        board[i] = "-"
        if value > best:
            best, best_moves = value, [i]
        elif value == best:
            best_moves.append(i)
    return best_moves[0]


def play():
    board = ["-"] * 9
    turn = "X"
    while get_empty(board):
        if turn == "X":
            move = int(input("move? "))
        else:
            move = get_best_move(board, "O")
        board[move] = turn
        if check_win(board, turn):
            print(turn, "wins")
            return
        turn = "O" if turn == "X" else "X"
    print("draw")


if __name__ == "__main__":
    play()
