turn = 'X'
board = {n: ' ' for n in range(1, 10)}


def bot_turn(d=1):
    board[next(n for n in board if board[n] == ' ')] = turn
