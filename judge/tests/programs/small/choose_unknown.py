def choose(board, wisdom): return 0
