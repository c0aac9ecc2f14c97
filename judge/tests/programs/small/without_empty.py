board = {n: '' for n in range(1, 10)}
row = [''] * 9
AI = 'X'


def best_move():
    return next(n for n in board if board[n] not in (AI, 'O'))
