import random


class Game:
    def __init__(self):
        self.state = [[" " for _ in range(3)] for _ in range(3)]
        self.turn = "X"

    def legal(self):
        return [(r, c) for r in range(3) for c in range(3) if self.state[r][c] == " "]

    def push(self, r, c):
        self.state[r][c] = self.turn
        self.turn = "O" if self.turn == "X" else "X"

    def pop(self, r, c):
        self.state[r][c] = " "
        self.turn = "O" if self.turn == "X" else "X"

    def winner(self):
        s = self.state
        rows = s + [list(col) for col in zip(*s)] + [[s[i][i] for i in range(3)], [s[i][2 - i] for i in range(3)]]
        for row in rows:
            if row[0] != " " and len(set(row)) == 1:
                return row[0]
        return None


class Bot:
    def __init__(self, game):
        self.game = game

    def search(self):
        if self.game.winner():
            return -1
        moves = self.game.legal()
        if not moves:
            return 0
        best = -2
        for r, c in moves:
            self.game.push(r, c)
            best = max(best, -self.search())
            self.game.pop(r, c)
        return best

    def pick(self):
        scored = []
        for r, c in self.game.legal():
            self.game.push(r, c)
            scored.append((-self.search(), (r, c)))
            self.game.pop(r, c)
        top = max(s for s, _ in scored)
        return random.choice([m for s, m in scored if s == top])


if __name__ == "__main__":
    game = Game()
    bot = Bot(game)
    while not game.winner() and game.legal():
        game.push(*bot.pick())
    print(game.state)
