{"cells": [{"cell_type": "code", "source": ["def best_move(board):\n", "    return 0"]}], "nbformat": 4}
