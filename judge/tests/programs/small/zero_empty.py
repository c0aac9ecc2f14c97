def best_move(b):
    return b.index(0)
