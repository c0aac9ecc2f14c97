"""Searches recorded step by step, against a search written a second time and Python's tracing."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from inspect import getsource
from itertools import product
from math import inf
from types import FrameType
from typing import Any, NamedTuple

import pytest
from flask import Flask

from engine.position import Position
from teach.counts import cost, count, plain
from teach.searches import (
    ALGORITHMS,
    BACK,
    FUNCTIONS,
    MOST_EMPTY,
    ORDERS,
    SCORINGS,
    Algorithm,
    Node,
    Order,
    Path,
    Recorder,
    Run,
    Scoring,
    Step,
    code,
    is_small,
    line,
    met_after,
    minimax,
    ordered,
    run,
    value,
)
from tests import textbook
from tests.conftest import untraced
from tests.positions import DIFFERENT, EVERY, TO_PLAY, UNFINISHED
from tests.test_watch import Teller, check, said_by

SMALL = [position for position in UNFINISHED if 9 - position.ply <= MOST_EMPTY]
EMPTY = Position()

CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip


@cache
def exact(root: Position, path: Path, scoring: Scoring) -> int:
    """Return what a node is worth to MAX, as the textbook has it."""
    return textbook.worth(str(root.after(path)), root.turn, len(path), scoring == "flat")


# Every step of every run


@pytest.fixture(scope="module", params=product(ALGORITHMS, SCORINGS, ORDERS), ids=" ".join)
def runs(request: pytest.FixtureRequest) -> Iterator[list[Run]]:
    """Run one kind of search from every position small enough; tests share each list of them."""
    gc.disable()  # 110,000 steps stay alive, and looking through them doubles the time
    with untraced():
        recorded = [run(position, *request.param) for position in SMALL]
    gc.freeze()
    gc.enable()
    yield recorded
    gc.unfreeze()


def search(run: Run) -> textbook.Search:
    pruning, flat = run.algorithm == "alpha-beta", run.scoring == "flat"
    return textbook.Search(str(run.position), pruning, flat, run.order)


def as_recorded(steps: Iterable[tuple[Any, ...]]) -> Iterator[tuple[object, ...]]:
    """Yield the steps of the textbook's search as they should be recorded.

    A cut, and the end, leave the frame as the value before has left it.
    """
    frame: tuple[float, float, float]
    for name, path, *facts in steps:
        match name:
            case "enter":
                end, frame = facts
                kind, value = ("enter", frame[0]) if end is None else ("leaf", end)
                yield kind, path, value, frame, frame, "exact", (), ()
            case "back":
                value, bound, before, frame = facts
                yield gain(path, value, before[0]), path, value, before, frame, bound, (), ()
            case "cut":
                _, rest, best, _, by = facts
                yield "cut", path, best, frame, frame, "exact", rest, by
            case "return":
                yield "end", path, facts[0], frame, frame, "exact", (), ()


def gain(path: Path, value: float, best: float) -> str:
    """Say how much better a value is than the best so far, to the side that moves to `path`."""
    if abs(best) == inf:
        return "first"
    better = value > best if len(path) % 2 else value < best
    return "better" if better else "as good" if value == best else "no better"


def test_a_position_is_small_with_four_empty_squares_or_fewer() -> None:
    for position in EVERY:
        assert is_small(position) == (str(position).count("-") <= 4)


@pytest.mark.long
def test_every_step_is_the_textbooks(runs: list[Run]) -> None:
    for each in runs:
        steps: list[Any] = search(each).steps
        assert list(each.steps) == list(as_recorded(steps)), each.position
        cuts = [step.against for step in each.steps if step.kind == "cut"]
        assert cuts == [step[5] for step in steps if step[0] == "cut"], each.position


@pytest.fixture(scope="module")
def checked() -> dict[tuple[Algorithm, Scoring], set[object]]:
    """Keep what was said, for a run in another order says most of that again."""
    return {kind: set() for kind in product(ALGORITHMS, SCORINGS)}


@pytest.mark.long
def test_every_sentence_of_every_run_is_short_and_tells_the_numbers_of_its_step(
    app: Flask, runs: list[Run], checked: dict[tuple[Algorithm, Scoring], set[object]]
) -> None:
    said_before = checked[runs[0].algorithm, runs[0].scoring]
    for each in runs:
        turn, teller = each.position.turn, None
        for step in each.steps:
            if (said_of := (turn, *said_by(each, step))) not in said_before:
                said_before.add(said_of)
                teller = teller or Teller(app, each)
                said = teller.sentence(step)
                assert len(said) <= 110, said
                check(each, step, said)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_stack_after_every_step_is_the_textbooks(algorithm: Algorithm) -> None:
    for position in TO_PLAY:
        if 9 - position.ply <= MOST_EMPTY:
            recorded = run(position, algorithm, "depth", "squares")
            for number, stack in enumerate(search(recorded).stacks, 1):
                found = met_after(recorded, number).items()
                assert [(path, it.frame.best) for path, it in found if it.frame] == list(stack)
                assert recorded.steps[number - 1].here == ([path for path, _ in stack] or [()])[-1]


class Facts(NamedTuple):
    """Hold what a board is to a search so many turns above: the same whatever way leads there."""

    over: bool
    is_max: bool
    value: int
    below: dict[int, str]

    @classmethod
    @cache
    def of(cls, board: str, turns: int, side: str, order: Order, flat: bool) -> Facts:
        after = textbook.children(board)
        return cls(
            over=textbook.over(board),
            is_max=textbook.turn(board) == side,
            value=textbook.worth(board, side, turns, flat),
            below={square: after[square] for square in textbook.squares(board, order, flat)},
        )


class Board:
    """A node for the printed lines to search, on strings, and the whole tree below it."""

    def __init__(self, board: str, kind: tuple[str, Order, bool], path: Path = ()) -> None:
        self.path = path
        self.over, self.is_max, self.value, after = Facts.of(board, len(path), *kind)
        self.below = [Board(child, kind, (*path, square)) for square, child in after.items()]
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

    def __call__(self, run: Run) -> list[Event]:
        self.events.clear()
        kind = run.position.turn, run.order, run.scoring == "flat"
        board, before = Board(str(run.position), kind), sys.gettrace()
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
def test_the_line_marked_is_the_line_that_runs_when_python_runs_the_lines_shown(
    runs: list[Run],
) -> None:
    traced = Traced(runs[0].algorithm)
    for each in runs:
        assert [as_traced(each.algorithm, step) for step in each.steps] == traced(each), (
            each.position
        )


@pytest.mark.long
def test_no_bound_is_wrong_and_only_a_cut_below_makes_a_value_a_bound(runs: list[Run]) -> None:
    for each in runs:
        cut: set[Path] = set()
        for step in each.steps:
            if step.kind == "cut":
                cut |= {step.path[:distance] for distance in range(len(step.path) + 1)}
            if step.kind in BACK:
                true = exact(each.position, step.path, each.scoring)
                if step.bound == "exact":
                    assert true == step.value
                elif step.bound == "at most":
                    assert true <= step.value and step.path in cut
                else:
                    assert true >= step.value and step.path in cut


@pytest.mark.long
def test_a_cut_is_held_against_what_the_other_side_has_and_loses_nothing(runs: list[Run]) -> None:
    for each in runs:
        values = {s: exact(each.position, (s,), each.scoring) for s in each.position.legal_moves()}
        assert each.value == max(values.values())
        tried = ordered(each.position, each.scoring, each.order)
        assert each.move == next(square for square in tried if values[square] == each.value)
        came_back: dict[Path, float] = {}
        for step in each.steps:
            if step.kind in BACK:
                came_back[step.path] = step.value
            if step.kind == "cut":
                distance = len(step.path)
                assert came_back[step.by] == step.against
                assert next(reversed(came_back.values())) == step.value
                assert step.by[:-1] == step.path[: len(step.by) - 1]
                assert (distance - len(step.by)) % 2 == 0
                if distance % 2 == 0:
                    assert step.value >= step.against
                else:
                    assert step.value <= step.against


@pytest.mark.long
def test_a_run_counts_what_the_same_search_counts_without_a_record(runs: list[Run]) -> None:
    for each in runs:
        nodes = count(each.position, each.algorithm, each.scoring, each.order)
        kinds = Counter(step.kind for step in each.steps)
        assert nodes == kinds["enter"] + kinds["leaf"]
        assert sum(kinds[kind] for kind in BACK) == nodes - 1
        assert kinds["end"] == 1 and each.steps[-1].kind == "end"
        assert nodes <= 65 and kinds["leaf"] <= 24


# The numbers that books and pages quote


def test_flat_scores_make_the_first_of_the_lost_moves_good_enough() -> None:
    fatalist = run(Position.parse("-X-" "--X" "OOX"), "minimax", "flat", "squares")  # fmt: skip
    assert (fatalist.value, fatalist.move) == (-1, 0)


def test_four_empty_squares_have_at_most_65_nodes_and_24_leaves() -> None:
    assert max(plain(position) for position in SMALL) == 65
    different = {str(position) for position in SMALL} & {str(position) for position in DIFFERENT}
    assert max(len([*textbook.every_game(board)]) for board in different) == 24


# The code that is shown


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
    source, shown = getsource(FUNCTIONS[algorithm]).splitlines(), code(algorithm)
    assert max(map(len, shown)) <= 40
    left = [line for line in source if line not in shown]
    assert left[0].startswith(shown[0].partition("(")[0])
    assert all(line.strip().startswith("node.recorder.") for line in left[1:])
    assert [line for line in source if line in shown] == list(shown[1:])


# How a run stands


def test_a_run_begins_with_nothing_met_and_ends_with_nothing_on_the_stack() -> None:
    recorded = run(CLASSIC, "alpha-beta", "depth", "squares")
    assert met_after(recorded, 0) == {}
    end = met_after(recorded, len(recorded.steps))
    assert not any(standing.frame for standing in end.values())
    assert end[()] == ("searched", 9, "exact", None)


def test_a_cut_says_what_it_is_held_against_and_where_that_came_from() -> None:
    # X has +9 from the centre. With middle right, O gets at most +7 by top centre, so X will not.
    recorded = run(CLASSIC, "alpha-beta", "depth", "squares")
    (number,) = (n for n, step in enumerate(recorded.steps) if step.kind == "cut")
    cut, back = recorded.steps[number : number + 2]
    assert (cut.path, cut.value, cut.against, cut.by, cut.rest) == ((5,), 7, 9, (4,), (4,))
    assert (back.kind, back.path, back.value, back.bound) == ("no better", (5,), 7, "at most")
    met = met_after(recorded, number + 1)
    assert met[5, 4] == ("cut", None, "exact", None)
    assert met[5,] == ("searched", None, "exact", (7, 9, 7))
    assert met[()] == ("searched", None, "exact", (9, 9, inf))
    assert met_after(recorded, number + 2)[5,] == ("searched", 7, "at most", None)


def test_a_leaf_has_its_value_while_still_on_the_stack() -> None:
    met = met_after(run(CLASSIC, "minimax", "depth", "squares"), 3)
    assert met[1, 4] == ("searched", -8, "exact", (-8, -inf, inf))
    assert [path for path, standing in met.items() if standing.frame] == [(), (1,), (1, 4)]


# Values and orders


@pytest.mark.long
def test_every_value_is_the_textbooks_from_any_root_above() -> None:
    for position in EVERY:
        for distance in range(position.ply + 1):
            side = position.turn if distance % 2 == 0 else "XO".replace(position.turn, "")
            for scoring in SCORINGS:
                true = textbook.worth(str(position), side, distance, scoring == "flat")
                assert value(position, distance, scoring) == true, position


@pytest.mark.long
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_moves_are_tried_in_the_textbooks_order(scoring: Scoring, order: Order) -> None:
    for position in EVERY:
        found = ordered(position, scoring, order)
        assert tuple(found) == textbook.squares(str(position), order, scoring == "flat"), position
        assert dict(found) == position.children()


# What a search costs


def test_the_costs_from_the_empty_board_are_the_known_ones() -> None:
    assert cost(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert cost(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)


@pytest.mark.long
def test_plain_minimax_really_run_enters_what_the_sum_over_symmetries_says() -> None:
    for position in [EMPTY, *(original for original in DIFFERENT if original.ply >= 3)]:
        recorder = Recorder()
        root = Node((), position, "depth", "squares", recorder)
        assert minimax(root) == value(position, 0, "depth")
        assert recorder.nodes == plain(position)
    assert plain(EMPTY) == 549_946
