import math

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Solver:
    def __init__(self, mark):
        self.mark = mark
        self.opp = {"X": "O", "O": "X"}[mark]

    def get_move(self, board):
        alpha, best = -math.inf, None
        for i in self.free(board):
            board[i] = self.mark
            value = self.minimize(board, alpha, math.inf)
            board[i] = None
            if value >= alpha:
                alpha, best = value, i
        return best

    def free(self, board):
        return [i for i, cell in enumerate(board) if cell is None]

    def result(self, board):
        for a, b, c in LINES:
            if board[a] and board[a] == board[b] == board[c]:
                return 1 if board[a] == self.mark else -1
        return None if self.free(board) else 0

    def minimize(self, board, alpha, beta):
        if (r := self.result(board)) is not None:
            return r
        value = math.inf
        for i in self.free(board):
            board[i] = self.opp
            value = min(value, self.maximize(board, alpha, beta))
            board[i] = None
            if value <= alpha:
                break
            beta = min(beta, value)
        return value

    def maximize(self, board, alpha, beta):
        if (r := self.result(board)) is not None:
            return r
        value = -math.inf
        for i in self.free(board):
            board[i] = self.mark
            value = max(value, self.minimize(board, alpha, beta))
            board[i] = None
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value
