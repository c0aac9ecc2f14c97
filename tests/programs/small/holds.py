from collections import Counter
from os import path
from random import choice
_hidden = 1
AI = "O"
boards = [[1, 2, 3]]
board = [["X", "_", "_"], ["_", "_", "_"], ["_", "_", "_"]]
numbers = {n: str(n) for n in range(1, 10)}
ten = [" "] * 10
corners = {(r, c): None for r in range(3) for c in range(3)}
mixed = [1, 2, 3, 4, "a", 6, 7, 8, []]
unlike = list("abcabcabc")
def initial_state(): return [None] * 9
def new_board(size): return 1 / 0
def empty_board(): return 1 / 0
class Game:
    def __init__(self): self.board, self.turn = list("123456789"), "X"
    def best_move(self): pass
    @staticmethod
    def wins(board): pass
class Player:
    def __init__(self, letter): pass
class Broken:
    def __init__(self): raise ValueError
