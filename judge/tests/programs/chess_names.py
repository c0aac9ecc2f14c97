board = {"a1": " ", "b1": " ", "c1": " ", "a2": " ", "b2": " ", "c2": " ", "a3": " ", "b3": " ", "c3": " "}
lines = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"]
human = "X"
ai = "O"

def wins(m):
    return any(all(board[s] == m for s in line.split()) for line in lines)

def moves():
    return [s for s in board if board[s] == " "]

def minimax(turn):
    if wins(ai):
        return 1
    if wins(human):
        return -1
    if not moves():
        return 0
    best = -2 if turn == ai else 2
    for s in moves():
        board[s] = turn
        score = minimax(human if turn == ai else ai)
        board[s] = " "
        if turn == ai and score > best:
            best = score
        if turn == human and score < best:
            best = score
        if best == 1:
            return best
    return best

def ai_move():
    best, where = -2, None
    for s in moves():
        board[s] = ai
        score = minimax(human)
        board[s] = " "
        if score > best:
            best, where = score, s
    board[where] = ai
    return where

if __name__ == "__main__":
    while moves():
        board[input("square? ")] = human
        if wins(human) or not moves():
            break
        print(ai_move())
        if wins(ai):
            break
