# Tic tac toe vs computer
import time

board = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
HUMAN = "X"
COMPUTER = "O"


def show():
    print(board[0], board[1], board[2])
    print(board[3], board[4], board[5])
    print(board[6], board[7], board[8])


def winning(b, p):
    return ((b[0] == p and b[1] == p and b[2] == p) or
            (b[3] == p and b[4] == p and b[5] == p) or
            (b[6] == p and b[7] == p and b[8] == p) or
            (b[0] == p and b[3] == p and b[6] == p) or
            (b[1] == p and b[4] == p and b[7] == p) or
            (b[2] == p and b[5] == p and b[8] == p) or
            (b[0] == p and b[4] == p and b[8] == p) or
            (b[2] == p and b[4] == p and b[6] == p))


def free(b):
    return [s for s in b if s != "X" and s != "O"]


def minimax(b, p):
    spots = free(b)
    if winning(b, HUMAN):
        return {"score": -10}
    elif winning(b, COMPUTER):
        return {"score": 10}
    elif len(spots) == 0:
        return {"score": 0}
    moves = []
    for spot in spots:
        move = {"index": spot}
        i = int(spot) - 1
        b[i] = p
        if p == COMPUTER:
            move["score"] = minimax(b, HUMAN)["score"]
        else:
            move["score"] = minimax(b, COMPUTER)["score"]
        b[i] = spot
        moves.append(move)
    best = None
    if p == COMPUTER:
        best_score = -10000
        for m in moves:
            if m["score"] > best_score:
                best_score = m["score"]
                best = m
    else:
        best_score = 10000
        for m in moves:
            if m["score"] < best_score:
                best_score = m["score"]
                best = m
    return best


def computer_move():
    print("Computer is thinking...")
    time.sleep(1)
    move = minimax(board, COMPUTER)
    board[int(move["index"]) - 1] = COMPUTER


turn = HUMAN
while True:
    show()
    if turn == HUMAN:
        choice = input("Pick a square: ")
        while choice not in free(board):
            choice = input("Pick a free square: ")
        board[int(choice) - 1] = HUMAN
        if winning(board, HUMAN):
            print("You win!")
            break
        turn = COMPUTER
    else:
        computer_move()
        if winning(board, COMPUTER):
            show()
            print("Computer wins!")
            break
        turn = HUMAN
    if not free(board):
        print("Draw!")
        break
