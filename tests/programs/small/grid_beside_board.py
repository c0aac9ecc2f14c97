grid, board = [' '] * 9, [[' '] * 3] * 3
PERSON = 'X'


def best_move():
    return grid.index(' ') if PERSON in grid else None
