class Move:
    def __init__(self, n): self.row, self.column = divmod(n, 3)


class Ai:
    EMPTY, ME, YOU = '.', 'O', 'X'
    def decide(self, b):
        return self.ME and Move(b.index(self.EMPTY))
