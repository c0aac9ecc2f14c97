class Bot:
    def __init__(self, letter): self.letter = letter
    def pick_move(self, board, x_turn):
        return board.index('_') // 3, board.index('_') % 3, 1
