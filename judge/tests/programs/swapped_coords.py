import math

class TicTacToe:
    def __init__(self):
        self.board = [["" for _ in range(3)] for _ in range(3)]
        self.current = "X"

    def winner(self):
        b = self.board
        for i in range(3):
            if b[i][0] == b[i][1] == b[i][2] != "": return b[i][0]
            if b[0][i] == b[1][i] == b[2][i] != "": return b[0][i]
        if b[0][0] == b[1][1] == b[2][2] != "": return b[1][1]
        if b[0][2] == b[1][1] == b[2][0] != "": return b[1][1]
        return None

    def moves(self):
        return [(x, y) for y in range(3) for x in range(3) if self.board[y][x] == ""]

    def get_best_move(self):
        me = self.current
        best, move = -math.inf, None
        for x, y in self.moves():
            self.board[y][x] = me
            v = self.minimax(False, me, -math.inf, math.inf)
            self.board[y][x] = ""
            if v > best:
                best, move = v, (x, y)
        return move

    def minimax(self, mine, me, a, b):
        w = self.winner()
        if w: return 1 if w == me else -1
        ms = self.moves()
        if not ms: return 0
        other = "O" if me == "X" else "X"
        if mine:
            for x, y in ms:
                self.board[y][x] = me
                a = max(a, self.minimax(False, me, a, b))
                self.board[y][x] = ""
                if a >= b: break
            return a
        for x, y in ms:
            self.board[y][x] = other
            b = min(b, self.minimax(True, me, a, b))
            self.board[y][x] = ""
            if a >= b: break
        return b
