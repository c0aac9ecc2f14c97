def choose(board, mark, depth=0): return board.index('_')
