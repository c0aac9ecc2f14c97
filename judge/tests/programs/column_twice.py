ai = 'X'
human = 'O'


def check_winner(board):
    # rows
    for r in range(3):
        if board[r][0] == board[r][1] == board[r][2] and board[r][0] != ' ':
            return board[r][0]
    # columns
    for c in range(2):
        if board[0][c] == board[1][c] == board[2][c] and board[0][c] != ' ':
            return board[0][c]
    # diagonals
    if board[0][0] == board[1][1] == board[2][2] and board[0][0] != ' ':
        return board[0][0]
    if board[0][2] == board[1][1] == board[2][0] and board[0][2] != ' ':
        return board[0][2]
    for r in range(3):
        for c in range(3):
            if board[r][c] == ' ':
                return None
    return 'tie'


scores = {'X': 10, 'O': -10, 'tie': 0}


def minimax(board, depth, alpha, beta, isMaximizing):
    result = check_winner(board)
    if result is not None:
        return scores[result]
    if isMaximizing:
        bestScore = float('-inf')
        for r in range(3):
            for c in range(3):
                if board[r][c] == ' ':
                    board[r][c] = ai
                    score = minimax(board, depth + 1, alpha, beta, False)
                    board[r][c] = ' '
                    bestScore = max(score, bestScore)
                    alpha = max(alpha, score)
                    if beta <= alpha:
                        return bestScore
        return bestScore
    else:
        bestScore = float('inf')
        for r in range(3):
            for c in range(3):
                if board[r][c] == ' ':
                    board[r][c] = human
                    score = minimax(board, depth + 1, alpha, beta, True)
                    board[r][c] = ' '
                    bestScore = min(score, bestScore)
                    beta = min(beta, score)
                    if beta <= alpha:
                        return bestScore
        return bestScore


def bestMove(board):
    bestScore = float('-inf')
    move = None
    for r in range(3):
        for c in range(3):
            if board[r][c] == ' ':
                board[r][c] = ai
                score = minimax(board, 0, float('-inf'), float('inf'), False)
                board[r][c] = ' '
                if score > bestScore:
                    bestScore = score
                    move = (r, c)
    return move


board = [[' ', ' ', ' '], [' ', ' ', ' '], [' ', ' ', ' ']]
while check_winner(board) is None:
    r, c = bestMove(board)
    board[r][c] = ai
    print(board)
    if check_winner(board) is None:
        r = int(input('row: '))
        c = int(input('col: '))
        board[r][c] = human
