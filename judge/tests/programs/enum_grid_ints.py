from enum import IntEnum
from typing import List, Optional, Tuple


class Cell(IntEnum):
    EMPTY = 0
    HUMAN = 1
    COMPUTER = 2


Grid = List[List[Cell]]


def empty_grid() -> Grid:
    return [[Cell.EMPTY for _ in range(3)] for _ in range(3)]


def free_cells(grid: Grid) -> List[Tuple[int, int]]:
    return [(r, c) for r in range(3) for c in range(3) if grid[r][c] == Cell.EMPTY]


def has_won(grid: Grid, who: Cell) -> bool:
    for i in range(3):
        if all(grid[i][j] == who for j in range(3)):
            return True
        if all(grid[j][i] == who for j in range(3)):
            return True
    if all(grid[i][i] == who for i in range(3)):
        return True
    return all(grid[i][2 - i] == who for i in range(3))


def minimax(grid: Grid, depth: int, maximizing: bool) -> int:
    if has_won(grid, Cell.COMPUTER):
        return 10 - depth
    if has_won(grid, Cell.HUMAN):
        return -10 + depth
    cells = free_cells(grid)
    if not cells or depth == 2:
        return 0
    if maximizing:
        best = -1000
        for r, c in cells:
            grid[r][c] = Cell.COMPUTER
            best = max(best, minimax(grid, depth + 1, False))
            grid[r][c] = Cell.EMPTY
        return best
    best = 1000
    for r, c in cells:
        grid[r][c] = Cell.HUMAN
        best = min(best, minimax(grid, depth + 1, True))
        grid[r][c] = Cell.EMPTY
    return best


def find_best_move(grid: Grid) -> Optional[Tuple[int, int]]:
    best_value = -1000
    move = None
    for r, c in free_cells(grid):
        grid[r][c] = Cell.COMPUTER
        value = minimax(grid, 0, False)
        grid[r][c] = Cell.EMPTY
        if value > best_value:
            best_value = value
            move = (r, c)
    return move
