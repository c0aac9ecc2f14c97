def best(b, is_human, is_ai): pass


class TTT:
    def __init__(self):
        self.cells = (None,) * 9
        self.turn = 'X'
    def minimax(self):
        return 10, self.cells.index(None)
