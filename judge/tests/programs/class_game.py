import math


class TicTacToe:
    def __init__(self):
        self.board = [" " for _ in range(9)]
        self.current_player = "X"

    def print_board(self):
        for row in [self.board[i * 3:(i + 1) * 3] for i in range(3)]:
            print("| " + " | ".join(row) + " |")

    def available_moves(self):
        return [i for i, spot in enumerate(self.board) if spot == " "]

    def make_move(self, square, letter):
        if self.board[square] == " ":
            self.board[square] = letter
            return True
        return False

    def winner(self):
        for a, b, c in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
            if self.board[a] == self.board[b] == self.board[c] != " ":
                return self.board[a]
        return None

    def is_full(self):
        return " " not in self.board

    def minimax(self, depth, alpha, beta, maximizing, letter):
        other = "O" if letter == "X" else "X"
        won = self.winner()
        if won == letter:
            return 10 - depth
        if won == other:
            return depth - 10
        if self.is_full():
            return 0
        if maximizing:
            best = -math.inf
            for move in self.available_moves():
                self.board[move] = letter
                best = max(best, self.minimax(depth + 1, alpha, beta, False, letter))
                self.board[move] = " "
                alpha = max(alpha, best)
                if beta <= alpha:
                    break
            return best
        best = math.inf
        for move in self.available_moves():
            self.board[move] = other
            best = min(best, self.minimax(depth + 1, alpha, beta, True, letter))
            self.board[move] = " "
            beta = min(beta, best)
            if beta <= alpha:
                break
        return best

    def get_best_move(self):
        letter = self.current_player
        best_score, best_move = -math.inf, None
        for move in self.available_moves():
            self.board[move] = letter
            score = self.minimax(1, -math.inf, math.inf, False, letter)
            self.board[move] = " "
            if score > best_score:
                best_score, best_move = score, move
        return best_move

    def play(self):
        while not self.winner() and not self.is_full():
            self.print_board()
            if self.current_player == "X":
                move = int(input("Your move: "))
            else:
                move = self.get_best_move()
            if self.make_move(move, self.current_player):
                self.current_player = "O" if self.current_player == "X" else "X"


if __name__ == "__main__":
    TicTacToe().play()
