from enum import Enum


class P(Enum): X, O = 'x', 'o'


class Game:
    BOT, HUMAN = P.O, P.X
    def __init__(self): self.spots = [None] * 9


class Bot:
    def __init__(self, game): self.game = game
    def pick(self): return self.game.spots.index(None) if P.X in self.game.spots else 0
