"""Perfect, with squares counted from 1 to 9."""

import perfect  # type: ignore[import-not-found]


def choose(board: str) -> object:
    print(board)
    return perfect.choose(board) + 1
