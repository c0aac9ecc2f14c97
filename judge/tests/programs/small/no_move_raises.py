def best_move(b): return 99
1 / 0
