board = [" "] * 9
human = "X"
ai = "O"


def print_board(board):
    for i in range(3):
        print("|".join(board[3 * i:3 * i + 3]))


def is_winner(board, p):
    wins = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for a, b, c in wins:
        if board[a] == board[b] == board[c] == p:
            return True
    return False


def is_full(board):
    return " " not in board


def minimax(board, depth, is_maximizing):
    if is_winner(board, ai):
        return 10 - depth
    if is_winner(board, human):
        return depth - 10
    if is_full(board):
        return 0
    if is_maximizing:
        best_score = -1000
        for i in range(9):
            if board[i] == " ":
                board[i] = ai
                score = minimax(board, depth + 1, False)
                board[i] = " "
                best_score = max(score, best_score)
        return best_score
    else:
        best_score = 1000
        for i in range(9):
            if board[i] == " ":
                board[i] = human
                score = minimax(board, depth + 1, True)
                board[i] = " "
                best_score = min(score, best_score)
        return best_score


def best_move(board):
    best_score = -1000
    move = None
    for i in range(9):
        if board[i] == " ":
            board[i] = ai
            score = minimax(board, 0, True)
            board[i] = " "
            if score > best_score:
                best_score = score
                move = i
    return move


def main():
    while True:
        print_board(board)
        m = int(input("Your move (0-8): "))
        if board[m] != " ":
            print("taken!")
            continue
        board[m] = human
        if is_winner(board, human):
            print("You win")
            break
        if is_full(board):
            print("Tie")
            break
        board[best_move(board)] = ai
        if is_winner(board, ai):
            print_board(board)
            print("You lose")
            break


if __name__ == "__main__":
    main()
