"""The engine at the prompt, as a person and as a program use it."""

from __future__ import annotations

import json
import re
import runpy
import sys

import pytest

import engine.__main__
from engine.__main__ import USAGE, in_words, main, to_data
from engine.position import SQUARE_NAMES, Position
from engine.results import principal_variation
from engine.search import best_moves
from tests import textbook
from tests.positions import DIFFERENT


@pytest.mark.parametrize("arguments", [["-X---XOOX"], ["--json", "-X---XOOX"], []])
def test_python_dash_m_prints_a_board_in_words_or_as_json_and_without_one_the_empty_board(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m engine", *arguments])
    runpy.run_path(engine.__main__.__file__, run_name="__main__")
    position = Position.parse(arguments[-1]) if arguments else Position()
    as_json = json.dumps(to_data(position))
    assert capsys.readouterr() == (
        (as_json if "--json" in arguments else in_words(position)) + "\n",
        "",
    )


def test_it_prints_the_board_the_moves_the_best_and_the_line() -> None:
    assert (
        in_words(Position.parse("-X---XOOX"))
        == """\
- X -
- - X
O O X

  O to move       score  result
* top right          -6  X wins in 4
  top left           -8  X wins in 2
  middle left        -8  X wins in 2
  centre             -8  X wins in 2

Best: top right.
Line: O top right, X centre, O top left, X middle left. X wins."""
    )


@pytest.mark.parametrize(
    ("board", "row"),
    [
        ("XOXXOXO--", "* bottom centre       9  O wins now"),
        ("XOXXOOOX-", "Line: X bottom right. A draw."),
        ("XXXOO----", "- - -\n\nX wins."),
        ("XOXXOOOXX", "O X X\n\nA draw."),
    ],
)
def test_an_end_is_said_now_or_to_come(board: str, row: str) -> None:
    assert row in in_words(Position.parse(board))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["X"], "a position is nine characters, each X, O or -"),
        (["--jsn"], "a position is nine characters, each X, O or -"),
        (["X--------", "O--------"], "a position is nine characters, each X, O or -"),
        (["--json", ""], "a position is nine characters, each X, O or -"),
        (["XX-------"], "X moves first and the sides take turns, so there cannot be 2 X and 0 O"),
    ],
)
def test_what_is_no_position_gets_reason_and_usage(arguments: list[str], reason: str) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == f"{reason}\n\n{USAGE}"


def test_every_different_position_prints_every_move_in_words_and_as_data() -> None:
    for position in DIFFERENT:
        text, data = in_words(position), to_data(position)
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


def test_json_has_the_outcome_and_of_each_move_who_wins_when() -> None:
    assert to_data(Position.parse("XXXOO----"))["outcome"] == {"winner": "X", "lines": ((0, 1, 2),)}
    assert to_data(Position.parse("-X---XOOX"))["moves"][1] == {  # type: ignore[index]
        "square": 2, "name": "top right", "score": -6, "winner": "X", "turns": 4,
    }  # fmt: skip
