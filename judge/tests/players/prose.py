"""Tells of each move at length; the number alone on a line is the answer. Run as a command."""

import sys

import perfect  # type: ignore[import-not-found]

print("Welcome! Squares are 0 to 8.", flush=True)
for line in sys.stdin:
    move = perfect.choose(line.strip())
    print(f"I think of 4 squares.\r\n\n  {move}\r\nThat was\n8\n", flush=True)
