import copy


class TicTacToe:
    """Tic tac toe against a bot. The bot uses minimax."""

    EMPTY = ' '

    def __init__(self):
        self.board = [[self.EMPTY] * 3 for _ in range(3)]
        self.human = 'X'
        self.bot = 'O'

    def print_board(self):
        for row in self.board:
            print('|'.join(row))

    def get_empty_cells(self):
        return [(r, c) for r in range(3) for c in range(3) if self.board[r][c] == self.EMPTY]

    def is_winner(self, mark):
        b = self.board
        for i in range(3):
            if b[i][0] == b[i][1] == b[i][2] == mark:
                return True
            if b[0][i] == b[1][i] == b[2][i] == mark:
                return True
        return b[0][0] == b[1][1] == b[2][2] == mark or b[0][2] == b[1][1] == b[2][0] == mark

    def is_full(self):
        return not self.get_empty_cells()

    def make_move(self, r, c, mark):
        if self.board[r][c] != self.EMPTY:
            return False
        self.board[r][c] = mark
        return True

    def minimax(self, is_maximizing):
        if self.is_winner(self.bot):
            return 1
        if self.is_winner(self.human):
            return -1
        if self.is_full():
            return 0
        if is_maximizing:
            best_score = float('-inf')
            for r, c in self.get_empty_cells():
                self.board[r][c] = self.bot
                best_score = max(self.minimax(False), best_score)
                self.board[r][c] = self.EMPTY
        else:
            best_score = float('inf')
            for r, c in self.get_empty_cells():
                self.board[r][c] = self.human
                best_score = self.minimax(True)
                self.board[r][c] = self.EMPTY
        return best_score

    def bot_move(self):
        best_score = float('-inf')
        best = None
        for r, c in self.get_empty_cells():
            self.board[r][c] = self.bot
            score = self.minimax(False)
            self.board[r][c] = self.EMPTY
            if score > best_score:
                best_score = score
                best = (r, c)
        self.make_move(best[0], best[1], self.bot)
        return best

    def play(self):
        while True:
            self.print_board()
            r, c = [int(n) for n in input('row,col: ').split(',')]
            if not self.make_move(r, c, self.human):
                continue
            if self.is_winner(self.human) or self.is_full():
                break
            self.bot_move()
            if self.is_winner(self.bot) or self.is_full():
                break


if __name__ == '__main__':
    game = TicTacToe()
    game.play()
