board = [' ' for x in range(10)]

def insertLetter(letter, pos):
    board[pos] = letter

def spaceIsFree(pos):
    return board[pos] == ' '

def isWinner(bo, le):
    return (bo[7]==le and bo[8]==le and bo[9]==le) or (bo[4]==le and bo[5]==le and bo[6]==le) or (bo[1]==le and bo[2]==le and bo[3]==le) or (bo[1]==le and bo[4]==le and bo[7]==le) or (bo[2]==le and bo[5]==le and bo[8]==le) or (bo[3]==le and bo[6]==le and bo[9]==le) or (bo[1]==le and bo[5]==le and bo[9]==le) or (bo[3]==le and bo[5]==le and bo[7]==le)

def isBoardFull(board):
    return board.count(' ') <= 1

def minimax(bo, isMax):
    if isWinner(bo, 'O'): return 1
    if isWinner(bo, 'X'): return -1
    if isBoardFull(bo): return 0
    if isMax:
        best = -10
        for i in range(1, 10):
            if bo[i] == ' ':
                bo[i] = 'O'
                best = max(best, minimax(bo, True))
                bo[i] = ' '
        return best
    best = 10
    for i in range(1, 10):
        if bo[i] == ' ':
            bo[i] = 'X'
            best = min(best, minimax(bo, True))
            bo[i] = ' '
    return best

def compMove():
    move, top = 0, -10
    for i in range(1, 10):
        if spaceIsFree(i):
            board[i] = 'O'
            s = minimax(board, False)
            board[i] = ' '
            if s > top:
                top, move = s, i
    return move

def playerMove():
    while True:
        m = int(input('Please select a position (1-9): '))
        if spaceIsFree(m):
            insertLetter('X', m)
            return

def main():
    while not isBoardFull(board):
        if not isWinner(board, 'O'):
            playerMove()
        else:
            print('O won'); break
        if not isWinner(board, 'X'):
            m = compMove()
            if m: insertLetter('O', m)
        else:
            print('X won'); break

while True:
    answer = input('Do you want to play? (Y/N)')
    if answer.lower() == 'y':
        board = [' ' for x in range(10)]
        main()
    else:
        break
