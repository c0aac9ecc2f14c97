class Board:
    def __init__(self, cells=None):
        self.cells = cells if cells is not None else [" "] * 9

    def empty(self):
        return [i for i in range(9) if self.cells[i] == " "]

    def has_won(self, player):
        c = self.cells
        wins = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
        return any(c[x] == c[y] == c[z] == player for x, y, z in wins)

    def with_move(self, i, player):
        cells = self.cells.copy()
        cells[i] = player
        return Board(cells)


def opponent(player):
    return "O" if player == "X" else "X"


def minimax(board, player, me, depth):
    if board.has_won(me):
        return 10 - depth
    if board.has_won(opponent(me)):
        return depth - 10
    moves = board.empty()
    if not moves:
        return 0
    scores = [minimax(board.with_move(m, player), opponent(player), me, depth + 1) for m in moves]
    return max(scores) if player == me else min(scores)


def best_move(board, player):
    return max(board.empty(), key=lambda m: minimax(board.with_move(m, player), opponent(player), player, 1))
