import random

AI = "O"
HUMAN = "X"


def wins(board, player):
    combos = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return any(board[a] == board[b] == board[c] == player for a, b, c in combos)


def alphabeta(board, player, alpha, beta):
    if wins(board, AI):
        return 1
    if wins(board, HUMAN):
        return -1
    empties = [i for i in range(9) if board[i] is None]
    if not empties:
        return 0
    for move in empties:
        board[move] = player
        value = alphabeta(board, HUMAN if player == AI else AI, alpha, beta)
        board[move] = None
        if player == AI:
            if value > alpha:
                alpha = value
        else:
            if value < beta:
                beta = value
        if alpha >= beta:
            break
    return alpha if player == AI else beta


def computer_move(board):
    best = -2
    choices = []
    for move in [i for i in range(9) if board[i] is None]:
        board[move] = AI
        value = alphabeta(board, HUMAN, best, 2)
        board[move] = None
        if value > best:
            best = value
            choices = [move]
        elif value == best:
            choices.append(move)
    return random.choice(choices)


def game():
    board = [None] * 9
    for n in range(9):
        if n % 2 == 0:
            move = int(input("Your move: "))
            board[move] = HUMAN
        else:
            board[computer_move(board)] = AI
        if wins(board, AI) or wins(board, HUMAN):
            break


if __name__ == "__main__":
    game()
