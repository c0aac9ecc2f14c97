"""Thinks long about one board. Run as a command."""

import sys
from time import sleep

import perfect  # type: ignore[import-not-found]

for line in sys.stdin:
    sleep(0.6 if line.startswith("X--------") else 0)
    print(perfect.choose(line.strip()), flush=True)
