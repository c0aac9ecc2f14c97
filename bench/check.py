"""How long it takes to judge a program, beside how long the program itself thinks."""

from __future__ import annotations

import json
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from teach.check.__main__ import main

PROGRAMS = Path(__file__).parent.parent / "tests/programs"
NAMES = ("course_right", "class_players", "overwritten_best", "stranger_alphabeta_leq")


def judging() -> None:
    """Print both times for programs that think long and short."""
    print("\nCheck: time to judge a program, and to think; bound: 1.5 times where it thinks long\n")
    for name in NAMES:
        began = time.perf_counter()
        with redirect_stdout(StringIO()) as printed:
            main(["--json", str(PROGRAMS / f"{name}.py")])
        judged, thinks = time.perf_counter() - began, json.loads(printed.getvalue())["seconds"]
        print(f"{name:24} {judged:6.1f} s, thinks {thinks:6.1f} s: {judged / thinks:.2f} times")
