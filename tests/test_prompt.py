"""The engine at the prompt, as a person and as a program use it."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import engine.__main__
from engine.__main__ import in_words, main, to_data
from engine.position import SQUARE_NAMES, Position
from engine.reasons import preference
from engine.results import principal_variation
from engine.search import analyse, best_moves
from tests import textbook
from tests.positions import DIFFERENT, UNFINISHED
from tests.sentences import assert_as_last_read

Run = Callable[..., tuple[object, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command with arguments; return the exit code, stdout and stderr."""

    def prompt(*arguments: str) -> tuple[object, str, str]:
        code: object = 0
        try:
            main(arguments)
        except SystemExit as stop:
            code = stop.code
        return (code, *capsys.readouterr())

    return prompt


def test_python_dash_m_runs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m engine", "--X------"])
    runpy.run_path(engine.__main__.__file__, run_name="__main__")
    expected = in_words(Position.parse("--X------")) + "\n"
    assert capsys.readouterr().out == expected
    command = [sys.executable, "-m", "engine", "--X------"]
    root = Path(__file__).parent.parent
    assert subprocess.run(command, cwd=root, capture_output=True, text=True).stdout == expected


def test_it_prints_the_board_the_moves_the_best_and_the_line(run: Run) -> None:
    assert run("-X---XOOX") == (
        0,
        """\
- X -
- - X
O O X

O to move is MAX and takes the highest score.

  square         score  result
* top right         -6  X wins in 4
  top left          -8  X wins in 2
  middle left       -8  X wins in 2
  centre            -8  X wins in 2

Best: top right: every move loses, and no other as late.
Line: O top right, X centre, O top left, X middle left. X wins: middle left,
      centre, middle right.
""",
        "",
    )


def test_it_counts_the_safe_replies_to_a_draw(run: Run) -> None:
    assert run("XOXXOXO--") == (
        0,
        """\
X O X
X O X
O - -

O to move is MAX and takes the highest score.

  square         score  result       X's safe replies
* bottom centre      9  O wins now
  bottom right       0  draw         1 of 1

Best: bottom centre: nothing else wins.
Line: O bottom centre. O wins: top centre, centre, bottom centre.
""",
        "",
    )


def test_the_last_square_has_no_replies_to_count(run: Run) -> None:
    code, out, _ = run("XOXXOOOX-")
    assert code == 0
    assert "* bottom right       0  draw\n" in out
    assert out.endswith("Line: X bottom right. A draw.\n")


def test_without_a_board_it_takes_the_empty_one(run: Run) -> None:
    assert run() == run("---------")
    assert "* top left           0  draw         1 of 8\n" in run()[1]
    assert "  centre             0  draw         4 of 8\n" in run()[1]


def test_of_moves_with_the_same_score_the_best_stand_first(run: Run) -> None:
    drawing = [line for line in run("---------")[1].splitlines() if "  draw  " in line]
    assert [line[0] for line in drawing] == ["*"] * 4 + [" "] * 5


@pytest.mark.parametrize("board", ["--X------", "--------X", "-X-------"])
def test_a_board_that_begins_with_a_dash_is_no_option(run: Run, board: str) -> None:
    plain = run(board)
    assert plain[0] == 0
    assert plain[1].startswith(" ".join(board[:3]) + "\n")
    assert run("--", board) == plain
    assert run(board, "--json") == run("--json", board)


@pytest.mark.parametrize(
    ("board", "ending"),
    [
        ("XXXOO----", "X wins: top left, top centre, top right.\n"),
        ("OX-OX-O-X", "O wins: top left, middle left, bottom left.\n"),
        (
            "XOXOXOXOX",
            "X wins: top left, centre, bottom right and top right, centre, bottom left.\n",
        ),
        ("XOXXOOOXX", "A draw.\n"),
    ],
)
def test_a_finished_game_says_how_it_ended(run: Run, board: str, ending: str) -> None:
    code, out, err = run(board)
    assert (code, err) == (0, "")
    assert out.endswith("\n\n" + ending)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["X"], "a position is nine characters, each X, O or -"),
        ([""], "a position is nine characters, each X, O or -"),
        (["--------"], "a position is nine characters, each X, O or -"),
        (["--jsn"], "a position is nine characters, each X, O or -"),
        (["XX-------"], "cannot be 2 X and 0 O"),
        (["-O-------"], "0 X and 1 O; with the marks swapped it is -X-------"),
        (["XXXOOO---"], "both sides have three in a row"),
        (["X--------", "O--------"], "unrecognized arguments: O--------"),
    ],
)
def test_bad_input_gets_one_clear_line_and_code_2(
    run: Run, arguments: list[str], reason: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert reason in err
    assert err.startswith("python -m engine: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_says_what_there_is(run: Run, option: str) -> None:
    code, out, _ = run(option)
    assert code == 0
    said = " ".join(out.split())
    assert said.startswith("usage: python -m engine ")
    assert "Solve a tic-tac-toe position." in said
    assert "nine of X, O and -, row by row from the top left; the empty board if left out" in said
    assert "--json print JSON, for programs. Of the opponent's `replies` to a move, `safe`" in said
    assert said.endswith("10 - n wins on turn n, n - 10 loses on turn n.")


def test_json_is_what_the_engine_says(run: Run) -> None:
    code, out, err = run("--json", "X---O----")
    assert (code, err) == (0, "")
    found = json.loads(out)
    position = Position.parse("X---O----")
    assert found["board"] == "X---O----"
    assert (found["turn"], found["score"], found["outcome"]) == ("X", 0, None)
    assert {move["square"]: move["score"] for move in found["moves"]} == analyse(position)
    assert found["moves"][0] == {
        "square": 1,
        "name": "top centre",
        "score": 0,
        "winner": None,
        "turns": 0,
        "safe": 1,
        "replies": 6,
    }
    assert found["best"] == list(best_moves(position))
    assert found["line"] == list(principal_variation(position))


def test_json_of_a_finished_game_has_an_outcome_and_no_moves(run: Run) -> None:
    assert json.loads(run("--json", "XXXOO----")[1]) == {
        "board": "XXXOO----",
        "turn": None,
        "outcome": {"winner": "X", "lines": [[0, 1, 2]]},
        "score": None,
        "moves": [],
        "best": [],
        "line": [],
    }


def test_what_sets_the_best_moves_apart_is_what_the_textbook_finds() -> None:
    for position in UNFINISHED:
        scores, best = textbook.move_scores(str(position)), textbook.best(str(position))
        as_high = {square for square in scores if scores[square] == max(scores.values())}
        as_good = set(textbook.holding(str(position)))
        apart = preference(position)
        assert (apart is None) == (len(scores) == 1)
        assert (apart == "chance") == (as_high > set(best))
        assert (apart == "turns") == (as_good > as_high == set(best))
        assert (apart == "only") == (len(as_good) == 1 < len(scores))


def test_each_kind_of_reason_for_the_best_is_as_last_read() -> None:
    told = ((str(p), in_words(p).partition("\n\nBest: ")[2]) for p in UNFINISHED)
    assert_as_last_read("prompt", ((board, text.partition("\nLine: ")[0]) for board, text in told))


def test_every_different_position_prints_every_move_in_words_and_as_data() -> None:
    for position in DIFFERENT:
        text, data = in_words(position), to_data(position)
        assert text.replace(" ", "").replace("\n", "")[:9] == str(position)
        assert text.isascii()
        assert max(map(len, text.splitlines())) < 80
        scores = textbook.move_scores(str(position))
        assert data["score"] == max(scores.values(), default=None)
        for square, score in scores.items():
            assert f"{SQUARE_NAMES[square]:<15}{score:>5}  " in text


def test_moves_stand_by_their_score_and_those_that_draw_with_the_replies_to_them() -> None:
    for position in DIFFERENT:
        rows = re.findall(r"^[* ] [a-z ]+(-?\d)  .+?(\d of \d)?$", in_words(position), re.MULTILINE)
        scores = textbook.move_scores(str(position)).values()
        assert [int(score) for score, _ in rows] == sorted(scores, reverse=True)
        assert all(bool(safe) == (score == "0" and position.ply < 8) for score, safe in rows)
