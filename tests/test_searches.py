"""Searches recorded step by step, against a search written a second time and Python's tracing."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from inspect import getsource
from itertools import product
from math import inf
from types import FrameType
from typing import Any

import pytest

from engine.position import Position
from teach.counts import Unwatched, cost, count, plain
from teach.searches import (
    ALGORITHMS,
    BACK,
    ENTERED,
    FUNCTIONS,
    Algorithm,
    Recorder,
    Run,
    Step,
    code,
    line,
    line_of_play,
    met_after,
    minimax,
    run,
)
from teach.trees import ORDERS, SCORINGS, Order, Path, Scoring, tree, value
from teach.watch import ties
from tests import textbook
from tests.positions import DIFFERENT, EVERY, TO_PLAY

SMALL = [position for position in TO_PLAY if position.ply >= 5]
EMPTY = Position()
CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip
KINDS = list(product(ALGORITHMS, SCORINGS, ORDERS))


def both(
    position: Position, algorithm: Algorithm, scoring: Scoring, order: Order
) -> tuple[Run, textbook.Search]:
    """Return a run and the textbook's search of the same tree."""
    below = textbook.in_order(textbook.tree_of(str(position), scoring == "flat"), order)
    searched = textbook.Search(below, algorithm == "alpha-beta")
    return run(tree(position, scoring, order), algorithm), searched


# Every step of every run


def as_recorded(steps: Sequence[Any]) -> Iterator[tuple[object, ...]]:
    """Yield the steps of the textbook's search as they should be recorded.

    A cut, and the end, leave the frame as the value before has left it.
    """
    frame: tuple[float, float, float]
    is_max = {}
    for name, path, *facts in steps:
        match name:
            case "enter":
                end, frame = facts
                is_max[path] = frame[0] == -inf
                kind, value = ("enter", frame[0]) if end is None else ("leaf", end)
                yield kind, path, value, frame, frame, "exact", (), (), 0
            case "back":
                value, bound, before, frame = facts
                kind = gain(is_max[path[:-1]], value, before[0])
                yield kind, path, value, before, frame, bound, (), (), 0
            case "cut":
                _, rest, best, against, by = facts
                yield "cut", path, best, frame, frame, "exact", rest, by, against
            case "return":
                yield "end", path, facts[0], frame, frame, "exact", (), (), 0


def gain(is_max: bool, value: float, best: float) -> str:
    """Say how much better a value is than the best so far, to whoever chooses."""
    if abs(best) == inf:
        return "first"
    better = value > best if is_max else value < best
    return "better" if better else "as good" if value == best else "no better"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_every_step_of_every_search_is_the_textbooks(
    kind: tuple[Algorithm, Scoring, Order],
) -> None:
    for position in SMALL:
        check_record(*both(position, *kind))


def check_record(recorded: Run, book: textbook.Search) -> None:
    """Check the steps, how far each leaves its node, and the move settled on."""
    steps: list[Any] = book.steps
    assert list(recorded.steps) == list(as_recorded(book.steps)), recorded.root.stands
    for step, stack in zip(recorded.steps, book.stacks, strict=True):
        assert step.here == ([path for path, _ in stack] or [()])[-1]
    values = {child.path[0]: child.value for child in recorded.root.below}
    assert recorded.value == book.value == recorded.root.value
    assert recorded.move == next(move for move in values if values[move] == book.value)
    equal = {
        path[0]
        for name, path, *rest in steps
        if name == "back" and len(path) == 1 and rest[:2] == [book.value, "exact"]
    }
    assert {*ties(recorded)} == equal - {recorded.move}


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_after_every_step_each_node_is_where_the_textbooks_search_has_it(
    algorithm: Algorithm,
) -> None:
    for position, order in zip(SMALL[::6], ORDERS * len(SMALL), strict=False):
        check_standing(*both(position, algorithm, "depth", order))


def check_standing(recorded: Run, book: textbook.Search) -> None:
    """Check what is known of each node after every step, and the line of play."""
    known: dict[Path, tuple[str, object, object]] = {}
    for number, (step, stack) in enumerate(zip(book.steps, book.stacks, strict=True), 1):
        match step:
            case "enter", tuple(path), end, _:
                known[path] = ("searched", end, "exact")
            case "back", tuple(path), end, bound, _, _:
                known[path] = ("searched", end, bound)
            case "cut", tuple(path), _, tuple(rest), _, _, _:
                known |= {(*path, move): ("cut", None, "exact") for move in rest}
            case "return", (), end:
                known[()] = ("searched", end, "exact")
        met = met_after(recorded, number)
        for path, standing in met.items():
            above = [known.get(path[:turns], ("",))[0] for turns in range(len(path))]
            unmet = ("below a cut" if "cut" in above else "waiting", None, "exact")
            assert standing[:3] == known.get(path, unmet)
        assert [(path, it.frame.best) for path, it in met.items() if it.frame] == list(stack)
        assert [*met].count(()) == 1 and len(met) == len([*recorded.root.walk()])
        current, best = stack[-1] if stack else ((), book.value)
        first, *line = line_of_play(recorded, number)
        assert first == current
        assert all(met[path].value == best for path in line)
        assert bool(line) == (abs(best) < 99 and not recorded.root.at(current).over)


def test_a_search_begins_with_nothing_met() -> None:
    recorded = run(tree(CLASSIC), "alpha-beta")
    assert {standing.stage for standing in met_after(recorded, 0).values()} == {"waiting"}
    assert line_of_play(recorded, 0) == ((),)


def test_a_cut_says_what_it_is_held_against_and_where_that_came_from() -> None:
    # X has +9 from the centre. With middle right, O gets at most +7 by top centre, so X will not.
    recorded = run(tree(CLASSIC), "alpha-beta")
    (number,) = (n for n, step in enumerate(recorded.steps) if step.kind == "cut")
    cut, back = recorded.steps[number : number + 2]
    assert (cut.path, cut.value, cut.against, cut.by, cut.rest) == ((5,), 7, 9, (4,), (4,))
    assert (back.kind, back.path, back.value, back.bound) == ("no better", (5,), 7, "at most")


# The lines that run


class Board:
    """A node for the printed lines to search: a tree of the textbook's."""

    def __init__(self, tree: textbook.Tree, is_max: bool, path: Path = ()) -> None:
        self.path, self.is_max = path, is_max
        self.over, self.value = isinstance(tree, int), tree
        self.below = [
            Board(child, not is_max, (*path, move))
            for move, child in (tree.items() if isinstance(tree, dict) else ())
        ]
        self.children = partial(iter, self.below)


Event = tuple[object, ...]


class Traced:
    """Run the lines shown under Python's own tracing; note each of them that makes a step.

    A line is done when its frame's next event comes, so the frame then holds what it did. The
    value that comes back has changed the window, too, once the line below its own is done.
    """

    def __init__(self, algorithm: Algorithm) -> None:
        shown = code(algorithm)
        self.events: list[Event] = []
        self.names: dict[str, Any] = {"inf": inf}
        exec("\n".join(shown), self.names)
        self.function = self.names[FUNCTIONS[algorithm].__name__]
        self.window = (-inf, inf) if algorithm == "alpha-beta" else ()
        starts = {
            "return node.value": self.leaf,
            "best = -inf": self.entered,
            "best = pick(": self.pick,
            "α = max(": self.back,
            "β = min(": self.back,
            "break": self.cut,
            "return best": self.returned,
        }
        self.notes = {
            number: note
            for number, line in enumerate(shown, 1)
            for start, note in starts.items()
            if line.strip().startswith(start)
        }

    def __call__(self, board: Board) -> list[Event]:
        self.events.clear()
        before = sys.gettrace()
        sys.settrace(self.on_call)
        try:
            self.function(board, *self.window)
        finally:
            sys.settrace(before)
        return self.events

    def on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code is not self.function.__code__:
            return None
        running = 0

        def on_event(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal running
            if running in self.notes:
                self.notes[running](running, frame.f_locals)
            running = frame.f_lineno
            return on_event

        return on_event

    def leaf(self, line: int, names: dict[str, Any]) -> None:
        self.note(line, names, names["node"], names["node"].value)

    def entered(self, line: int, names: dict[str, Any]) -> None:
        self.note(line, names, names["node"], names["best"])

    def pick(self, line: int, names: dict[str, Any]) -> None:
        self.picked = line
        if not self.window:
            self.back(line, names)

    def back(self, line: int, names: dict[str, Any]) -> None:
        self.note(self.picked, names, names["child"], names["value"])

    def cut(self, line: int, names: dict[str, Any]) -> None:
        node, child = names["node"], names["child"]
        if rest := node.below[node.below.index(child) + 1 :]:
            self.note(line, names, node, names["best"], rest)

    def returned(self, line: int, names: dict[str, Any]) -> None:
        if not names["node"].path:
            self.note(line, names, names["node"], names["best"])

    def note(
        self, line: int, names: dict[str, Any], at: Board, value: float, rest: Sequence[Board] = ()
    ) -> None:
        frame = names.get("best", value), names.get("α", -inf), names.get("β", inf)
        self.events.append((line, at.path, value, frame, [left.path for left in rest]))


def as_traced(algorithm: Algorithm, step: Step) -> Event:
    """Return of a step what the frame that runs its line holds, too."""
    return line(algorithm, step), step.path, step.value, step.after, step.left_out


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_line_marked_is_the_line_that_runs_when_python_runs_the_lines_shown(
    algorithm: Algorithm,
) -> None:
    traced = Traced(algorithm)
    for position, order in zip(SMALL[::2], ORDERS * len(SMALL), strict=False):
        board = Board(textbook.in_order(textbook.tree_of(str(position)), order), is_max=True)
        steps = run(tree(position, "depth", order), algorithm).steps
        assert [as_traced(algorithm, step) for step in steps] == traced(board), position


def test_minimax_is_shown_as_these_nine_lines() -> None:
    assert (
        "\n".join(code("minimax"))
        == """\
def minimax(node):
    if node.over:
        return node.value
    pick = max if node.is_max else min
    best = -inf if pick is max else inf
    for child in node.children():
        value = minimax(child)
        best = pick(best, value)
    return best"""
    )


def test_alpha_beta_is_minimax_and_six_lines_more() -> None:
    def unnamed(line: str) -> str:
        return line.replace("alpha_beta", "minimax").replace(", α, β", "")

    *same, returned = [unnamed(line) for line in code("alpha-beta")]
    assert [*same[:8], returned] == list(code("minimax"))
    assert (
        "\n".join(same[8:])
        == """\
        if pick is max:
            α = max(α, best)
        else:
            β = min(β, best)
        if α >= β:
            break"""
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_code_shown_is_the_function_that_runs_without_types_and_reports(
    algorithm: Algorithm,
) -> None:
    source = getsource(FUNCTIONS[algorithm]).replace(", recorder)", ")").splitlines()
    shown = code(algorithm)
    assert max(map(len, shown)) <= 40
    left = [line for line in source if line not in shown]
    assert left[0].startswith(shown[0].partition("(")[0])
    assert all(line.strip().startswith("recorder.") for line in left[1:])
    assert [line for line in source if line in shown] == list(shown[1:])


# What a search costs


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_a_run_counts_what_the_same_search_counts_without_a_record(
    kind: tuple[Algorithm, Scoring, Order],
) -> None:
    algorithm, scoring, order = kind
    for position in SMALL:
        steps = run(tree(position, scoring, order), algorithm).steps
        nodes = sum(step.kind in ENTERED for step in steps)
        assert nodes == count(position, algorithm, scoring, order) <= 65
        assert sum(step.kind in BACK for step in steps) == nodes - 1


def test_the_costs_from_the_empty_board_are_the_known_ones() -> None:
    assert cost(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert cost(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)


@pytest.mark.long
def test_plain_minimax_really_run_enters_what_the_sum_over_symmetries_says() -> None:
    for position in [EMPTY, *(other for other in DIFFERENT if other.ply >= 3)]:
        recorder = Recorder()
        assert minimax(Unwatched(position, 0, "depth", "squares"), recorder) == value(
            position, 0, "depth"
        )
        assert recorder.nodes == plain(position)
    assert plain(EMPTY) == 549_946


@pytest.mark.long
def test_every_value_is_the_textbooks_from_any_root_above() -> None:
    for position in EVERY:
        for distance in range(position.ply + 1):
            side = position.turn if distance % 2 == 0 else "XO".replace(position.turn, "")
            for scoring in SCORINGS:
                true = textbook.worth(str(position), side, distance, scoring == "flat")
                assert value(position, distance, scoring) == true, position
