def lines(b):
    for i in range(3):
        yield b[3 * i], b[3 * i + 1], b[3 * i + 2]
        yield b[i], b[i + 3], b[i + 6]
    yield b[0], b[4], b[8]
    yield b[2], b[4], b[6]


def is_win(b, player):
    return (player, player, player) in lines(b)


def minimax(b, player, me):
    # has the current player won?
    if is_win(b, player):
        return 1 if player == me else -1
    if " " not in b:
        return 0
    nxt = "O" if player == "X" else "X"
    results = []
    for i in range(9):
        if b[i] == " ":
            b[i] = player
            results.append(minimax(b, nxt, me))
            b[i] = " "
    return max(results) if player == me else min(results)


def get_move(b, me):
    best = None
    for i in range(9):
        if b[i] == " ":
            b[i] = me
            v = minimax(b, "O" if me == "X" else "X", me)
            b[i] = " "
            if best is None or v > best[0]:
                best = v, i
    return best[1]
