best_move = None

computer = "O"
user = "X"


def is_win(board, who):
    for i in range(0, 9, 3):
        if board[i] == board[i + 1] == board[i + 2] == who:
            return True
    for i in range(3):
        if board[i] == board[i + 3] == board[i + 6] == who:
            return True
    return board[0] == board[4] == board[8] == who or board[2] == board[4] == board[6] == who


def minimax(board, is_computer):
    global best_move
    if is_win(board, computer):
        return 1
    if is_win(board, user):
        return -1
    if board.count("") == 0:
        return 0
    if is_computer:
        best = -100
        for i in range(9):
            if board[i] == "":
                board[i] = computer
                val = minimax(board, False)
                board[i] = ""
                if val > best:
                    best = val
                    best_move = i
        return best
    else:
        best = 100
        for i in range(9):
            if board[i] == "":
                board[i] = user
                val = minimax(board, True)
                board[i] = ""
                if val < best:
                    best = val
        return best


def get_computer_move(board):
    minimax(board, True)
    return best_move
