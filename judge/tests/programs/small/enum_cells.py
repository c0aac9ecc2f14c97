from enum import Enum


class Cell(Enum):
    FREE, CROSS, RING = 0, 1, 2


def best_cell(grid, color):
    assert color in (Cell.CROSS, Cell.RING)
    return grid.index(Cell.FREE)
