"""Helpers for the tests of the judge: programs, reports, a player without a process."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache, partial
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import pytest

from engine.position import Position, Square
from judge import functions
from judge.__main__ import main
from judge.hearing import Hearing
from judge.players import Player, Response, Settings
from tests import positions, textbook
from tests.sentences import assert_matches_snapshot

TESTS = Path(__file__).parent
PLAYERS, PROGRAMS = TESTS / "players", TESTS / "programs"
SMALL = PROGRAMS / "small"
assert_report_matches = partial(assert_matches_snapshot, folder=TESTS / "snapshots")
PERFECT = (PLAYERS / "perfect.py").read_text()
COURSE = (PROGRAMS / "course_right.py").read_text()
# Two changes only make it faster.
COURSE = COURSE.replace("copy.deepcopy(board)", "[row[:] for row in board]")
FIRST_MOVE = "    if board == initial_state(): return 0, 0\n"
COURSE = COURSE.replace("minimax(board):\n", f"minimax(board):\n{FIRST_MOVE}")
TROUBLES = ("illegal", "errors", "timeouts")
PAUSE = "import signal; signal.pause()"  # never returns, and takes no processor time
ENVIRONMENT = dict(os.environ)  # including what coverage adds
MOVE_FAULTS = ("missed_wins", "slow_wins", "lost_draws", "early_losses")
ALL_POSITIONS = sorted(positions.ALL_POSITIONS)


@contextmanager
def comparing_on(boards: Sequence[Position]) -> Iterator[None]:
    """Compare functions only on these boards, within the block."""
    caches = (functions.all_positions, functions.unfinished_positions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functions, "reachable_positions", lambda: boards)
        for cached in caches:
            cached.cache_clear()
        yield
    for cached in caches:
        cached.cache_clear()


def run_judge(*arguments: str | Path) -> tuple[object, str]:
    """Run the judge; return its exit code and what it prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        try:
            return main(list(map(str, arguments))), printed.getvalue()
        except SystemExit as stop:
            return stop.code, printed.getvalue()


@cache
def report_on(*arguments: str | Path) -> dict[str, Any]:
    """Return the report that --json prints, with the exit code."""
    code, printed = run_judge("--json", *arguments)
    report: dict[str, Any] = json.loads(printed)
    return report | {"exit": code}


def write_program(folder: Path, source: str, *changes: Sequence[str]) -> Path:
    """Write a program with some replacements to player.py, and return its path."""
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    (folder / "player.py").write_text(source)
    return folder / "player.py"


def player_path(name: str) -> Path:
    return PLAYERS / f"{name}.py"


def player_command(name: str) -> str:
    return shlex.join([sys.executable, str(player_path(name))])


class InstantPlayer(Player):
    """A player that answers at once, without a process.

    A square below 0 means a timeout, and 9 that it also fills the board.
    """

    def __init__(self, choose: Callable[[Position], Square]) -> None:
        super().__init__(Settings())
        self._choose = choose
        self.ask_counts = Counter[Position]()

    def _ask(self, position: Position) -> Response:
        self.ask_counts[position] += 1
        square = self._choose(position)
        kind: Literal["square", "illegal", "timeouts"] = "illegal"
        if square < 0:
            kind = "timeouts"
        elif square in position.legal_moves():
            kind = "square"
        problem = ("raised", f"for the {self.ask_counts.total()}th time")  # differs each time
        changed_board = "X" * 9 if square == 9 else ""
        return Response(kind, square, problem, 0, changed_board)


def hearing_of(choose: Callable[[str], int], marks: Sequence[Any] = ("X", "O")) -> Hearing:
    """Return the hearing of a player that answers with a function of the board's text."""
    return Hearing(InstantPlayer(lambda board: choose(str(board))), marks, lambda board_count: None)


def worst(board: str) -> int:
    """Return the first square that has the lowest score."""
    scores = textbook.move_scores(board)
    return min(scores, key=scores.__getitem__)


def best(board: str) -> int:
    """Return the first square that has the highest score."""
    return textbook.best(board)[0]
