import copy


class Player:
    def __init__(self, symbol):
        self.symbol = symbol

    def choose_move(self, board):
        raise NotImplementedError


class MinimaxPlayer(Player):
    def choose_move(self, board):
        _, move = self._max(board)
        return move

    def _enemy(self):
        return "O" if self.symbol == "X" else "X"

    def _end(self, board):
        lines = board + [list(c) for c in zip(*board)]
        lines += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
        if [self.symbol] * 3 in lines:
            return 1
        if [self._enemy()] * 3 in lines:
            return -1
        return None if any("" in row for row in board) else 0

    def _children(self, board, mark):
        for r in range(3):
            for c in range(3):
                if board[r][c] == "":
                    child = copy.deepcopy(board)
                    child[r][c] = mark
                    yield (r, c), child

    def _max(self, board):
        if (end := self._end(board)) is not None:
            return end, None
        return max(((self._min(child)[0], move) for move, child in self._children(board, self.symbol)), key=lambda v: v[0])

    def _min(self, board):
        if (end := self._end(board)) is not None:
            return end, None
        return min(((self._max(child)[0], move) for move, child in self._children(board, self._enemy())), key=lambda v: v[0])
