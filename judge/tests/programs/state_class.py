"""Negamax with objects, like in the textbook exercise."""
from dataclasses import dataclass, field
from typing import List, Optional


@dataclass
class Game:
    board: List[Optional[str]] = field(default_factory=lambda: [None] * 9)
    turn: str = "X"

    def legal(self):
        return [i for i, v in enumerate(self.board) if v is None]

    def push(self, i):
        self.board[i] = self.turn
        self.turn = "O" if self.turn == "X" else "X"

    def pop(self, i):
        self.board[i] = None
        self.turn = "O" if self.turn == "X" else "X"

    def lost(self):
        for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
            if self.board[a] and self.board[a] == self.board[b] == self.board[c]:
                return self.board[a] != self.turn
        return False

    def negamax(self, depth=9, alpha=-99, beta=99):
        if self.lost():
            return -1 - depth
        if not self.legal():
            return 0
        best = -99
        for i in self.legal():
            self.push(i)
            best = max(best, -self.negamax(depth - 1, -beta, -alpha))
            self.pop(i)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def best_move(self):
        scored = []
        for i in self.legal():
            self.push(i)
            scored.append((-self.negamax(8), i))
            self.pop(i)
        return max(scored)[1]
