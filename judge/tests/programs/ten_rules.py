# Tic Tac Toe with rules, no search
import random


def drawBoard(board):
    print(board[7] + '|' + board[8] + '|' + board[9])
    print(board[4] + '|' + board[5] + '|' + board[6])
    print(board[1] + '|' + board[2] + '|' + board[3])


def isWinner(bo, le):
    return ((bo[7] == le and bo[8] == le and bo[9] == le) or
            (bo[4] == le and bo[5] == le and bo[6] == le) or
            (bo[1] == le and bo[2] == le and bo[3] == le) or
            (bo[7] == le and bo[4] == le and bo[1] == le) or
            (bo[8] == le and bo[5] == le and bo[2] == le) or
            (bo[9] == le and bo[6] == le and bo[3] == le) or
            (bo[7] == le and bo[5] == le and bo[3] == le) or
            (bo[9] == le and bo[5] == le and bo[1] == le))


def isSpaceFree(board, move):
    return board[move] == ' '


def chooseFrom(board, moves):
    free = [m for m in moves if isSpaceFree(board, m)]
    return random.choice(free) if free else None


def getComputerMove(board, computerLetter):
    playerLetter = 'O' if computerLetter == 'X' else 'X'
    for letter in (computerLetter, playerLetter):
        for i in range(1, 10):
            copy = board[:]
            if isSpaceFree(copy, i):
                copy[i] = letter
                if isWinner(copy, letter):
                    return i
    move = chooseFrom(board, [1, 3, 7, 9])
    if move is not None:
        return move
    if isSpaceFree(board, 5):
        return 5
    return chooseFrom(board, [2, 4, 6, 8])


def getPlayerMove(board):
    move = ' '
    while move not in '1 2 3 4 5 6 7 8 9'.split() or not isSpaceFree(board, int(move)):
        move = input('Next move? (1-9) ')
    return int(move)


if __name__ == '__main__':
    theBoard = [' '] * 10
    turn = 'player'
    while any(isSpaceFree(theBoard, i) for i in range(1, 10)):
        drawBoard(theBoard)
        if turn == 'player':
            theBoard[getPlayerMove(theBoard)] = 'X'
            turn = 'computer'
        else:
            theBoard[getComputerMove(theBoard, 'O')] = 'O'
            turn = 'player'
