# everything in main
def main():
    board = [str(i) for i in range(1, 10)]

    def won(m):
        for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
            if board[a] == board[b] == board[c] == m:
                return True
        return False

    def free():
        return [i for i in range(9) if board[i] not in "XO"]

    def mm(turn):
        if won("O"):
            return 1
        if won("X"):
            return -1
        if not free():
            return 0
        vals = []
        for i in free():
            keep = board[i]
            board[i] = turn
            vals.append(mm("X" if turn == "O" else "O"))
            board[i] = keep
        return max(vals) if turn == "O" else min(vals)

    while True:
        m = int(input("where? ")) - 1
        board[m] = "X"
        if won("X") or not free():
            break
        best = None
        for i in free():
            keep = board[i]
            board[i] = "O"
            v = mm("X")
            board[i] = keep
            if best is None or v > best[0]:
                best = (v, i)
        board[best[1]] = "O"
        print(board)
        if won("O"):
            break


main()
