from functools import cache

WINS = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


@cache
def negamax(mine: int, theirs: int) -> int:
    if any(theirs & w == w for w in WINS):
        return -10 + (mine | theirs).bit_count()
    free = ~(mine | theirs) & 0o777
    if not free:
        return 0
    best = -99
    while free:
        bit = free & -free
        free ^= bit
        best = max(best, -negamax(theirs, mine | bit))
    return best


def choose(board: str) -> int:
    x = sum(1 << i for i, c in enumerate(board) if c == "X")
    o = sum(1 << i for i, c in enumerate(board) if c == "O")
    mine, theirs = (x, o) if x.bit_count() == o.bit_count() else (o, x)
    return max((i for i in range(9) if board[i] == "-"), key=lambda i: -negamax(theirs, mine | 1 << i))
