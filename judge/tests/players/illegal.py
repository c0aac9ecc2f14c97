"""Always the center; if it is taken, something that is not a free square."""

print("What a program prints is no answer:\n0")


def choose(board: str) -> object:
    if board[4] == "-":
        return 4
    return {"X": True, "O": "top left", "-": 4}[board[0]]
