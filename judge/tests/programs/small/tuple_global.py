board = ('.',) * 9


def best_move():
    return board.index('.')
