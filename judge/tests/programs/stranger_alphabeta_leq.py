import math

def check(b):
    for i, j, k in ((0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)):
        if b[i] and b[i] == b[j] == b[k]:
            return b[i]
    return "draw" if all(b) else None

def search(b, turn, me, alpha, beta):
    r = check(b)
    if r:
        return 0 if r == "draw" else (1 if r == me else -1), None
    moves = [i for i in range(9) if not b[i]]
    pick = None
    if turn == me:
        for m in moves:
            b[m] = turn
            v, _ = search(b, "O" if turn == "X" else "X", me, alpha, beta)
            b[m] = ""
            if v >= alpha:
                alpha, pick = v, m
            if alpha >= beta:
                break
        return alpha, pick
    for m in moves:
        b[m] = turn
        v, _ = search(b, "O" if turn == "X" else "X", me, alpha, beta)
        b[m] = ""
        if v <= beta:
            beta, pick = v, m
        if alpha >= beta:
            break
    return beta, pick

def get_best_move(board, player):
    return search(board, player, player, -math.inf, math.inf)[1]
