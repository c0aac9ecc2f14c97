import random

board = [" ", " ", " ", " ", " ", " ", " ", " ", " "]
YOU = "X"
COMPUTER = "O"


def print_board():
    for i in range(0, 9, 3):
        print(board[i], "|", board[i + 1], "|", board[i + 2])
    print()


def wins(who):
    ways = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]]
    for way in ways:
        if board[way[0] - 1] == who and board[way[1] - 1] == who and board[way[2] - 1] == who:
            return True
    return False


def full():
    return " " not in board


def alphabeta(depth, alpha, beta, is_computer):
    if wins(COMPUTER):
        return 10 - depth
    if wins(YOU):
        return depth - 10
    if full():
        return 0
    if is_computer:
        best = -1000
        for spot in range(1, 10):
            if board[spot - 1] == " ":
                board[spot - 1] = COMPUTER
                best = max(best, alphabeta(depth + 1, alpha, beta, False))
                board[spot - 1] = " "
                alpha = max(alpha, best)
                if beta <= alpha:
                    break
        return best
    else:
        best = 1000
        for spot in range(1, 10):
            if board[spot - 1] == " ":
                board[spot - 1] = YOU
                best = min(best, alphabeta(depth + 1, alpha, beta, True))
                board[spot - 1] = " "
                beta = min(beta, best)
                if beta <= alpha:
                    break
        return best


def find_spot():
    best_score = -1000
    best_spot = None
    for spot in range(1, 10):
        if board[spot - 1] == " ":
            board[spot - 1] = COMPUTER
            score = alphabeta(0, 1000, -1000, False)
            board[spot - 1] = " "
            if score > best_score:
                best_score = score
                best_spot = spot
    return best_spot


def computer_move():
    spot = find_spot()
    board[spot - 1] = COMPUTER
    print("I take", spot)


def your_move():
    while True:
        spot = int(input("Which spot (1-9)? "))
        if 1 <= spot <= 9 and board[spot - 1] == " ":
            board[spot - 1] = YOU
            return
        print("not possible")


if __name__ == "__main__":
    while True:
        print_board()
        your_move()
        if wins(YOU) or full():
            break
        computer_move()
        if wins(COMPUTER):
            break
    print_board()
    print("done")
