"""How long it takes to judge a program, beside how long the program itself thinks."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

PROGRAMS = Path(__file__).parent.parent / "judge/tests/programs"
NAMES = ("course_max_for_both", "course_right", "class_players", "stranger_alphabeta_leq")


def judging() -> None:
    """Print both times for programs that think long and short, each judged as at the prompt."""
    print("\nJudge: time to judge a program, and to think; bound: 1.5 times, where that is long\n")
    for name in NAMES:
        command = [sys.executable, "-m", "judge", "--json", str(PROGRAMS / f"{name}.py")]
        began = time.perf_counter()
        told = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        judged, thinks = time.perf_counter() - began, told["seconds"]
        print(f"{name:24} {judged:6.1f} s, thinks {thinks:6.1f} s: {judged / thinks:.2f} times")
