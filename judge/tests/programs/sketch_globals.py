# tic tac toe AI with minimax, made after watching the video (his was p5.js, mine is python)
import math

board = [
    ['', '', ''],
    ['', '', ''],
    ['', '', '']
]

human = 'X'
ai = 'O'
currentPlayer = human


def equals3(a, b, c):
    return a == b and b == c and a != ''


def checkWinner():
    winner = None
    # horizontal
    for i in range(3):
        if equals3(board[i][0], board[i][1], board[i][2]):
            winner = board[i][0]
    # vertical
    for i in range(3):
        if equals3(board[0][i], board[1][i], board[2][i]):
            winner = board[0][i]
    # diagonal
    if equals3(board[0][0], board[1][1], board[2][2]):
        winner = board[0][0]
    if equals3(board[2][0], board[1][1], board[0][2]):
        winner = board[2][0]

    openSpots = 0
    for i in range(3):
        for j in range(3):
            if board[i][j] == '':
                openSpots += 1

    if winner is None and openSpots == 0:
        return 'tie'
    return winner


def bestMove():
    global currentPlayer
    bestScore = -math.inf
    move = None
    for i in range(3):
        for j in range(3):
            # is the spot available?
            if board[i][j] == '':
                board[i][j] = ai
                score = minimax(board, 0, False)
                board[i][j] = ''
                if score > bestScore:
                    bestScore = score
                    move = (i, j)
    board[move[0]][move[1]] = ai
    currentPlayer = human


scores = {
    'X': 10,
    'O': -10,
    'tie': 0
}


def minimax(board, depth, isMaximizing):
    result = checkWinner()
    if result is not None:
        return scores[result]

    if isMaximizing:
        bestScore = -math.inf
        for i in range(3):
            for j in range(3):
                if board[i][j] == '':
                    board[i][j] = ai
                    score = minimax(board, depth + 1, False)
                    board[i][j] = ''
                    bestScore = max(score, bestScore)
        return bestScore
    else:
        bestScore = math.inf
        for i in range(3):
            for j in range(3):
                if board[i][j] == '':
                    board[i][j] = human
                    score = minimax(board, depth + 1, True)
                    board[i][j] = ''
                    bestScore = min(score, bestScore)
        return bestScore


def draw():
    for row in board:
        print(' | '.join(c if c else ' ' for c in row))
        print('---------')


def play():
    global currentPlayer
    while checkWinner() is None:
        draw()
        if currentPlayer == human:
            r, c = map(int, input('row col: ').split())
            if board[r][c] == '':
                board[r][c] = human
                currentPlayer = ai
        else:
            bestMove()
    draw()
    print(checkWinner())


if __name__ == '__main__':
    play()
