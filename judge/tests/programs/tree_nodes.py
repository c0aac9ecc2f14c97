class Node:
    def __init__(self, board, player):
        self.board = board
        self.player = player
        self.children = {}
        self.score = 0
        self.build()

    def build(self):
        w = check(self.board)
        if w == "O":
            self.score = 1
            return
        if w == "X":
            self.score = -1
            return
        other = "X" if self.player == "O" else "O"
        for i in range(9):
            if self.board[i] in "123456789":
                b = self.board[:i] + self.player + self.board[i + 1:]
                self.children[i + 1] = Node(b, other)
        if self.children:
            scores = [c.score for c in self.children.values()]
            self.score = sum(scores)


def check(b):
    for a, c, d in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if b[a] == b[c] == b[d]:
            return b[a]
    return None


def computer_choice(board):
    root = Node(board, "O")
    best = max(root.children, key=lambda k: root.children[k].score)
    return best


def main():
    board = "123456789"
    while True:
        print(board[:3], board[3:6], board[6:], sep="\n")
        n = int(input("your square: "))
        board = board.replace(str(n), "X")
        if check(board) or not any(c.isdigit() for c in board):
            break
        n = computer_choice(board)
        board = board.replace(str(n), "O")
        if check(board):
            break
    print(check(board))


if __name__ == "__main__":
    main()
