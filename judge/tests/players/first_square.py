"""The first free square, on a list of lists: the search leaves its marks on the board."""

Board = list[list[str | None]]


def choose(board: str) -> int:
    mark_of = {"X": "X", "O": "O", "-": None}  # what your lists hold
    rows = [[mark_of[mark] for mark in board[start : start + 3]] for start in (0, 3, 6)]
    row, column = minimax(rows)
    return 3 * row + column


def minimax(rows: Board) -> tuple[int, int]:
    best, move = -2, (0, 0)
    for row in range(3):
        for column in range(3):
            if rows[row][column] is None:
                value = -value_after(rows, row, column)
                if value > best:
                    best, move = value, (row, column)
    return move


def value_after(rows: Board, row: int, column: int) -> int:
    free = [(r, c) for r in range(3) for c in range(3) if rows[r][c] is None]
    rows[row][column] = "O" if len(free) % 2 == 0 else "X"  # and it is never taken back
    if any(set(line) == {rows[row][column]} for line in (*rows, *zip(*rows, strict=True))):
        return -1
    return max([-value_after(rows, *cell) for cell in free if cell != (row, column)], default=0)
