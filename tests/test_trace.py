"""Searches recorded step by step, against a search written a second time and Python's tracing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from inspect import getsource
from itertools import product
from math import inf
from types import CodeType, FrameType
from typing import Any

import pytest

from engine.position import Position, reachable
from engine.symmetry import canonical
from engine.trace import (
    ALGORITHMS,
    MOST_EMPTY,
    ORDERS,
    SCORINGS,
    Algorithm,
    Back,
    Count,
    Cut,
    Enter,
    Node,
    Order,
    Path,
    Return,
    Run,
    Scoring,
    Step,
    after,
    alpha_beta,
    code,
    cost,
    counts,
    different,
    minimax,
    ordered,
    plain,
    run,
    value,
)
from tests import textbook

EVERY = list(reachable())
UNFINISHED = [position for position in EVERY if not position.outcome()]
SMALL = [position for position in UNFINISHED if 9 - position.ply <= MOST_EMPTY]
DIFFERENT = {position for position in EVERY if position == canonical(position)}
EMPTY = Position()
FUNCTIONS: dict[Algorithm, Callable[..., float]] = {"minimax": minimax, "alpha-beta": alpha_beta}

CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip


def follow(root: Position, path: Path) -> Position:
    for square in path:
        root = root.play(square)
    return root


def exact(root: Position, path: Path, scoring: Scoring) -> int:
    """Return what a node is worth to MAX, as the textbook has it."""
    return textbook.worth(str(follow(root, path)), root.turn, len(path), scoring == "flat")


# Every step of every run


@pytest.fixture(scope="module", params=product(ALGORITHMS, SCORINGS, ORDERS), ids=" ".join)
def runs(request: pytest.FixtureRequest) -> list[Run]:
    """Run one kind of search from every position small enough; tests share each list of them."""
    return [run(position, *request.param) for position in SMALL]


def search(run: Run) -> textbook.Search:
    pruning, flat = run.algorithm == "alpha-beta", run.scoring == "flat"
    return textbook.Search(str(run.position), pruning, flat, run.order)


def told(step: Step) -> tuple[object, ...]:
    """Return a step without its line, in the textbook's words."""
    path, _, *facts = step
    return (type(step).__name__.lower(), path, *facts)


@pytest.mark.long
def test_every_step_is_the_textbooks(runs: list[Run]) -> None:
    for each in runs:
        assert [told(step) for step in each.steps] == search(each).steps, each.position


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_stack_after_every_step_is_the_textbooks(algorithm: Algorithm) -> None:
    for position in SMALL:
        if position in DIFFERENT:
            recorded = run(position, algorithm, "depth", "squares")
            for number, stack in enumerate(search(recorded).stacks, 1):
                found = after(recorded, number).stack
                assert [(path, held.best) for path, held in found.items()] == list(stack)


class Board:
    """A node for the printed lines to search, on strings, and the whole tree below it."""

    def __init__(self, run: Run, board: str, path: Path = ()) -> None:
        self.path, self.over = path, textbook.over(board)
        self.is_max = textbook.turn(board) == run.position.turn
        self.value = textbook.worth(board, run.position.turn, len(path), run.scoring == "flat")
        self.squares = textbook.squares(board, run.order, run.scoring == "flat")
        after = textbook.children(board)
        below = [Board(run, after[square], (*path, square)) for square in self.squares]
        self.children = partial(iter, below)


Line = tuple[object, ...]


class Traced:
    """Run the printed lines under Python's own tracing; note each of them that makes a step.

    A line is done once the next event of its frame arrives, so the frame then holds its result.
    """

    def __init__(self, algorithm: Algorithm) -> None:
        shown = code(algorithm)
        self.compiled: CodeType = compile("\n".join(shown), "<shown>", "exec")
        self.name = FUNCTIONS[algorithm].__name__
        starts = ("return node.value", "best = -inf", "best = max(", "break", "return best")
        stripped = [line.strip() for line in shown]
        self.kinds = {
            number: start
            for number, line in enumerate(stripped, 1)
            for start in starts
            if line.startswith(start)
        }
        assert len(self.kinds) == (5 if algorithm == "alpha-beta" else 4)

    def __call__(self, run: Run) -> tuple[float, list[Line]]:
        self.lines: list[Line] = []
        self.running: dict[FrameType, int] = {}
        names: dict[str, Any] = {"inf": inf, "Node": Board}
        exec(self.compiled, names)
        window = (-inf, inf) if run.algorithm == "alpha-beta" else ()
        before = sys.gettrace()
        sys.settrace(self.on_call)
        try:
            found = names[self.name](Board(run, str(run.position)), *window)
        finally:
            sys.settrace(before)
        return found, self.lines

    def on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_name == self.name:
            return self.on_event
        return None

    def on_event(self, frame: FrameType, event: str, arg: Any) -> Any:
        done = self.running.pop(frame, 0)
        if done in self.kinds:
            self.note(self.kinds[done], done - 1, frame.f_locals, arg)
        if event == "line":
            self.running[frame] = frame.f_lineno
        return self.on_event

    def note(self, kind: str, line: int, names: dict[str, Any], returned: Any) -> None:
        node, held = names["node"], [names.get(name) for name in ("best", "alpha", "beta")]
        if kind == "return node.value":
            self.lines.append((line, node.path, returned))
        elif kind == "best = -inf":
            self.lines.append((line, node.path, *held))
        elif kind == "best = max(":
            self.lines.append((line, names["child"].path, names["value"], *held))
        elif kind == "break" and names["child"].path[-1] != node.squares[-1]:
            self.lines.append((line, node.path, names["child"].path[-1]))
        elif kind == "return best" and not node.path:
            self.lines.append((line, node.path, returned))


def as_traced(run: Run, step: Step) -> Line:
    """Return of a step what the frame of the printed lines holds, too."""
    match step:
        case Enter(path, line, None, held):
            return line, path, *window_of(run, held)
        case Enter(path, line, worth) | Return(path, line, worth):
            return line, path, worth
        case Back(path, line, worth):
            return line, path, worth, *window_of(run, step.after)
        case Cut(path, line, child):
            return line, path, child


def window_of(run: Run, held: tuple[float, float, float]) -> tuple[float | None, ...]:
    return held if run.algorithm == "alpha-beta" else (held[0], None, None)


@pytest.mark.long
def test_the_line_marked_is_the_line_that_runs_when_python_runs_the_lines_shown(
    runs: list[Run],
) -> None:
    traced = Traced(runs[0].algorithm)
    for each in runs:
        found, lines = traced(each)
        assert found == each.value
        assert [as_traced(each, step) for step in each.steps] == lines, each.position


@pytest.mark.long
def test_no_bound_is_wrong_and_only_a_cut_below_makes_a_value_a_bound(runs: list[Run]) -> None:
    for each in runs:
        cut: list[Path] = []
        for step in each.steps:
            if isinstance(step, Cut):
                cut.append(step.path)
            if isinstance(step, Back):
                true = exact(each.position, step.path, each.scoring)
                if step.bound == "exact":
                    assert true == step.value
                else:
                    assert any(path[: len(step.path)] == step.path for path in cut)
                    assert true <= step.value if step.bound == "at most" else true >= step.value


@pytest.mark.long
def test_every_cut_is_justified_and_none_loses_the_value_or_the_move(runs: list[Run]) -> None:
    for each in runs:
        assert each.value == exact(each.position, (), each.scoring)
        moves = textbook.squares(str(each.position), each.order, each.scoring == "flat")
        best = [square for square in moves if exact(each.position, (square,), each.scoring)
                == each.value]  # fmt: skip
        assert each.move == best[0]
        came_back: dict[Path, float] = {}
        for step in each.steps:
            if isinstance(step, Back):
                came_back[step.path] = step.value
            if isinstance(step, Cut):
                assert step.rest
                assert came_back[step.by] == step.against
                assert came_back[(*step.path, step.child)] == step.best
                assert (len(step.path) - len(step.by)) % 2 == 0
                assert step.by[:-1] == step.path[: len(step.by) - 1]
                if len(step.path) % 2 == 0:
                    assert step.best >= step.against
                else:
                    assert step.best <= step.against


@pytest.mark.long
def test_a_run_counts_what_the_same_search_counts_without_a_record(runs: list[Run]) -> None:
    for each in runs:
        assert each.counts == counts(each.position, each.algorithm, each.scoring, each.order)
        kinds = [type(step) for step in each.steps]
        leaves = sum(isinstance(step, Enter) and step.value is not None for step in each.steps)
        assert each.counts == (kinds.count(Enter), leaves, kinds.count(Cut))
        assert kinds.count(Back) == each.counts.nodes - 1
        assert kinds[-1] is Return
        assert each.counts.nodes <= 65


# The numbers that books and pages quote


# Board, node and leaf counts of plain minimax, nodes of alpha-beta in square order and best first.
PICTURES = {
    "O-X" "X--" "XOO": (10, 5, 9, 6),
    "XXO" "OO-" "XX-": (4, 2, 4, 4),
    "-X-" "--X" "OOX": (47, 21, 35, 17),
    "O--" "X-X" "OOX": (8, 4, 8, 6),
    "XOO" "---" "XXO": (11, 5, 8, 7),
    "XOX" "OOX" "---": (11, 5, 11, 7),
    "---" "XOX" "XO-": (34, 17, 15, 11),
    "-X-" "O-O" "XOX": (14, 6, 14, 10),
    "--O" "XX-" "X-O": (24, 14, 14, 8),
}  # fmt: skip


@pytest.mark.parametrize("board", PICTURES)
def test_the_positions_shown_cost_what_is_said_of_them(board: str) -> None:
    position = Position.parse(board)
    first = run(position, "minimax", "depth", "squares").counts
    square_order = run(position, "alpha-beta", "depth", "squares").counts.nodes
    best_first = run(position, "alpha-beta", "depth", "best").counts.nodes
    assert (first.nodes, first.leaves, square_order, best_first) == PICTURES[board]
    assert first == plain(position)


@pytest.mark.parametrize(
    ("board", "values"),
    [
        ("O-X" "X--" "XOO", {1: -8, 4: 9, 5: -8}),
        ("XXO" "OO-" "XX-", {5: 9, 8: 0}),
        ("-X-" "--X" "OOX", {0: -8, 2: -6, 3: -8, 4: -8}),
        ("O--" "X-X" "OOX", {1: 7, 2: 9, 4: 9}),
    ],
)  # fmt: skip
def test_the_moves_of_the_positions_shown_come_back_with_these_values(
    board: str, values: dict[int, int]
) -> None:
    recorded = run(Position.parse(board), "minimax", "depth", "squares")
    back = [step for step in recorded.steps if isinstance(step, Back) and len(step.path) == 1]
    assert {step.path[0]: step.value for step in back} == values
    assert recorded.value == max(values.values())
    assert recorded.move == max(values, key=values.__getitem__)


def test_flat_scores_make_the_first_of_the_lost_moves_good_enough() -> None:
    fatalist = run(Position.parse("-X-" "--X" "OOX"), "minimax", "flat", "squares")  # fmt: skip
    assert (fatalist.value, fatalist.move) == (-1, 0)


def test_minimax_of_ten_nodes_takes_twenty_steps() -> None:
    kinds = [type(step) for step in run(CLASSIC, "minimax", "depth", "squares").steps]
    assert [kinds.count(kind) for kind in (Enter, Back, Cut, Return)] == [10, 9, 0, 1]


def test_four_empty_squares_have_at_most_65_nodes_and_24_leaves() -> None:
    assert max(plain(position).nodes for position in SMALL) == 65
    assert max(plain(position).leaves for position in SMALL) == 24


def test_a_tree_can_hold_the_same_position_more_than_once() -> None:
    position = Position.parse("--O" "XX-" "X-O")  # fmt: skip
    assert (plain(position).nodes, different(position)) == (24, 21)


# The code that is shown


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_code_shown_is_the_function_that_runs_without_the_lines_that_report(
    algorithm: Algorithm,
) -> None:
    source = getsource(FUNCTIONS[algorithm]).splitlines()
    shown = list(code(algorithm))
    assert [line for line in source if line in shown] == shown
    assert all(line.strip().startswith("node.see.") for line in source if line not in shown)
    assert not any("see" in line for line in shown)
    assert 8 <= len(shown) <= 12
    assert max(map(len, shown)) <= 72


def test_alpha_beta_is_minimax_and_four_lines_more() -> None:
    def unnamed(line: str) -> str:
        return line.replace("alpha_beta", "minimax").replace(", alpha: float, beta: float", "")

    lines = [unnamed(line).replace(", alpha, beta", "") for line in code("alpha-beta")]
    more = [line.strip() for line in lines if line not in code("minimax")]
    assert [line for line in lines if line in code("minimax")] == list(code("minimax"))
    assert [line.split()[0] for line in more] == ["alpha", "beta", "if", "break"]


# How a run stands


def test_a_run_begins_with_nothing_met_and_ends_with_nothing_on_the_stack() -> None:
    recorded = run(CLASSIC, "alpha-beta", "depth", "squares")
    assert after(recorded, 0) == ({}, {}, (0, 0, 0))
    end = after(recorded, len(recorded.steps))
    assert end.stack == {}
    assert end.counts == recorded.counts == (9, 4, 1)
    assert end.nodes[()] == ("returned", 9, "exact")


def test_a_cut_says_what_it_is_held_against_and_where_that_came_from() -> None:
    # X has +9 from the centre. With middle right, O gets at most +7 by top centre, so X will not.
    recorded = run(CLASSIC, "alpha-beta", "depth", "squares")
    (number,) = (n for n, step in enumerate(recorded.steps) if isinstance(step, Cut))
    cut, back = recorded.steps[number : number + 2]
    assert told(cut) == ("cut", (5,), 1, (4,), 7, 9, (4,))
    assert isinstance(back, Back)
    assert (back.path, back.value, back.bound, back.improves) == ((5,), 7, "at most", False)
    state = after(recorded, number + 1)
    assert state.nodes[5, 4] == ("cut", None, None)
    assert state.nodes[5,] == ("on the stack", None, None)
    assert state.stack == {(): (9, 9, inf), (5,): (7, 9, 7)}
    assert state.counts == (9, 4, 1)


def test_a_leaf_has_its_value_while_still_on_the_stack() -> None:
    state = after(run(CLASSIC, "minimax", "depth", "squares"), 3)
    assert state.nodes[1, 4] == ("on the stack", -8, "exact")
    assert list(state.stack) == [(), (1,), (1, 4)]


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("X--" "-O-" "---", "from at most 4 empty squares, and here are 7"),
        ("XXX" "OO-" "---", "the game is over"),
    ],
)  # fmt: skip
def test_what_nobody_could_read_step_by_step_is_not_recorded(board: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        run(Position.parse(board), "alpha-beta", "depth", "squares")


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
        see = Count()
        assert minimax(Node((), position, "depth", "squares", see)) == value(position, 0, "depth")
        assert (see.nodes, see.leaves, see.cuts) == plain(position)
        assert plain(position) == counts(position, "minimax", "flat", "worst")
    assert plain(EMPTY) == (549_946, 255_168, 0)
