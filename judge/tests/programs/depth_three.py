from math import inf

MAX_DEPTH = 3


def won(board, p):
    for i in range(3):
        if board[i][0] == board[i][1] == board[i][2] == p:
            return True
        if board[0][i] == board[1][i] == board[2][i] == p:
            return True
    return board[0][0] == board[1][1] == board[2][2] == p or board[0][2] == board[1][1] == board[2][0] == p


def moves(board):
    return [(r, c) for r in range(3) for c in range(3) if board[r][c] == "."]


def other(p):
    return "O" if p == "X" else "X"


def search(board, depth, p, me):
    if won(board, me):
        return 100 - depth
    if won(board, other(me)):
        return depth - 100
    if depth == MAX_DEPTH or not moves(board):
        return 0
    scores = []
    for r, c in moves(board):
        board[r][c] = p
        scores.append(search(board, depth + 1, other(p), me))
        board[r][c] = "."
    return max(scores) if p == me else min(scores)


def find_best_move(board, player):
    best, best_score = None, -inf
    for r, c in moves(board):
        board[r][c] = player
        score = search(board, 1, other(player), player)
        board[r][c] = "."
        if score > best_score:
            best, best_score = (r, c), score
    return best


def main():
    board = [["."] * 3 for _ in range(3)]
    player = "X"
    while moves(board) and not won(board, "X") and not won(board, "O"):
        if player == "X":
            r, c = map(int, input("row col: ").split())
        else:
            r, c = find_best_move(board, player)
        board[r][c] = player
        player = other(player)
        print("\n".join(" ".join(row) for row in board))


if __name__ == "__main__":
    main()
