# tic tac toe with sums, 1 = me, -1 = the other one
from random import choice


class Matrix:
    """a 3x3 grid of numbers (didn't want to install numpy)"""

    def __init__(self, rows=None):
        self.data = rows or [[0, 0, 0], [0, 0, 0], [0, 0, 0]]

    def row_sums(self):
        return [sum(row) for row in self.data]

    def col_sums(self):
        return [sum(col) for col in zip(*self.data)]

    def trace(self):
        return sum(self.data[i][i] for i in range(3))

    def anti_trace(self):
        return sum(self.data[i][i - 2] for i in range(3))

    def zeros(self):
        return [(r, c) for r in range(3) for c in range(3) if self.data[r][c] == 0]


class TicTacToe:
    def __init__(self):
        self.grid = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        self.player = 1

    def winner(self):
        m = Matrix(self.grid)
        sums = m.row_sums() + m.col_sums() + [m.trace(), m.anti_trace()]
        if 3 in sums:
            return 1
        if -3 in sums:
            return -1
        return 0

    def available(self):
        return Matrix(self.grid).zeros()

    def minimax(self, player):
        w = self.winner()
        if w != 0 or self.available() == []:
            return w, None
        results = []
        for r, c in self.available():
            self.grid[r][c] = player
            results.append((self.minimax(-player)[0], (r, c)))
            self.grid[r][c] = 0
        if player == 1:
            return max(results)
        return min(results)

    def best_move(self):
        score, move = self.minimax(self.player)
        return move

    def play(self):
        while self.winner() == 0 and self.available():
            if self.player == 1:
                r, c = map(int, input("row col: ").split())
            else:
                r, c = self.best_move()
            self.grid[r][c] = self.player
            self.player = -self.player
            for row in self.grid:
                print(" ".join(".XO"[x] for x in row))
        print("winner:", self.winner())


if __name__ == "__main__":
    TicTacToe().play()
