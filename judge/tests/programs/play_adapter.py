"""Ask a program that only plays: put a board where it first asks its user, and see its next mark."""

import builtins
import runpy
import sys
from contextlib import suppress
from pathlib import Path


class Done(BaseException):
    pass


def choose(board, file, name, says):
    if "X" not in board:
        return 0  # it plays second
    last = board.index("X")
    before = board[:last] + "-" + board[last + 1 :]
    said, held = [], []

    def asked(*_):
        if said == ["begun"]:
            raise Done
        if not said:
            frame = sys._getframe(1)
            held.append({**frame.f_globals, **frame.f_locals}[name])
            if says is None:  # a name is asked for first
                said.append("named")
                return "me"
            put(held[0], before)
            said.extend(says(last))
        if said == ["named"]:
            put(held[0], before)
            said[:] = [str(n) for n in divmod(last, 3)]
        answer = said.pop(0)
        said.extend(["begun"] * (not said))
        return answer

    builtins.input = asked
    with suppress(Done, SystemExit):
        runpy.run_path(str(Path(__file__).with_name(file)), run_name="__main__")
    after = squares(held[0])
    return next(n for n in range(9) if board[n] == "-" and after[n] == "O")


def squares(held):
    return [cell for row in held for cell in row] if isinstance(held[0], list) else held


def put(held, board):
    for n, mark in enumerate(board):
        row, at = (held[n // 3], n % 3) if isinstance(held[0], list) else (held, n)
        if mark != "-":
            row[at] = mark
