"""Answers the board on its command line."""

import sys

import perfect  # type: ignore[import-not-found]

print(perfect.choose(sys.argv[1]))
