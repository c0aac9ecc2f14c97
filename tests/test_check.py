"""Programs judged by `python -m teach.check`: tests/players, and mistakes put into one of them."""

from __future__ import annotations

import json
import os
import re
import resource
import runpy
import shlex
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, redirect_stdout
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from textwrap import indent
from time import monotonic, sleep
from typing import Any

import pytest

import teach.check.__main__
from engine.position import Position, Square
from engine.search import highest
from engine.symmetry import representatives
from teach.check import child
from teach.check.__main__ import main, progress
from teach.check.ask import ANYTHING, Answer, Player, Process, read
from teach.check.judge import AGAIN, Exam
from teach.check.report import in_one_line, in_words
from teach.check.ways import Choices, _holds, others, plays_as, ways
from tests import textbook

PLAYERS = Path(__file__).parent / "players"
PERFECT = (PLAYERS / "perfect.py").read_text()
TROUBLES = ("illegal", "errors", "timeouts")
ENVIRONMENT = dict(os.environ)  # with what coverage adds
ENDS = ("won", "drawn", "lost")
FAULTS = ("missed_wins", "slow_wins", "lost_draws", "early_losses")

DOCS = (PLAYERS.parent.parent / "docs/check.md").read_text()
MISTAKES = {  # how a program plays; what is changed for that in perfect.py, and into what
    "a perfect minimax": ("", ""),
    "a perfect minimax; of equal squares it takes the last": (
        "max(values,",
        "max(reversed(values),",
    ),
    "a minimax in which turns are not counted": (
        "return score(board, me, turns)",
        "return (score(board, me, turns) > 0) - (score(board, me, turns) < 0)",
    ),
    "a minimax in which every win is counted for X": (
        "return score(board, me, turns)",
        'return {"X": 1, "O": -1}.get(winner(board), 0)',
    ),
    "a minimax in which both sides maximise": ("max if turn(board) == me else min", "max"),
    "a minimax in which MAX takes the lowest and MIN the highest": (
        "max if turn(board) == me else min",
        "min if turn(board) == me else max",
    ),
    "a minimax in which the best starts at 0": (
        'float("-inf") if pick is max else float("inf")',
        "0",
    ),
    "a minimax in which the best starts at −inf for MIN, too": ("if pick is max else", "or"),
    "a minimax in which every value is turned round": ("minimax(child", "-minimax(child"),
    "a minimax in which the last value is kept": ("pick(best, value)", "value"),
    "a minimax in which as O, too, the best move for X is taken": ("me = turn(board)", 'me = "X"'),
    "a minimax in which the search stops after two turns": (
        'or "-" not in board:',
        'or "-" not in board or turns == 2:',
    ),
    "a minimax in which a loss counts as little as a draw": ("else turns - 10", "else 0"),
    "a minimax in which a later win counts for more": (
        "10 - turns if won == me else turns - 10",
        "10 + turns if won == me else -10 - turns",
    ),
    "a minimax in which every win is counted for X, with turns": (
        "if won == me else",
        'if won == "X" else',
    ),
    "a minimax in which a draw is tested before a win": (
        "won = winner(board)",
        'won = winner(board) if "-" in board else None',
    ),
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less than a person would, and keep coverage, which slows a start, out of programs."""
    monkeypatch.setattr("teach.check.judge.AGAIN", 0.1)
    monkeypatch.setattr("teach.check.ask.IDLE", 0.3)
    monkeypatch.setattr("teach.check.ask.GRACE", 0.3)
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


def check(*arguments: str | Path) -> tuple[object, str]:
    """Return the exit code and what is printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        try:
            return main(list(map(str, arguments))), printed.getvalue()
        except SystemExit as stop:
            return stop.code, printed.getvalue()


@cache
def judged(*arguments: str | Path) -> dict[str, Any]:
    """Return what --json tells, and the exit code."""
    code, printed = check("--json", *arguments)
    told: dict[str, Any] = json.loads(printed)
    return told | {"exit": code}


def mistaken(name: str, folder: Path) -> Path:
    """Write a program that plays so."""
    (old, new), program = MISTAKES[name], folder / "player.py"
    source = PERFECT
    if old:
        assert old in source
        source = source.replace(old, new)
    program.write_text(source)
    return program


@pytest.mark.long
@pytest.mark.parametrize("name", MISTAKES)
def test_a_program_is_told_what_an_independent_count_finds_and_which_mistake_it_plays_as(
    name: str, tmp_path: Path
) -> None:
    program = mistaken(name, tmp_path)
    names: dict[str, Any] = {}
    exec(program.read_text(), names)
    told = judged(program)
    expected = independent(names["choose"])
    assert {key: told[key] for key in expected} == expected
    assert {told[key] for key in TROUBLES} == {0}
    assert told["exit"] == (expected["lost"] > 0)
    assert not told["random"]
    named = {"name": name, "agree": told["asked"], "of": told["asked"]}
    assert named in told["plays_as"]


def independent(choose: Callable[[str], int]) -> dict[str, Any]:
    """Return what is told of a program that always plays the same, found by enumeration."""
    asked = set[str]()
    games = {me: [*games_of(choose, me, asked)] for me in "XO"}
    sides = {me: Counter(end for end, _ in played) for me, played in games.items()}
    lost = [moves for played in games.values() for end, moves in played if end == "lost"]
    faults = Counter(dict.fromkeys(FAULTS, 0))
    for board in asked | lost_boards():
        scores = textbook.move_scores(board)
        value, best = scores[choose(board)], max(scores.values())
        faults["missed_wins"] += best > 0 >= value
        faults["slow_wins"] += best > value > 0
        faults["lost_draws"] += best == 0 > value
        faults["early_losses"] += 0 > best > value
    return {
        **{end: sides["X"][end] + sides["O"][end] for end in ENDS},
        "sides": {
            me: {**{end: ends[end] for end in ENDS}, "stopped": 0, "plays_as": []}
            for me, ends in sides.items()
        },
        **faults,
        "asked": len(asked),
        "asked_beside": len(lost_boards() - asked),
        "shortest_loss": min(lost, key=len) if lost else None,
    }


@cache
def lost_boards() -> set[str]:
    """Return the lost boards with moves that lose on different turns."""
    scores = {board: set(textbook.move_scores(board).values()) for board in textbook.every_board()}
    return {board for board in scores if len(scores[board]) > 1 and max(scores[board]) < 0}


def games_of(
    choose: Callable[[str], int],
    me: str,
    asked: set[str],
    board: str = textbook.EMPTY,
    moves: str = "",
) -> Iterator[tuple[str, str]]:
    """Yield how each game ends and its moves, in square order, and note what is asked."""
    if textbook.over(board):
        won = textbook.winner(board)
        yield "drawn" if not won else "won" if won == me else "lost", moves
    children = textbook.children(board)
    if children and textbook.turn(board) == me:
        asked.add(board)
        children = {square: children[square] for square in [choose(board)]}
    for square, below in children.items():
        yield from games_of(choose, me, asked, below, f"{moves}{square}")


# What programs answer


def came_to(told: dict[str, Any]) -> dict[str, str]:
    """Return what came instead of a legal move, by the board."""
    return {each["board"]: each["came"] for each in told["found"] if each["kind"] in TROUBLES}


def player(name: str) -> Path:
    return PLAYERS / f"{name}.py"


def command(name: str) -> str:
    return shlex.join([sys.executable, str(player(name))])


def test_random_answers_are_played_on_and_nothing_is_said_of_how_they_play() -> None:
    told = judged(player("random_any"))
    assert told["random"] and told["plays_as"] == [] and told["exit"] == 1
    assert all(told[key] for key in ("won", "drawn", "lost", "shortest_loss", *FAULTS))


@pytest.mark.long
def test_random_answers_among_the_best_are_perfect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teach.check.judge.AGAIN", 60)  # as long as there is anything to ask
    best = judged.__wrapped__(player("random_best"))  # judged in less time, perhaps, before
    assert best["random"] and best["plays_as"] == [] and best["exit"] == 0
    assert {best[key] for key in ("lost", *TROUBLES, *FAULTS)} == {0}
    assert best["asked"] > 2000 and best["drawn"] > 3000


ORDER = [4, 8, 1, 6, 3, 2, 0, 5, 7]
OWN_ORDER = f"max(sorted(values, key={ORDER}.index),"


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in MISTAKES if "last" not in name])
def test_a_mistake_is_named_in_whatever_order_squares_are_tried(name: str, tmp_path: Path) -> None:
    program = mistaken(name, tmp_path)
    program.write_text(program.read_text().replace("max(values,", OWN_ORDER))
    told = judged(program)
    in_its_order = "; of equal squares it takes the first in an order of its own"
    assert name + in_its_order in [way["name"] for way in told["plays_as"]]


def test_a_mistake_that_lives_by_the_order_of_squares_is_not_guessed(tmp_path: Path) -> None:
    program = mistaken("a minimax in which the last value is kept", tmp_path)
    tried = "for child in children(board).values()"
    assert tried in program.read_text()
    own = f"for _, child in sorted(children(board).items(), key=lambda i: {ORDER}.index(i[0]))"
    program.write_text(program.read_text().replace("max(values,", OWN_ORDER).replace(tried, own))
    told = judged(program)
    assert not told["plays_as"] and not any(side["plays_as"] for side in told["sides"].values())


def test_a_program_that_plays_right_as_o_alone_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(PERFECT.replace("me = turn(board)", 'me = "O"'))
    told = judged(tmp_path / "player.py")
    as_x, as_o = told["sides"]["X"], told["sides"]["O"]
    assert told["plays_as"] == as_x["plays_as"] == [] and as_x["lost"] == told["lost"] > 0
    [way] = as_o["plays_as"]
    assert way["name"] == "a perfect minimax" and 0 < way["agree"] == way["of"] < told["asked"]
    finished = as_x["won"] + as_x["drawn"] + as_x["lost"]
    report = in_words("It", told)
    assert f"\n\nIt loses {as_x['lost']} of {finished} as X, none of 569 as O.\n" in report
    assert f"\n\nAs O it plays as a perfect minimax ({way['of']} of {way['of']} pos" in report
    assert "As X it plays" not in report


FIRST = "a player that takes the first free square"


def test_a_board_not_restored_after_the_search_plays_the_first_free_square() -> None:
    told = judged(player("first_square"))
    assert [way["name"] for way in told["plays_as"]] == [FIRST]
    assert "So does a search that leaves its marks on the board." in in_words("It", told)
    assert told["exit"] == 1


def test_what_is_no_free_square_is_told_with_its_board_and_ends_the_game() -> None:
    told = judged(player("illegal"))
    assert (told["lost"], told["stopped"], told["exit"]) == (0, 65, 1)
    came = came_to(told)
    assert told["illegal"] == len(came)
    assert came["----X----"] == "4: centre is taken"
    assert came["XX--O----"] == "True is no number from 0 to 8"
    assert came["O---X----"] == "'top left' is text: return the number"
    assert {board[4] for board in came} == {"X", "O"}
    assert not told["counts_from_1"] and told["plays_as"] == []


def test_squares_counted_from_1_are_recognised() -> None:
    told = judged(player("from_one"))
    assert told["counts_from_1"] and told["illegal"] and told["exit"] == 1
    report = in_words("It", told)
    assert "counts squares from 1" in report and "from drawn to lost" not in report
    line = in_one_line("It", told)
    assert "it counts squares from 1, not from 0; illegal: " in line and "lost draws" not in line


def test_squares_counted_from_1_are_recognised_though_it_stops_at_a_board(tmp_path: Path) -> None:
    source = player("from_one").read_text()
    (tmp_path / "perfect.py").write_text(PERFECT)
    (tmp_path / "player.py").write_text(
        source.replace("return", "assert board != '-X-------'\n    return")
    )
    told = judged(tmp_path / "player.py")
    assert told["counts_from_1"] and told["errors"] == 1


def test_what_a_program_raises_and_how_it_ends_is_told_and_it_is_asked_on() -> None:
    told = judged(player("crashing"))
    came = came_to(told)
    assert came["X--------"] == "ValueError: no idea at all (line 10 of crashing.py)"
    assert came["--------X"] == "it ended: Killed"
    assert "SystemExit: I give up (line 12 of crashing.py)" in came.values()
    assert told["errors"] == len(came) and told["stopped"] and told["exit"] == 1
    assert told["won"] == told["illegal"] == told["timeouts"] == 0


@pytest.mark.parametrize(
    ("name", "board", "kind"),
    [
        ("crashing", "X--------", "errors"),
        ("crashing", "--------X", "errors"),
        ("illegal", "XX--O----", "illegal"),
        ("hanging", "----X----", "timeouts"),
    ],
)
def test_minus_1_stands_for_an_answer_that_is_no_number(name: str, board: str, kind: str) -> None:
    with closing(Player(str(player(name)), 0.1 if kind == "timeouts" else 20)) as asked:
        answer = asked.ask(Position.parse(board))
    assert (answer.kind, answer.number) == (kind, -1) and 0 <= answer.seconds < 20


@pytest.mark.parametrize(
    ("program", "kind", "starts"),
    [
        (
            command("slow"),
            "square",
            2,
        ),  # whose first answer is late: a second tries whether it waits
        (
            "sh -c 'read board; exit 3'",
            "errors",
            4,
        ),  # one more, for whether it ends without a board
    ],
)
def test_a_program_is_started_no_oftener_than_need_be(
    program: str, kind: str, starts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    class Counted(Process):
        def __init__(self, command: Sequence[str], pattern: re.Pattern[str]) -> None:
            started.append(command)
            super().__init__(command, pattern)

    monkeypatch.setattr("teach.check.ask.Process", Counted)
    monkeypatch.setattr("teach.check.ask.PATIENCE", 0.3)
    with closing(Player(shlex.split(program), 20)) as asked:
        boards = ("X--------", "-X-------", "X--------")
        assert {asked.ask(Position.parse(board)).kind for board in boards} == {kind}
    assert len(started) == starts


def test_a_program_that_hangs_is_started_anew_and_after_three_times_given_up() -> None:
    told = judged(player("hanging"), "--timeout", "0.5")
    assert told["timeouts"] == 3 and told["given_up"] and told["exit"] == 1
    assert set(came_to(told).values()) == {"no answer in 0.5 s"}
    assert told["asked"] > 10 and told["asked_beside"] == 0 and told["stopped"] > 0


TIMES = dict.fromkeys(("program", "seconds", "median_seconds", "longest_seconds"))


def as_o(*program: str | Path) -> dict[str, Any]:
    """Return what is told of a program as O, but for times."""
    return judged("--as", "O", *program) | TIMES


def test_the_answer_is_the_number_that_stands_alone_on_a_line() -> None:
    assert as_o("--run", command("prose")) == as_o(player("perfect")) | {"says_more": True}


def test_a_program_may_think_for_long() -> None:
    assert as_o("--run", command("slow"), "--timeout", "30") == as_o(player("perfect"))


@pytest.mark.needs("gcc")
def test_a_program_that_keeps_its_answers_is_told_so_and_started_for_each_board(
    tmp_path: Path,
) -> None:
    source = (PLAYERS / "perfect.c").read_text()
    (tmp_path / "kept.c").write_text(source.replace("fflush(stdout);", ""))
    for name, file in (("flushes", PLAYERS / "perfect.c"), ("keeps", tmp_path / "kept.c")):
        subprocess.run(["gcc", "-O1", "-o", tmp_path / name, file], check=True)
    flushes = as_o("--run", tmp_path / "flushes")
    assert flushes == as_o(player("perfect"))
    told_so = {"started_anew": "it answers only once its input is closed"}
    assert as_o("--run", tmp_path / "keeps", "--timeout", "30") == flushes | told_so


@pytest.mark.needs("node")
def test_javascript_is_judged_by_lines() -> None:
    assert as_o("--run", f"node {PLAYERS / 'perfect.js'}") == as_o(player("perfect"))


@pytest.mark.parametrize(
    ("line", "why", "says_more"),
    [
        ("while read board; do printf 4; done", "it does not end the line of its answer", False),
        ("while read board; do :; done; echo 4; echo 0", "it answers only once its", True),
    ],
)
def test_what_comes_at_the_end_is_told_for_what_it_is(line: str, why: str, says_more: bool) -> None:
    told = judged("--as", "O", "--timeout", "30", "--run", shlex.join(["sh", "-c", line]))
    assert told["started_anew"].startswith(why) and told["says_more"] == says_more


def test_a_program_that_ends_after_an_answer_is_started_for_each_board() -> None:
    told = judged("--as", "O", "--run", "sh -c 'read board; echo 0'")
    assert told["started_anew"] == "it ended with code 0"
    assert told["illegal"] and not told["errors"]


NOTHING = "choose returned nothing (None): does no move beat the best it starts with?"
SILENT = "sh -c 'read board; [ $board = --------- ] && exec >&- && sleep 60; echo 9'"


@pytest.mark.parametrize(
    ("line", "kind", "came"),
    [
        ("sleep 60", "timeouts", "no answer in 0.5 s"),
        ("cat", "timeouts", "no answer in 0.5 s, only: ---------"),
        ("yes", "timeouts", "no answer in 0.5 s, only: y"),
        ("sh -c 'while read b; do echo 12345678901; done'", "timeouts",
         "no answer in 0.5 s, only: 12345678901"),
        ("sh -c 'printf 4; sleep 60'", "timeouts",
         "no answer in 0.5 s, only: 4 (print the number alone on its line)"),
        ("sh -c 'while read board; do echo move: 0; done'", "timeouts",
         "no answer in 0.5 s, only: move: 0 (print the number alone on its line)"),
        ("sh -c 'while read board; do echo move: 0; printf \"your turn: \"; done'", "timeouts",
         "no answer in 0.5 s, only: move: 0 (print the number alone on its line)"),
        ("sh -c 'while read board; do printf \"(0-8) \\033[2J\"; done'", "timeouts",
         "no answer in 0.5 s, only: (0-8) \ufffd[2J"),
        ("sh -c 'while read board; do echo 10 boards; done'", "timeouts",
         "no answer in 0.5 s, only: 10 boards"),
        ("sh -c 'read board; echo move: 0; exit 7'", "errors",
         "it ended with code 7, only: move: 0 (print the number alone on its line)"),
        (SILENT, "errors", "it closed its output"),
        ("sh -c 'read board; echo; echo Error 1 >&2; echo Error 2 >&2; echo bye >&2; exit 7'",
         "errors", "it ended with code 7: Error 2"),
        ("sh -c 'read board; kill -9 $$'", "errors", "it ended: Killed"),
        ("sh -c 'read board; echo bye >&2; exit 7'", "errors", "it ended with code 7: bye"),
        ("sh -c 'while read board; do echo 9; done'", "illegal",
         "9: there is no square 9: they are numbered 0 to 8"),
    ],
)  # fmt: skip
def test_nothing_a_command_does_hangs_the_checker(
    line: str, kind: str, came: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("teach.check.ask.MOST_TIMEOUTS", 1)
    told = judged("--as", "X", "--timeout", "0.5" if kind == "timeouts" else "30", "--run", line)
    first = told["found"][0]
    assert (first["kind"], first["board"], first["came"]) == (kind, "---------", came)
    assert told["exit"] == 1 and (not told["started_anew"] or line == SILENT)


@pytest.mark.parametrize(
    ("source", "answers"),
    [
        ("def choose(board): return board.index('-')", ["ready", "1", "0"]),
        (
            "def choose(board): return board[0] == 'X'",
            [
                "ready",
                "illegal True is no number from 0 to 8",
                "illegal False is no number from 0 to 8",
            ],
        ),
        ("choose = {'X--------': 4}.__getitem__", ["ready", "4", "errors KeyError: '---------'"]),
        ("choose = print", ["ready", *[f"illegal {NOTHING}"] * 2]),
        (
            "choose = {'X--------': (0, 2), '---------': '0'}.get",
            [
                "ready",
                "illegal (0, 2): return one number, 3 × row + column",
                "illegal '0' is text: return the number",
            ],
        ),
        (
            "choose = {'X--------': 2.0, '---------': '\x1b[2J'}.get",
            [
                "ready",
                "illegal 2.0 is a float: return int(2.0)",
                "illegal '\\x1b[2J' is text: return the number",
            ],
        ),
        (
            "def choose(board): raise ValueError('\\x1b[2J\\a\\0')",
            ["ready", *["errors ValueError: \ufffd[2J\ufffd\ufffd (line 1 of player.py)"] * 2],
        ),
        ("choose = 4", ["it has no function choose(board)"]),
        ("raise SystemExit('\\n no')", ["SystemExit: no (line 1 of player.py)"]),
        ("choose", ["NameError: name 'choose' is not defined (line 1 of player.py)"]),
    ],
)
def test_a_python_program_is_loaded_and_answers_each_board_by_a_line(
    source: str, answers: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "player.py").write_text(source)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    written = StringIO()
    child.main(str(tmp_path / "player.py"), StringIO("X--------\n---------\n"), written)
    assert written.getvalue().splitlines() == answers
    assert (sys.path[0], sys.argv) == (str(tmp_path), [str(tmp_path / "player.py")])


def test_a_file_may_import_one_named_player_and_knows_its_own_path(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("def best(board): return board.index('-')")
    (tmp_path / "adapter.py").write_text(
        "from player import best\ndef choose(board): return best(board), __file__"
    )
    with closing(Player(str(tmp_path / "adapter.py"), 20)) as adapter:
        assert adapter.ask(Position()).came.startswith(f"(0, '{tmp_path / 'adapter.py'}')")


def test_what_a_python_program_prints_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(
        "import os\ndef choose(b): os.system('echo 3'); print(5); return 4"
    )
    command = [sys.executable, child.__file__, str(tmp_path / "player.py")]
    ran = subprocess.run(
        command, env=ENVIRONMENT, input="---------\n", text=True, capture_output=True, check=True
    )
    assert ran.stdout.splitlines() == ["ready", "4"]
    assert ran.stderr.splitlines() == ["3", "5"]


def test_a_program_that_never_reads_holds_nobody_up() -> None:
    with closing(Process(["sleep", "60"], ANYTHING)) as process:
        process.send("-" * (1 << 20), last=False)  # more than a pipe takes


def test_a_signal_ends_it_as_it_would_have_unless_it_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: dict[int, Any] = {}
    killed: list[tuple[int, int]] = []
    ignored = {signal.SIGHUP: signal.SIG_IGN}
    monkeypatch.setattr(signal, "getsignal", ignored.get)
    monkeypatch.setattr(signal, "signal", heard.__setitem__)
    monkeypatch.setattr(os, "kill", lambda *one: killed.append(one))
    monkeypatch.setattr(
        "teach.check.__main__.main", lambda arguments: heard[signal.SIGINT](signal.SIGINT, None)
    )
    teach.check.__main__.run([])
    assert heard.keys() == {signal.SIGINT, signal.SIGTERM}
    assert heard[signal.SIGINT] == signal.SIG_DFL and killed == [(os.getpid(), signal.SIGINT)]


def test_a_second_signal_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(["sleep", "60"], ANYTHING)
    monkeypatch.setattr(process._popen, "wait", raises_once(process._popen.wait))
    with pytest.raises(KeyboardInterrupt):
        process.close(1)
    assert process._popen.wait() == -signal.SIGKILL
    process.close()


def raises_once(wait: Callable[..., int]) -> Callable[..., int]:
    left = [KeyboardInterrupt]

    def waits(timeout: float | None = None) -> int:
        if left:
            raise left.pop()
        return wait(timeout)

    return waits


def test_told_to_end_it_ends_the_program_too(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(
        "import os, sys\nprint(os.getpid(), file=open(sys.argv[0] + '.pid', 'w'), flush=True)\n"
        "def choose(board):\n    while True: pass"
    )
    pid = tmp_path / "player.py.pid"
    checker = subprocess.Popen(
        [sys.executable, "-m", "teach.check", tmp_path / "player.py"],
        cwd=PLAYERS.parent.parent,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
    )
    while not pid.exists() or not pid.read_text():
        assert checker.poll() is None
        sleep(0.01)
    checker.terminate()
    assert checker.communicate()[1] == b"" and checker.returncode == -signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_number_too_long_to_be_a_square_is_told() -> None:
    assert read("1" * 10, Position(), 1) == ("illegal", -1, "1111111111", 1)


def test_of_a_line_without_an_end_4096_bytes_are_kept() -> None:
    endless = "head -c 100000 /dev/zero | tr '\\0' x; echo e >&2; sleep 60"
    with closing(Process(["sh", "-c", endless], ANYTHING)) as process:
        while not process._lines[process._errors]:
            assert process.answer(monotonic() + 0.05) is None
        assert process.answer(monotonic() + 0.05) is None
        assert process._unfinished[process._output] == b"x" * 4096


def test_all_that_a_program_started_ends_with_it() -> None:
    process = Process(["sh", "-c", "sleep 60 & echo started; wait"], ANYTHING)
    assert process.answer(monotonic() + 30) == "started"
    with os.fdopen(os.dup(process._output.fileno()), "rb") as output:
        process.close(0)
        assert output.read() == b""  # which comes once nobody can write


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("nothing.py", "FileNotFoundError"),
        ("prose.py", "prose.py cannot be started: it has no function choose(board)"),
        ("perfect.js", "SyntaxError"),
        ("--run 'no-such-command of 2'", "no-such-command: No such file or directory"),
        ("--run true", "it ended with code 0"),
        ("--run 'sh -c \"exit 3\"'", "it ended with code 3"),
        ("--run 'sh -c \"kill -9 $$\"'", "it ended: Killed"),
    ],
)
def test_what_cannot_be_started_exits_with_2_and_says_why(
    program: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PLAYERS)
    monkeypatch.setattr("teach.check.ask.IDLE", 30)  # or until it ends
    assert check(*shlex.split(program)) == (2, "")
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os; os._exit(5)", "it ended with code 5"),
        ("import time; time.sleep(60)", "it does not load in 0.5 s"),
        ("import os, sys; os.remove(sys.argv[0])\ndef choose(board): os._exit(0)", "No such file"),
    ],
)
def test_a_python_program_that_ends_its_process_and_does_not_start_again_is_told_so(
    source: str,
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("teach.check.ask.LOADING", 0.2)
    (tmp_path / "player.py").write_text(source)
    seconds = "0.5" if "sleep" in source else "30"
    assert check(tmp_path / "player.py", "--timeout", seconds) == (2, "")
    assert reason in capsys.readouterr().err


class Ready(Player):
    """Answer without a process, each time after `seconds` of a clock that nobody waits for.

    A square below 0 is none in time.
    """

    def __init__(self, choose: Callable[[Position], Square], seconds: float) -> None:
        self.given_up, self.clock, self._choose, self._seconds = False, 0.0, choose, seconds
        self.asked = Counter[Position]()

    def ask(self, position: Position) -> Answer:
        self.clock += self._seconds
        self.asked[position] += 1
        square, came = self._choose(position), f"for the {self.asked.total()}th time"
        return Answer("timeouts" if square < 0 else "square", square, came, self._seconds)


def asked_for(differs: bool, seconds: float, monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Count the positions by how often a program is asked, which needs so many seconds for each."""
    rng = Random(1) if differs else None
    ready = Ready(lambda board: (rng.choice if rng else min)(board.legal_moves()), seconds)
    monkeypatch.setattr("teach.check.judge.AGAIN", AGAIN)
    monkeypatch.setattr("teach.check.judge.monotonic", lambda: ready.clock)
    exam = Exam(ready, ("X", "O"), lambda asked: None)
    assert exam.random == differs
    return Counter(map(len, exam.answers.values()))


@pytest.mark.long
def test_a_program_is_asked_again_for_2_seconds_and_ten_times_where_it_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert set(asked_for(False, 0, monkeypatch)) == {2}
    assert asked_for(False, 0.125, monkeypatch)[2] == 16
    assert set(asked_for(False, 3, monkeypatch)) == {1}
    assert set(asked_for(True, 0, monkeypatch)) == {10}


def test_a_time_out_is_no_other_answer_and_its_board_not_asked_again() -> None:
    late = Position.parse("XO-------")

    def first_time(board: Position) -> Square:
        return board.legal_moves()[0] if ready.asked[board] == 1 and board != late else -1

    ready = Ready(first_time, 0)
    assert not Exam(ready, ("X",), lambda asked: None).random
    assert ready.asked.pop(late) == 1 and set(ready.asked.values()) == {2}


# What is told


def test_the_report_draws_the_boards_and_names_the_mistake(tmp_path: Path) -> None:
    program = mistaken("a minimax in which both sides maximise", tmp_path)
    code, report = check(program)
    assert code == 1
    report = re.sub(r"[\d.]+ m?s\b", "0 ms", report.replace(str(program), "both.py"))
    assert report == BOTH
    _, line = check("--brief", program)
    assert line.replace(str(program), "both.py") == (
        "both.py loses 118 of 518 games (386 won, 14 drawn);"
        " it plays as a minimax in which both sides maximise (233 of 233 positions);"
        " missed wins: 10; lost draws: 26; early losses: 92\n"
    )


BOTH = """\
both.py loses 118 of 518 games (386 won, 14 drawn).

It loses 7 of 75 as X, 111 of 443 as O.

It plays as a minimax in which both sides maximise (233 of 233 positions).

Missed wins (from won to not won): 10
  X----O---  top centre (1); better: top right (2), centre (4), bottom left (6)
  X------O-  top centre (1); better: top right (2), centre (4), bottom left (6)
  X-------O  top centre (1); better: top right (2), bottom left (6)
  and 7 more, which --json tells

Lost draws (from drawn to lost): 26
  X--------  top centre (1); better: centre (4)
  --X------  top left (0); better: centre (4)
  -----X---  top left (0); better: top right (2), middle left (3), centre (4), bottom right (8)
  and 23 more, which --json tells

Early losses (in lost positions, met or not: sooner than need be): 92
  XO-X-----  centre (4); better: bottom left (6)
  XO--X----  top right (2); better: bottom right (8)
  XO----X--  centre (4); better: middle left (3)
  and 89 more, which --json tells

The shortest game it loses, as O (on the site: /study/01346?you=O):

  X - -   X O -   X O -   X O -   X O -
  - - -   - - -   X - -   X O -   X O -
  - - -   - - -   - - -   - - -   X - -

It was asked in 233 positions of its games and in 102 lost positions outside them.
A move took 0 ms (the median), 0 ms at most. It ran with all your rights.
"""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([player("perfect"), "--timeout", "3600"],
         "Perfect. It loses none, and wins as soon as it can."),
        ([player("random_best")], "It is random, or keeps something from before: asked again"),
        (["--run", command("prose")], "It printed more than one number for a board: answers may"),
        ([player("illegal")], "Illegal answers: 73\n  ----X----  4: centre is taken"),
        ([player("illegal")], "  and 70 more, which --json tells"),
        ([player("hanging"), "--timeout", "0.5"], "It was given up after three time-outs: what"),
        (["--as", "O", "--run", "sh -c 'read board; echo 0'"],
         "It was started anew for each board: it ended with code 0."),
        (["--as", "O", player("perfect")], "It loses none of 569 games ("),
        (["--as", "X", "--run", "sh -c 'read board; exit 7'"],
         "It was asked in 1 position of its games and in 36 lost positions outside them."),
        ([player("illegal")],
         "It finishes no game: all 65 stopped, the first at an illegal answer."),
        ([player("crashing")], "It finishes no game: all 59 stopped, the first at an error."),
        (["--as", "X", "--run", "sh -c 'read board; exit 7'"],
         "It finishes no game: its only one stopped, the first at an error."),
        ([player("hanging"), "--timeout", "0.5"], "It loses 1 of the 1 game it finished; 107"),
        ([player("from_one")], "It loses 39 of the 39 games it finished; 182 stopped."),
    ],
)  # fmt: skip
def test_the_report_says_what_else_there_is_to_know(
    arguments: list[str | Path], sentence: str
) -> None:
    assert sentence in in_words("It", judged(*arguments))


def test_the_report_counts_two_games_and_gives_times_in_the_unit_that_suits() -> None:
    told = judged(player("from_one")) | {"won": 0, "drawn": 0, "lost": 2}
    report = in_words("It", told | {"median_seconds": 0.004, "longest_seconds": 0.1})
    assert "It loses 2 of the 2 games it finished; " in report
    assert "A move took 4 ms (the median), 0.1 s at most." in report
    times = {"median_seconds": 0.0996, "longest_seconds": 2.04}
    report = in_words("It", told | {"lost": 0, "stopped": 2} | times)
    assert "It finishes no game: all 2 stopped, " in report
    assert "A move took 99.6 ms (the median), 2.0 s at most." in report


def test_where_moves_were_compared_in_vain_the_report_says_so() -> None:
    in_vain = "Its moves tell of no single mistake: go by the boards below"
    told = judged(player("first_square"))
    assert in_vain in in_words("It", told | {"plays_as": []}) and in_vain not in in_words(
        "It", told
    )
    assert in_vain not in in_words("It", judged(player("from_one")))  # whose answers were not


def test_whose_loss_is_drawn_is_told() -> None:
    told = judged(player("first_square"))
    assert "it loses, as X (on the site: /study/041236?you=X):" in in_words(
        "It", told | {"shortest_loss": "041236"}
    )


def test_the_report_names_each_board_once_though_a_random_player_errs_there_in_two_ways() -> None:
    told = judged(player("first_square"))
    first, *others = [each for each in told["found"] if each["kind"] == "lost_draws"]
    found = [first, first | {"came": "top right (2); better: centre (4)"}, *others]
    report = in_words("It", told | {"found": found}).partition("Lost draws")[2]
    assert report.partition("\n\n")[0].splitlines() == [
        f" (from drawn to lost): {len(found)}",
        *(f"  {each['board']}  {each['came']}" for each in (first, *others[:2])),
        f"  and {len(found) - 3} more, which --json tells",
    ]


PERFECT_PY = str(PLAYERS / "perfect.py")


@pytest.mark.parametrize(
    "arguments",
    [[], [""], ["--run", ""], ["--run", "'"],
     *([PERFECT_PY, *more.split()] for more in (
         "--run b", "--timeout 0", "--timeout -0.5", "--timeout 3600.5", "--timeout nan",
         "--brief --json", "--as x",
     ))],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(arguments: list[str]) -> None:
    assert check(*arguments) == (2, "")


def test_a_move_may_take_20_seconds_unless_said_otherwise() -> None:
    code, told = check("--help")
    assert code == 0 and "time-outs the program is given up (default: 20)" in " ".join(told.split())


def test_python_dash_m_runs_it_and_a_fast_program_takes_less_than_3_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m teach.check", "--json", str(player("perfect"))])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with redirect_stdout(StringIO()) as printed, pytest.raises(SystemExit) as stop:
        runpy.run_path(teach.check.__main__.__file__, run_name="__main__")
    assert stop.value.code == 0
    assert json.loads(printed.getvalue()) | TIMES | {"exit": 0} == judged(player("perfect")) | TIMES
    before = processor_seconds()
    subprocess.run(
        [sys.executable, "-m", "teach.check", player("perfect")],
        cwd=PLAYERS.parent.parent,
        env={key: value for key, value in os.environ.items() if "COV" not in key},
        check=True,
        capture_output=True,
    )
    assert processor_seconds() - before < 3


class Screen(StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: is_terminal  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("is_terminal", "seconds", "shown"),
    [
        (True, 1, "\r2 positions asked …\r3 positions asked …\r4 positions asked …\r\x1b[K"),
        (True, 0.15, "\r14 positions asked …\r16 positions asked …\r18 positions asked …\r\x1b[K"),
        (True, 0, "\r\x1b[K"),
        (False, 1, ""),
        (None, 1, ""),
    ],
)
def test_a_slow_run_counts_on_a_terminal(
    is_terminal: bool | None, seconds: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("teach.check.__main__.monotonic", lambda: now)
    screen = Screen(bool(is_terminal))
    with progress(None if is_terminal is None else screen) as tell:
        for asked in range(1, 5 if seconds == 1 else 20):
            now += seconds
            tell(asked)
    assert screen.getvalue() == shown


def test_a_report_that_cannot_be_written_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        open("/dev/full", "w") as full,
        redirect_stdout(full),
        pytest.raises(SystemExit) as stop,
    ):
        main(["--brief", "--as", "O", str(player("perfect"))])
    assert stop.value.code == 2
    assert capsys.readouterr().err == "the report cannot be written: No space left on device\n"


def test_a_report_is_written_in_whatever_letters_there_are(tmp_path: Path) -> None:
    program = mistaken("a minimax in which the best starts at −inf for MIN, too", tmp_path)
    written = BytesIO()
    with redirect_stdout(TextIOWrapper(written, "ascii")):
        main(["--brief", str(program)])
        assert b"the best starts at \\u2212inf for MIN" in written.getvalue()


def test_a_reader_who_leaves_early_is_no_error() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "w") as unread, redirect_stdout(unread):
        assert main(["--json", "--as", "O", str(player("perfect"))]) == 0


def processor_seconds() -> float:
    user, system, *_ = resource.getrusage(resource.RUSAGE_CHILDREN)
    return user + system


# The ways to play

# What is near the end, up to symmetry, tells all of them apart.
LATE = [p for p in set(representatives().values()) if p.ply >= 5 and not p.outcome()]


@pytest.mark.long
def test_of_102_ways_four_are_told_by_two_names() -> None:
    named = defaultdict(list)
    for way in ways():
        best = [*map(way.best, LATE)]
        named[tuple(squares[0] for squares in best)].append(way.names["first"])
        named[tuple(squares[-1] for squares in best)].append(way.names["last"])
    assert sum(map(len, named.values())) == 102 and len(named) == 98
    twice = [names for names in named.values() if len(names) > 1]
    assert [[name.split(":")[0] for name in names] for names in twice] == [
        [FROM_0, TWO_TURNS],
        [f"{FROM_0}{LAST}", f"{TWO_TURNS}{LAST}"],
        [BLIND, AHEAD],
        [f"{BLIND}{LAST}", AHEAD],
    ]


def test_ways_are_told_fewest_wrong_pieces_first() -> None:
    names = [way.names["first"].replace("lowest and MIN", "") for way in [*ways()][:-2]]
    wrong = [name.count(" in which ") + name.count(" and ") for name in names]
    assert wrong == sorted(wrong) and wrong[:2] == [0, 1] and wrong[-1] == 4


LAST = "; of equal squares it takes the last"
FROM_0 = "a minimax in which the best starts at 0"
TWO_TURNS = "a minimax in which the search stops after two turns"
BLIND = "a minimax in which the best starts at −inf for MIN, too"
AHEAD = "a player that sees one turn ahead"


@pytest.mark.parametrize(("nth", "end"), [("first", 0), ("last", -1)])
def test_players_without_a_search_are_named(nth: str, end: int) -> None:
    free = {p: p.legal_moves()[end] for p in LATE}
    assert plays_as(free) == [f"a player that takes the {nth} free square"]
    for position in LATE:
        children = textbook.children(str(position)).items()
        if wins := [square for square, child in children if textbook.winner(child)]:
            free[position] = wins[end]
    assert plays_as(free)[1:] == [f"{AHEAD}: it takes a win, else the {nth} free square"]


def test_a_program_that_takes_the_best_for_x_and_counts_no_turns_is_named() -> None:
    moves = {}
    for position in LATE:
        values = {s: textbook.sign(v) for s, v in textbook.move_scores(str(position)).items()}
        best = max(values.values()) if position.turn == "X" else min(values.values())
        moves[position] = next(square for square in values if values[square] == best)
    turns = "turns are not counted and as O, too, the best move for X is taken"
    assert plays_as(moves) == [f"a minimax in which {turns}"]


def test_what_a_mistake_finds_that_no_piece_makes_is_what_a_program_with_it_plays(
    tmp_path: Path,
) -> None:
    found = others()
    assert found.keys() & {name.rpartition(" in which ")[2] for name in MISTAKES} == {
        mistake for mistake in found if not mistake.startswith("turns")
    }
    for name in MISTAKES:
        if values := found.get(name.rpartition(" in which ")[2]):
            names: dict[str, Any] = {}
            exec(mistaken(name, tmp_path).read_text(), names)
            for board in ("XO-OX-X-O", "X-O------"):
                best = highest(values(Position.parse(board)))
                assert best[0] == names["choose"](board), name


def test_an_order_of_its_own_does_not_contradict_itself() -> None:
    choices: Choices = [(0, (0, 1)), (1, (1, 2)), (2, (0, 2))]
    assert _holds("own order", choices[:2]) and not _holds("own order", choices)
    assert _holds("any", choices) and not _holds("first", choices)


def test_three_ways_that_fit_are_named_and_four_are_not() -> None:
    first = sorted((p, p.legal_moves()[0]) for p in LATE if p.ply == 5)
    assert len(plays_as(dict(first[:85]))) == 3
    assert plays_as(dict(first[:84])) == []


# What docs/check.md says


def test_the_adapters_are_those_of_the_players_and_five_lines_each() -> None:
    for language, name in (("python", "first_square.py"), ("js", "perfect.js"), ("c", "perfect.c")):
        [adapter] = re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)
        adapter = adapter.rpartition("\n\n")[2]  # without what it imports
        assert len(adapter.splitlines()) <= 5
        player = (PLAYERS / name).read_text()
        assert adapter in player or indent(adapter, "    ") in player


def test_the_docs_count_the_ways() -> None:
    assert f" {len([*ways()])} ways to play, " in DOCS


def test_the_docs_name_every_mistake_and_all_that_json_tells() -> None:
    for name in MISTAKES:
        assert name.partition(" in which ")[2].split(";")[0] in DOCS
    for key in judged(player("perfect")).keys() - {"exit"}:
        assert f"`{key}`" in DOCS


# What fits every player that gives nothing away is no mistake


def test_no_way_is_named_for_a_player_that_gives_nothing_away_and_follows_no_rule() -> None:
    for seed in range(40):
        choice = Random(seed).choice
        assert plays_as({p: choice(textbook.holding(str(p))) for p in LATE}) == []


@pytest.mark.parametrize("code", [3, 0])
def test_a_program_that_answers_right_and_then_ends_is_started_for_each_board(code: int) -> None:
    line = f"read b; {command('perfect_by_lines')} $b; exit {code}"
    told = judged("--as", "O", "--run", shlex.join(["sh", "-c", line]))
    assert (told["errors"], told["random"], told["exit"]) == (0, False, 0)
