memo = {}
WIN = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def check(board):
    for a, b, c in WIN:
        if board[a] == board[b] == board[c] != " ":
            return board[a]
    return None


def minimax(board, turn, me):
    key = "".join(board)
    if key in memo:
        return memo[key]
    other = "O" if turn == "X" else "X"
    w = check(board)
    if w is not None:
        value = 1 if w == me else -1
    elif " " not in board:
        value = 0
    else:
        values = []
        for i in range(9):
            if board[i] == " ":
                board[i] = turn
                values.append(minimax(board, other, me))
                board[i] = " "
        value = max(values) if turn == me else min(values)
    memo[key] = value
    return value


def best_move(board, player):
    opponent = "O" if player == "X" else "X"
    best, move = -2, None
    for i in range(9):
        if board[i] == " ":
            board[i] = player
            value = minimax(board, opponent, player)
            board[i] = " "
            if value > best:
                best, move = value, i
    return move


if __name__ == "__main__":
    board = [" "] * 9
    turn = "X"
    while check(board) is None and " " in board:
        board[best_move(board, turn)] = turn
        print(board)
        turn = "O" if turn == "X" else "X"
