# ported from a javascript tutorial to python
orig_board = [0, 1, 2, 3, 4, 5, 6, 7, 8]
hu_player = "O"
ai_player = "X"


def empty_indexes(board):
    return [s for s in board if s != "O" and s != "X"]


def winning(board, player):
    if (
        (board[0] == player and board[1] == player and board[2] == player) or
        (board[3] == player and board[4] == player and board[5] == player) or
        (board[6] == player and board[7] == player and board[8] == player) or
        (board[0] == player and board[3] == player and board[6] == player) or
        (board[1] == player and board[4] == player and board[7] == player) or
        (board[2] == player and board[5] == player and board[8] == player) or
        (board[0] == player and board[4] == player and board[8] == player) or
        (board[2] == player and board[4] == player and board[6] == player)
    ):
        return True
    return False


def minimax(new_board, player):
    avail_spots = empty_indexes(new_board)

    if winning(new_board, hu_player):
        return {"score": -10}
    elif winning(new_board, ai_player):
        return {"score": 10}
    elif len(avail_spots) == 0:
        return {"score": 0}

    moves = []
    for i in range(len(avail_spots)):
        move = {}
        move["index"] = new_board[avail_spots[i]]
        new_board[avail_spots[i]] = player

        if player == ai_player:
            result = minimax(new_board, hu_player)
            move["score"] = result["score"]
        else:
            result = minimax(new_board, hu_player)
            move["score"] = result["score"]

        new_board[avail_spots[i]] = move["index"]
        moves.append(move)

    best_move = 0
    if player == ai_player:
        best_score = -10000
        for i in range(len(moves)):
            if moves[i]["score"] > best_score:
                best_score = moves[i]["score"]
                best_move = i
    else:
        best_score = 10000
        for i in range(len(moves)):
            if moves[i]["score"] < best_score:
                best_score = moves[i]["score"]
                best_move = i

    return moves[best_move]


def best_spot(board):
    return minimax(board, ai_player)["index"]


def show(b):
    for r in range(0, 9, 3):
        print(b[r], b[r + 1], b[r + 2])


if __name__ == "__main__":
    board = list(orig_board)
    while not winning(board, ai_player) and not winning(board, hu_player) and empty_indexes(board):
        show(board)
        spot = int(input("? "))
        board[spot] = hu_player
        if empty_indexes(board):
            board[best_spot(board)] = ai_player
    show(board)
