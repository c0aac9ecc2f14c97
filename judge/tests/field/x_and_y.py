import pickle


class TicTacToe:
    SIZE = 3

    def __init__(self):
        self.grid = [["_"] * self.SIZE for _ in range(self.SIZE)]

    def get(self, x, y):
        return self.grid[y][x]

    def put(self, x, y, mark):
        self.grid[y][x] = mark

    def free(self):
        return [(x, y) for x in range(3) for y in range(3) if self.get(x, y) == "_"]

    def wins(self, mark):
        rows = [[(x, y) for x in range(3)] for y in range(3)]
        cols = [[(x, y) for y in range(3)] for x in range(3)]
        diagonals = [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
        return any(all(self.get(x, y) == mark for x, y in line) for line in rows + cols + diagonals)


def score(game, mark, mine):
    theirs = "O" if mine == "X" else "X"
    if game.wins(mine):
        return 1
    if game.wins(theirs):
        return -1
    if not game.free():
        return 0
    scores = []
    for x, y in game.free():
        game.put(x, y, mark)
        scores.append(score(game, "O" if mark == "X" else "X", mine))
        game.put(x, y, "_")
    return max(scores) if mark == mine else min(scores)


def find_move(game, mine):
    best, where = -2, None
    for x, y in game.free():
        game.put(x, y, mine)
        s = score(game, "O" if mine == "X" else "X", mine)
        game.put(x, y, "_")
        if s > best:
            best, where = s, (x, y)
    return where
