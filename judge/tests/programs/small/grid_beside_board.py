grid, board = [' '] * 9, [[' '] * 3] * 3
COMPUTER = 'O'


def wins(mark): return grid[:3] == [mark] * 3


def best_move():
    n = grid.index(' ')
    grid[n] = COMPUTER
    wins(COMPUTER)
    grid[n] = ' '
    return n
