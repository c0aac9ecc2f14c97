import random
grid = [['-' for _ in range(3)] for _ in range(3)]
me = 'X'
ai = 'O'

def lines(g):
    out = [row for row in g]
    out += [[g[r][c] for r in range(3)] for c in range(3)]
    out += [[g[i][i] for i in range(3)], [g[i][2 - i] for i in range(3)]]
    return out

def won(g, p):
    return [p, p, p] in lines(g)

def score(g, turn):
    if won(g, ai): return 10
    if won(g, me): return -10
    cells = [(r, c) for r in range(3) for c in range(3) if g[r][c] == '-']
    if not cells: return 0
    res = []
    for r, c in cells:
        g[r][c] = turn
        res.append(score(g, me if turn == ai else ai))
        g[r][c] = '-'
    return max(res) if turn == me else min(res)

name = input('What is your name? ')
print('Hello', name)
while True:
    for row in grid: print(*row)
    r = int(input('row: '))
    c = int(input('col: '))
    if grid[r][c] != '-':
        continue
    grid[r][c] = me
    if won(grid, me) or not any('-' in row for row in grid):
        print('over'); break
    best = None
    for i in range(3):
        for j in range(3):
            if grid[i][j] == '-':
                grid[i][j] = ai
                s = score(grid, me)
                grid[i][j] = '-'
                if best is None or s > best[0]:
                    best = (s, i, j)
    grid[best[1]][best[2]] = ai
    if won(grid, ai):
        print('I won'); break
