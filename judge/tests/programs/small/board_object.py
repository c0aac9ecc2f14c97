class Board:
    def __init__(self): self.cells = [' '] * 9


def best_move(board, is_human, is_bot):
    return board.cells.index(' ') if is_bot and not is_human else None
