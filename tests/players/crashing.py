"""Raises on some boards, exits on others, and is killed on one."""

import os
import signal
import sys


def choose(board: str) -> int:
    if board.startswith("X"):
        raise ValueError("no idea\nat all")
    if board.startswith("O"):
        sys.exit("I give up")
    if board == "--------X":
        os.kill(os.getpid(), signal.SIGKILL)
    return board.index("-")
