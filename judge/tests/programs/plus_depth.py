def wins(b, p):
    L = [[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]]
    for l in L:
        if b[l[0]] == p and b[l[1]] == p and b[l[2]] == p:
            return True
    return False

def mm(b, depth, turn, me, opp):
    if wins(b, me): return 10 + depth
    if wins(b, opp): return -10 - depth
    if '_' not in b: return 0
    res = []
    for i in range(9):
        if b[i] == '_':
            b[i] = turn
            res.append(mm(b, depth + 1, opp if turn == me else me, me, opp))
            b[i] = '_'
    if turn == me: return max(res)
    return min(res)

def get_ai_move(board, ai, player):
    best = -1000
    for i in range(9):
        if board[i] == '_':
            board[i] = ai
            s = mm(board, 1, player, ai, player)
            board[i] = '_'
            if s > best:
                best = s
                move = i
    return move
