"""Any of the best squares, at random. A file beside it is found, as where it runs by itself."""

from random import choice

from perfect import children, minimax, turn  # type: ignore[import-not-found]


def choose(board: str) -> object:
    values = {s: minimax(child, turn(board), 1) for s, child in children(board).items()}
    return choice([square for square in values if values[square] == max(values.values())])
