def evaluate(b):
    for i in range(3):
        if b[i][0] == b[i][1] == b[i][2] != "":
            return 10
        if b[0][i] == b[1][i] == b[2][i] != "":
            return 10
    if b[0][0] == b[1][1] == b[2][2] != "" or b[0][2] == b[1][1] == b[2][0] != "":
        return 10
    return 0


def minimax(b, who, me):
    score = evaluate(b)
    if score:
        return score
    spots = [(r, c) for r in range(3) for c in range(3) if b[r][c] == ""]
    if not spots:
        return 0
    out = []
    for r, c in spots:
        b[r][c] = who
        out.append(minimax(b, "O" if who == "X" else "X", me))
        b[r][c] = ""
    return max(out) if who == me else min(out)


def best_move(b, me):
    top, best = -1000, None
    for r in range(3):
        for c in range(3):
            if b[r][c] == "":
                b[r][c] = me
                s = minimax(b, "O" if me == "X" else "X", me)
                b[r][c] = ""
                if s > top:
                    top, best = s, (r, c)
    return best
