class Game:
    def __init__(self):
        self.b = [" "] * 9
        self.player = "X"

    def moves(self):
        return [i for i, x in enumerate(self.b) if x == " "]

    def win(self):
        for i, j, k in [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]:
            if self.b[i] == self.b[j] == self.b[k] != " ":
                return self.b[i]

    def make(self, m):
        self.b[m] = self.player
        self.player = "O" if self.player == "X" else "X"

    def undo(self, m):
        self.b[m] = " "
        self.player = "O" if self.player == "X" else "X"


def negamax(game):
    if game.win():
        return -1
    if not game.moves():
        return 0
    best = -2
    for m in game.moves():
        game.make(m)
        score = -negamax(game)
        game.undo(m)
        if score > best:
            best = score
            return best
    return best


def choose_best(game):
    scored = []
    for m in game.moves():
        game.make(m)
        scored.append((-negamax(game), m))
        game.undo(m)
    return max(scored)[1]
