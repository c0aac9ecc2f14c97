LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def check_winner(b):
    for i, j, k in LINES:
        if b[i] != " " and b[i] == b[j] == b[k]:
            return b[i]
    return "draw" if " " not in b else None


def has_won(b, mark):
    return any(b[i] == b[j] == b[k] == mark for i, j, k in LINES)


def game_over(b):
    return check_winner(b) is not None


def empty_cells(b):
    return [i for i in range(9) if b[i] == " "]


def best_move(b, mark):
    return b.index(" ")
