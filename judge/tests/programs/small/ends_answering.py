def best_move(b): import os; os._exit(3)
