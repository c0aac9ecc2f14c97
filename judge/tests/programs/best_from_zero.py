class AI:
    def __init__(self, mark="O"):
        self.mark = mark
        self.enemy = "X" if mark == "O" else "O"

    def lines(self, b):
        for i in range(3):
            yield b[i]
            yield [b[0][i], b[1][i], b[2][i]]
        yield [b[0][0], b[1][1], b[2][2]]
        yield [b[0][2], b[1][1], b[2][0]]

    def score(self, b):
        for line in self.lines(b):
            if line == [self.mark] * 3:
                return 1
            if line == [self.enemy] * 3:
                return -1
        return 0

    def free(self, b):
        return [(r, c) for r in range(3) for c in range(3) if b[r][c] == " "]

    def minimax(self, b, mine):
        s = self.score(b)
        if s != 0 or not self.free(b):
            return s
        if mine:
            best = 0
            for r, c in self.free(b):
                b[r][c] = self.mark
                best = max(best, self.minimax(b, False))
                b[r][c] = " "
        else:
            best = 0
            for r, c in self.free(b):
                b[r][c] = self.enemy
                best = min(best, self.minimax(b, True))
                b[r][c] = " "
        return best

    def choose_move(self, board):
        best, move = -1000, None
        for r, c in self.free(board):
            board[r][c] = self.mark
            value = self.minimax(board, False)
            board[r][c] = " "
            if value > best:
                best, move = value, (r, c)
        return move


class Human:
    def __init__(self, mark="X"):
        self.mark = mark

    def choose_move(self, board):
        return tuple(int(n) for n in input("row,col: ").split(","))
