class Game:
    def __init__(self): self.cells = ["."] * 9
    def play(self):
        while "." in self.cells:
            self.cells[int(input("?"))] = "o"
            self.cells[self.cells.index(".")] = "x"


Game().play()
