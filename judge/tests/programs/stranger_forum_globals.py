# my tic tac toe, the computer sometimes loses and i dont know why??
board = [" " for _ in range(9)]
player = "X"
computer = "O"


def print_board():
    print(board[0] + "|" + board[1] + "|" + board[2])
    print("-+-+-")
    print(board[3] + "|" + board[4] + "|" + board[5])
    print("-+-+-")
    print(board[6] + "|" + board[7] + "|" + board[8])


def is_winner(b, p):
    return ((b[0] == p and b[1] == p and b[2] == p) or
            (b[3] == p and b[4] == p and b[5] == p) or
            (b[6] == p and b[7] == p and b[8] == p) or
            (b[0] == p and b[3] == p and b[6] == p) or
            (b[1] == p and b[4] == p and b[7] == p) or
            (b[2] == p and b[5] == p and b[8] == p) or
            (b[0] == p and b[4] == p and b[8] == p))


def is_full(b):
    return " " not in b


def minimax(b, depth, is_maximizing):
    if is_winner(b, computer):
        return 1
    if is_winner(b, player):
        return -1
    if is_full(b):
        return 0
    if is_maximizing:
        best_score = -1000
        for i in range(9):
            if b[i] == " ":
                b[i] = computer
                score = minimax(b, depth + 1, False)
                b[i] = " "
                best_score = max(score, best_score)
        return best_score
    else:
        best_score = 1000
        for i in range(9):
            if b[i] == " ":
                b[i] = player
                score = minimax(b, depth + 1, True)
                b[i] = " "
                best_score = min(score, best_score)
        return best_score


def get_computer_move():
    best_score = -1000
    best_move = None
    for i in range(9):
        if board[i] == " ":
            board[i] = computer
            score = minimax(board, 0, False)
            board[i] = " "
            if score > best_score:
                best_score = score
                best_move = i
    return best_move


def main():
    while True:
        print_board()
        move = int(input("your move (0-8): "))
        board[move] = player
        if is_winner(board, player) or is_full(board):
            break
        board[get_computer_move()] = computer
        if is_winner(board, computer) or is_full(board):
            break
    print_board()


if __name__ == "__main__":
    main()
