CROSS, NOUGHT = 'X', 'O'


def best_move(board):
    n = board.index(' ')
    board[n] = NOUGHT
    assert board.count(NOUGHT) == board.count(CROSS)
    board[n] = ' '
    return n
