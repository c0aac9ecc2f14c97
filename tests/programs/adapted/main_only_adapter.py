import played

PLAYS = "O"


def choose(board):
    return played.choose(board, "main_only.py", "board", lambda square: [str(square + 1)])
