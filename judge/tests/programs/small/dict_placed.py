board = {n: ' ' for n in range(1, 10)}


def comp_move():
    board[next(n for n in board if board[n] == ' ')] = 'O'
    if 'X' in board.values(): raise SystemExit('I win!')
