def has_won(board, mark):
    rows = [board[0:3], board[3:6], board[6:9], board[0::3], board[1::3], board[2::3], board[0::4], board[2:7:2]]
    return mark * 3 in rows


def opposite(mark):
    return "X" if mark == "O" else "O"


def score(board, mark, me, alpha=-100, beta=100):
    if " " not in board:
        return 0
    if has_won(board, me):
        return 10
    if has_won(board, opposite(me)):
        return -10
    for i in range(9):
        if board[i] == " ":
            value = score(board[:i] + mark + board[i + 1:], opposite(mark), me, alpha, beta)
            if mark == me:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
    return alpha if mark == me else beta


def get_move(board, mark):
    best = None
    best_score = -1000
    for i in range(9):
        if board[i] == " ":
            value = score(board[:i] + mark + board[i + 1:], opposite(mark), mark)
            if value > best_score:
                best_score = value
                best = i
    return best


if __name__ == "__main__":
    b = " " * 9
    while " " in b:
        i = int(input("? "))
        b = b[:i] + "X" + b[i + 1:]
        j = get_move(b, "O")
        b = b[:j] + "O" + b[j + 1:]
        print(b[:3], b[3:6], b[6:], sep="\n")
