class Game:
    def __init__(self): self.cells = [' '] * 9


class Bot:
    def get_move(self, game):
        return game.cells.index(' ')
