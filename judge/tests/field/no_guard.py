player, bot = "X", "O"
wins = [[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]]

def check(board, who):
    for w in wins:
        if board[w[0]] == who and board[w[1]] == who and board[w[2]] == who:
            return True
    return False

def minimax(board, maximizing):
    if check(board, bot): return 1
    if check(board, player): return -1
    if " " not in board: return 0
    scores = []
    for i in range(9):
        if board[i] == " ":
            board[i] = bot if maximizing else player
            scores.append(minimax(board, not maximizing))
            board[i] = " "
    return max(scores) if maximizing else min(scores)

def bot_move(board):
    best, move = -5, None
    for i in range(9):
        if board[i] == " ":
            board[i] = bot
            score = minimax(board, False)
            board[i] = " "
            if score > best:
                best, move = score, i
    return move

board = [" "] * 9
print("Welcome!")
while " " in board:
    n = int(input("Your move (0-8): "))
    board[n] = player
    if check(board, player): print("You win"); break
    board[bot_move(board)] = bot
    if check(board, bot): print("I win"); break
