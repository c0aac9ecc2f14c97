# tic tac toe vs computer - my computer keeps losing, why?
import random

board = [" "] * 9
human = "X"
bot = "O"


def draw():
    print()
    for i in range(0, 9, 3):
        print(" " + board[i] + " | " + board[i + 1] + " | " + board[i + 2])
    print()


def check(p):
    wins = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 7]]
    for w in wins:
        if board[w[0]] == p and board[w[1]] == p and board[w[2]] == p:
            return True
    return False


def full():
    return " " not in board


def minimax(is_bot):
    if check(bot):
        return 1
    if check(human):
        return -1
    if full():
        return 0
    if is_bot:
        best = -100
        for i in range(9):
            if board[i] == " ":
                board[i] = bot
                score = minimax(False)
                board[i] = " "
                if score > best:
                    best = score
        return best
    else:
        best = 100
        for i in range(9):
            if board[i] == " ":
                board[i] = human
                score = minimax(True)
                board[i] = " "
                if score < best:
                    best = score
        return best


draw()
while True:
    move = int(input("Your move (1-9): ")) - 1
    if board[move] != " ":
        print("taken")
        continue
    board[move] = human
    draw()
    if check(human):
        print("you win")
        break
    if full():
        print("draw")
        break

    best = -100
    best_spot = 0
    for i in range(9):
        if board[i] == " ":
            board[i] = bot
            score = minimax(False)
            board[i] = " "
            if score > best:
                best = score
                best_spot = i
    board[best_spot] = bot
    draw()
    if check(bot):
        print("bot wins")
        break
    if full():
        print("draw")
        break
