import math

def create_board():
    return [' '] * 9

def available(board):
    return [i for i in range(9) if board[i] == ' ']

def winner(board):
    for a, b, c in [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]:
        if board[a] != ' ' and board[a] == board[b] and board[b] == board[c]:
            return board[a]

def minimax(board, player, maximizer, alpha, beta):
    w = winner(board)
    opp = 'O' if maximizer == 'X' else 'X'
    if w == maximizer:
        return 1
    if w == opp:
        return -1
    if not available(board):
        return 0
    if player == maximizer:
        v = -math.inf
        for m in available(board):
            board[m] = player
            v = max(v, minimax(board, opp, maximizer, alpha, beta))
            board[m] = ' '
            alpha = max(alpha, v)
            if alpha >= beta:
                break
        return v
    v = math.inf
    for m in available(board):
        board[m] = player
        v = min(v, minimax(board, maximizer, maximizer, alpha, beta))
        board[m] = ' '
        beta = min(beta, v)
        if alpha >= beta:
            break
    return v

def ai_move(board, player):
    """position 1-9 of the best move"""
    opp = 'O' if player == 'X' else 'X'
    best, pos = -math.inf, None
    for m in available(board):
        board[m] = player
        v = minimax(board, opp, player, -math.inf, math.inf)
        board[m] = ' '
        if v > best:
            best, pos = v, m + 1
    return pos
