L = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def won(s, m):
    return any(s[i] == m and s[j] == m and s[k] == m for i, j, k in L)


def other(m):
    return "XO"[m == "X"]


def alphabeta(s, m, me, alpha, beta, memo):
    if s in memo:
        return memo[s]
    if won(s, me):
        return 10 - (9 - s.count("-"))
    if won(s, other(me)):
        return (9 - s.count("-")) - 10
    if "-" not in s:
        return 0
    v = -99 if m == me else 99
    for i in range(9):
        if s[i] != "-":
            continue
        child = alphabeta(s[:i] + m + s[i + 1:], other(m), me, alpha, beta, memo)
        if m == me:
            v = max(v, child)
            alpha = max(alpha, v)
        else:
            v = min(v, child)
            beta = min(beta, v)
        if alpha >= beta:
            break
    memo[s] = v
    return v


def choose(board):
    me = "X" if board.count("X") == board.count("O") else "O"
    alpha, move, memo = -99, None, {}
    for i in range(9):
        if board[i] == "-":
            v = alphabeta(board[:i] + me + board[i + 1:], other(me), me, alpha, 99, memo)
            if v > alpha:
                alpha, move = v, i
    return move
