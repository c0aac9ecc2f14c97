def has_won(b, m):
    for x, y, z in ((0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)):
        if b[x] == m and b[y] == m and b[z] == m:
            return True
    return False

def evaluate(b, me, you):
    if has_won(b, me):
        return 1
    if has_won(b, you):
        return -1
    if ' ' not in b:
        return 0
    return None

def minimax(b, turn, me, you):
    result = evaluate(b, me, you)
    if result:
        return result
    best = None
    for i in range(9):
        if b[i] == ' ':
            b[i] = turn
            score = minimax(b, you if turn == me else me, me, you)
            b[i] = ' '
            if not best or (turn == me and score > best) or (turn == you and score < best):
                best = score
    return best or 0

def find_best_move(b, me):
    you = 'O' if me == 'X' else 'X'
    best = None
    move = None
    for i in range(9):
        if b[i] == ' ':
            b[i] = me
            score = minimax(b, you, me, you)
            b[i] = ' '
            if best is None or score > best:
                best, move = score, i
    return move
