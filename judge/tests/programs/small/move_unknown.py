def best_move(board, wisdom): return 0
