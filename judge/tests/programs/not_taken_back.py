HUMAN = 'X'
AI = 'O'
EMPTY = ' '


def available_moves(board):
    return [i for i in range(9) if board[i] == EMPTY]


def check_winner(board):
    lines = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]
    for x, y, z in lines:
        if board[x] == board[y] == board[z] and board[x] != EMPTY:
            return board[x]
    if EMPTY not in board:
        return 'Draw'
    return None


def minimax(board, is_max):
    result = check_winner(board)
    if result == AI:
        return 1
    elif result == HUMAN:
        return -1
    elif result == 'Draw':
        return 0

    if is_max:
        best = -float('inf')
        for move in available_moves(board):
            board[move] = AI
            best = max(best, minimax(board, False))
            board[move] = EMPTY
        return best
    else:
        best = float('inf')
        for move in available_moves(board):
            board[move] = HUMAN
            best = min(best, minimax(board, True))
        return best


def ai_move(board):
    best_score = -float('inf')
    best_move = None
    for move in available_moves(board):
        board[move] = AI
        score = minimax(board, False)
        board[move] = EMPTY
        if score > best_score:
            best_score = score
            best_move = move
    return best_move


def main():
    board = [EMPTY] * 9
    while check_winner(board) is None:
        square = int(input('Where? '))
        board[square] = HUMAN
        if check_winner(board) is None:
            board[ai_move(board)] = AI
    print(check_winner(board))


if __name__ == '__main__':
    main()
