"""`python -m engine`, as people and programs use it."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine.__main__
from engine.__main__ import USAGE, main, to_data, to_text
from engine.position import SQUARE_NAMES, Position
from engine.results import principal_variation
from engine.search import best_moves
from tests import textbook
from tests.positions import CANONICAL
from tests.sentences import assert_matches_snapshot
from tests.serving import ROOT


@pytest.mark.parametrize("arguments", [["-X---XOOX"], ["--json", "-X---XOOX"], []])
def test_python_dash_m_prints_a_board_in_words_or_as_json(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m engine", *arguments])
    runpy.run_path(engine.__main__.__file__, run_name="__main__")
    position = Position.parse(arguments[-1]) if arguments else Position()
    as_json = json.dumps(to_data(position))
    assert capsys.readouterr() == (
        (as_json if "--json" in arguments else to_text(position)) + "\n",
        "",
    )


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--json", "--help"]])
def test_help_prints_only_the_usage_and_exits_with_0(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(arguments)
    assert capsys.readouterr() == (f"{USAGE}\n", "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [[], ["--json"], ["--help"], ["--json", "X---O---X"]])
def test_a_closed_pipe_ends_it_silently(arguments: list[str], unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run_engine(*arguments, unbuffered=unbuffered, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_reported_in_a_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = run_engine(stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (
        1,
        "This cannot be written: No space left on device.\n",
    )


def run_engine(
    *arguments: str, unbuffered: str = "", **pipes: Any
) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, text=True, **pipes)


# Unfinished, with one move left, won and drawn.
BOARDS = "--------- -X---XOOX XOXXOXO-- XOXXOOOX- XXXOO---- XOXXOOOXX".split()


def test_every_kind_of_board_matches_the_snapshot() -> None:
    positions = map(Position.parse, BOARDS)
    printed = (
        f"{to_text(position)}\n\n{json.dumps(to_data(position))}\n\n\n" for position in positions
    )
    assert_matches_snapshot("prompt", "".join(printed))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["X"], "a position is nine characters, each X, O or -"),
        (["--jsn"], "a position is nine characters, each X, O or -"),
        (["X--------", "O--------"], "a position is nine characters, each X, O or -"),
        (["--json", ""], "a position is nine characters, each X, O or -"),
        (
            ["XX-------"],
            "X goes first and the sides take turns, so a board cannot have 2 X’s and 0 O’s",
        ),
    ],
)
def test_an_invalid_position_prints_the_reason_and_the_usage(
    arguments: list[str], reason: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == f"{reason}\n\n{USAGE}"


def test_every_position_prints_all_moves_in_words_and_as_json() -> None:
    for position in CANONICAL:
        text, data = to_text(position), to_data(position)
        scores = textbook.move_scores(str(position))
        assert text.replace(" ", "").replace("\n", "")[:9] == data["board"] == str(position)
        assert text.isascii() and max(map(len, text.splitlines())) < 80
        assert data["turn"] == (position.turn if scores else None)
        assert data["score"] == max(scores.values(), default=None)
        assert data["best"] == best_moves(position)
        assert data["line"] == principal_variation(position)
        rows = re.findall(r"^([* ]) [a-z ]+?(-?\d+)  ", text, re.MULTILINE)
        assert [int(score) for _, score in rows] == sorted(scores.values(), reverse=True)
        assert [star for star, _ in rows].count("*") == len(data["best"])
        for square, score in scores.items():
            assert f"{SQUARE_NAMES[square]:<15} {score:>5}  " in text
