from enum import Enum
import math


class Player(Enum):
    X = "X"
    O = "O"

    def other(self):
        return Player.O if self is Player.X else Player.X


class Board:
    def __init__(self):
        self.cells = [None] * 9

    def moves(self):
        return [i for i in range(9) if self.cells[i] is None]

    def winner(self):
        lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
        for a, b, c in lines:
            if self.cells[a] is not None and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None

    def full(self):
        return all(c is not None for c in self.cells)


def minimax(board, player, me):
    w = board.winner()
    if w == me:
        return 1
    if w == me.other():
        return -1
    if board.full():
        return 0
    scores = []
    for m in board.moves():
        board.cells[m] = player
        scores.append(minimax(board, player.other(), me))
        board.cells[m] = None
    if player == me:
        return max(scores)
    return max(scores)


def best_move(board, me):
    best_score = -math.inf
    best = None
    for m in board.moves():
        board.cells[m] = me
        s = minimax(board, me.other(), me)
        board.cells[m] = None
        if s > best_score:
            best_score = s
            best = m
    return best


def main():
    board = Board()
    turn = Player.X
    while board.winner() is None and not board.full():
        if turn is Player.X:
            board.cells[int(input("square 0-8: "))] = turn
        else:
            board.cells[best_move(board, turn)] = turn
        turn = turn.other()
    print(board.winner())


if __name__ == "__main__":
    main()
