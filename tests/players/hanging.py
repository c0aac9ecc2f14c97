"""Never comes back once the centre is taken."""


def choose(board: str) -> int:
    while board[4] != "-":
        pass
    return board.index("-")
