"""Always the center; where that is taken, what is no free square."""

print("What a program prints is no answer:\n0")


def choose(board: str) -> object:
    if board[4] == "-":
        return 4
    return {"X": True, "O": "top left", "-": 4}[board[0]]
