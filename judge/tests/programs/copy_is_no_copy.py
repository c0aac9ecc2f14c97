class TicTacToe:
    def __init__(self):
        self.board = ["-"] * 9
        self.human = "X"
        self.computer = "O"

    def show(self):
        for i in range(3):
            print(" ".join(self.board[3 * i:3 * i + 3]))

    def empty_squares(self, board):
        return [i for i, s in enumerate(board) if s == "-"]

    def check_win(self, board, player):
        for i in range(3):
            if board[3 * i] == board[3 * i + 1] == board[3 * i + 2] == player:
                return True
            if board[i] == board[i + 3] == board[i + 6] == player:
                return True
        if board[0] == board[4] == board[8] == player:
            return True
        if board[2] == board[4] == board[6] == player:
            return True
        return False

    def minimax(self, board, player):
        if self.check_win(board, self.computer):
            return 1
        if self.check_win(board, self.human):
            return -1
        if not self.empty_squares(board):
            return 0
        scores = []
        for move in self.empty_squares(board):
            new_board = board
            new_board[move] = player
            if player == self.computer:
                scores.append(self.minimax(new_board, self.human))
            else:
                scores.append(self.minimax(new_board, self.computer))
        if player == self.computer:
            return max(scores)
        return min(scores)

    def get_computer_move(self):
        best_score = -10
        best_move = None
        for move in self.empty_squares(self.board):
            new_board = self.board.copy()
            new_board[move] = self.computer
            score = self.minimax(new_board, self.human)
            if score > best_score:
                best_score = score
                best_move = move
        return best_move

    def play(self):
        while True:
            self.show()
            spot = int(input("Enter a spot: "))
            self.board[spot] = self.human
            if self.check_win(self.board, self.human) or not self.empty_squares(self.board):
                break
            self.board[self.get_computer_move()] = self.computer
            if self.check_win(self.board, self.computer):
                break


if __name__ == "__main__":
    TicTacToe().play()
