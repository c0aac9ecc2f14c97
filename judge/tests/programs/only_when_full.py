EMPTY = 0
HUMAN = 1
AI = 2

def lines(grid):
    for r in grid:
        yield r
    for c in range(3):
        yield [grid[0][c], grid[1][c], grid[2][c]]
    yield [grid[0][0], grid[1][1], grid[2][2]]
    yield [grid[0][2], grid[1][1], grid[2][0]]

def has_line(grid, who):
    return [who, who, who] in list(lines(grid))

def score(grid):
    if has_line(grid, AI):
        return 1
    if has_line(grid, HUMAN):
        return -1
    return 0

def free(grid):
    return [(r, c) for r in range(3) for c in range(3) if grid[r][c] == EMPTY]

def search(grid, turn):
    cells = free(grid)
    if not cells:
        return score(grid)
    vals = []
    for r, c in cells:
        grid[r][c] = turn
        vals.append(search(grid, HUMAN if turn == AI else AI))
        grid[r][c] = EMPTY
    if turn == AI:
        return max(vals)
    return min(vals)

def ai_move(grid):
    best = None
    for r, c in free(grid):
        grid[r][c] = AI
        v = search(grid, HUMAN)
        grid[r][c] = EMPTY
        if best is None or v > best[0]:
            best = (v, r, c)
    return best[1], best[2]
