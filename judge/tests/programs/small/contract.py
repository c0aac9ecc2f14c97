def choose(board): return board.index('-')
