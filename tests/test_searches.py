"""Searches recorded step by step, against a search written a second time and Python's tracing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import getsource
from itertools import product
from math import inf
from random import Random
from types import FrameType
from typing import Any

import pytest

from engine.position import Position
from teach.counts import Unwatched, cost, count, plain
from teach.guesses import cut_off, depths
from teach.numbers import Values, number_tree, read_tree, written
from teach.scenes import Scene
from teach.searches import (
    ALGORITHMS,
    BACK,
    ENTERED,
    FORMS,
    FUNCTIONS,
    Algorithm,
    Form,
    Recorder,
    Run,
    Step,
    code,
    line_of_play,
    lines,
    max_value,
    met_after,
    min_value,
    minimax,
    run,
)
from teach.trees import ORDERS, SCORINGS, Node, Order, Path, Scoring, tree, value
from teach.watch import bounded, shown, ties
from tests import positions, textbook
from tests.positions import DIFFERENT, EVERY, TO_PLAY, UNFINISHED, soaked, whole
from tests.sentences import assert_same

SMALL = whole(position for position in UNFINISHED if position.ply >= 5)
EMPTY = Position()
CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip
SECOND = ((3, 12, 8), (2, 4, 6), (14, 5, 2))
Kind = tuple[Algorithm, Scoring, Order]
KINDS: list[Kind] = list(product(ALGORITHMS, SCORINGS, ORDERS))


Pair = tuple[Run, textbook.Search]


def run_of(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    return run(tree(position, scoring, order), algorithm)


def pair(root: Node, below: textbook.Tree, algorithm: Algorithm, order: Order) -> Pair:
    """Return a run and the textbook's search of the same tree."""
    ordered = textbook.in_order(below, order, root.is_max)
    return run(root, algorithm), textbook.Search(ordered, algorithm == "alpha-beta", root.is_max)


def both(
    position: Position, algorithm: Algorithm, scoring: Scoring, order: Order, is_max: bool = True
) -> Pair:
    board = str(position)
    side = textbook.turn(board) if is_max else textbook.other(textbook.turn(board))
    below = textbook.tree_of(board, scoring == "flat", side)
    return pair(tree(position, scoring, order, is_max=is_max), below, algorithm, order)


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


def a_tree(rng: Random) -> Values:
    """Return a tree of numbers drawn by chance, over all the shapes that are allowed."""
    few, levels = rng.choice((0.1, 0.3, 0.6)), rng.randint(1, 5)

    def branch(level: int) -> Values | int:
        if level and (level == levels or rng.random() < few):
            return rng.randint(*rng.choice(((-99, 99), (-3, 3))))
        return tuple(branch(level + 1) for _ in range(rng.randint(1, 5)))

    values = branch(0)
    assert isinstance(values, tuple)
    return a_tree(rng) if read_tree(written(values)).fault else values


NUMBERS = [a_tree(Random(seed)) for seed in range(2000 if positions.all_images else 500)]


def of_boards() -> Iterator[Pair]:
    """Yield searches of all boards with at most four empty squares: of each kind by turns."""
    for number, position in enumerate(SMALL):
        for kind in KINDS if positions.all_images else KINDS[number % len(KINDS) :][:1]:
            yield both(position, *kind, is_max=number // len(KINDS) % 2 == 0)


def of_numbers() -> Iterator[Pair]:
    kinds = list(product(ALGORITHMS, (True, False), ORDERS))
    for number, values in enumerate(NUMBERS):
        algorithm, is_max, order = kinds[number % len(kinds)]
        below = textbook.of_values(values)
        yield pair(number_tree(values, is_max, order), below, algorithm, order)


def of_boards_cut_off() -> Iterator[Pair]:
    """Yield searches of every position up to symmetry, by turns at each depth that can be drawn."""
    for number, position in enumerate(TO_PLAY):
        board, is_max = str(position), number % 2 == 0
        side = textbook.turn(board) if is_max else textbook.other(textbook.turn(board))
        for merged in (True, False) if positions.all_images else (number % 3 > 0,):
            found = depths(position, merged)
            for depth in found if positions.all_images else found[number // 2 % len(found) :][:1]:
                order = ORDERS[(number + depth) % 3]
                below = textbook.cut_off(board, depth, merged, side)
                root = cut_off(position, depth, order, merged, is_max)
                yield pair(root, below, "alpha-beta", order)
                if positions.all_images or number % 4 == 0:
                    yield pair(root, below, "minimax", order)


@pytest.mark.long
@pytest.mark.parametrize("searches", [of_boards, of_numbers, of_boards_cut_off])
def test_each_step_of_every_search_is_the_textbooks(searches: Callable[[], Iterator[Pair]]) -> None:
    for number, (recorded, book) in enumerate(searches()):
        check_record(recorded, book)
        if number % 17 == 0:  # no divisor of the kinds
            check_scenes(recorded, book)


def check_record(recorded: Run, book: textbook.Search) -> None:
    """Check the steps, how far each leaves its node, and the move settled on."""
    root, steps = recorded.root, list[Any](as_recorded(book.steps))
    assert list(recorded.steps) == steps, root.stands
    for step, stack in zip(recorded.steps, book.stacks, strict=True):
        assert step.here == ([path for path, _ in stack] or [()])[-1]
        assert (
            step.kind not in BACK or step.bound != "exact" or step.value == root.at(step.path).value
        )
    assert recorded.value == book.value == root.value
    came = [step for step in steps if step[0] in BACK and len(step[1]) == 1]
    equal = [(path[0], bound) for _, path, value, _, _, bound, *_ in came if value == book.value]
    assert recorded.move == equal[0][0]
    assert [*ties(recorded)] == [move for move, bound in equal[1:] if bound == "exact"]
    # All that were cut, also those worse for sure: who is left out of the sentence seems exact.
    open_ = [step for step in came if step[5] != "exact"]
    assert [*bounded(recorded)] == [path[0] for _, path, *_ in open_]
    pick = max if root.is_max else min
    assert all(pick(value, book.value) == book.value for _, _, value, *_ in open_)


def check_scenes(recorded: Run, book: textbook.Search) -> None:
    """Check what is known of each node after every step, who wins there, and the line of play."""
    root, ends, steps = recorded.root, list[bool](), list[Any](book.steps)
    known: dict[Path, tuple[str, float | None, str]] = {}
    for number, (step, stack) in enumerate(zip(steps, book.stacks, strict=True), 1):
        match step:
            case "enter", tuple(path), end, _:
                known[path] = ("searched", end, "exact")
                ends.append(end is not None)
            case "back", tuple(path), end, bound, _, _:
                known[path] = ("searched", end, bound)
            case "cut", tuple(path), _, tuple(rest), _, _, _:
                known |= {(*path, move): ("cut", None, "exact") for move in rest}
            case "return", (), end:
                known[()] = ("searched", end, "exact")
        seen, bests = shown(recorded, number), dict(stack)
        scene = seen.scene
        assert (seen.nodes, seen.ends) == (len(ends), sum(ends))
        refused = step[0] == "back" and step[-2][0] == step[-1][0]
        assert scene.tried == (step[1] if refused else None)
        assert {p: it.frame.best for p, it in scene.standing.items() if it.frame} == bests
        assert [*scene.standing].count(()) == 1 and len(scene.standing) == len([*root.walk()])
        for node in root.walk():
            above = [known.get(node.path[:turns], ("",))[0] for turns in range(len(node.path))]
            unmet = ("below a cut" if "cut" in above else "waiting", None, "exact")
            met = known.get(node.path, unmet)
            assert scene.standing[node.path][:3] == met
            check_worth(scene, node, met, bests)
        current, best = stack[-1] if stack else ((), book.value)
        first, *line = line_of_play(recorded, number)
        assert first == current == scene.here
        assert all(known[path][1] == best for path in line)
        assert bool(line) == (abs(best) < inf and not root.at(current).over)


def check_worth(
    scene: Scene, node: Node, met: tuple[str, float | None, str], bests: dict[Path, float]
) -> None:
    """Check the value that a node shows, or its best so far, and the side that is good for."""
    worth, (_, value, bound) = scene.worth(node), met
    name, best = "", bests.get(node.path, inf)
    if value is None and abs(best) < inf:
        value, frame = best, scene.standing[node.path].frame
        is_cut = any(scene.stage(child) == "cut" for child in node.below)
        bound = ("at least" if node.is_max else "at most") if is_cut else "exact"
        mine = "α" if node.is_max else "β"
        is_end = frame and best == (frame.alpha if node.is_max else frame.beta)
        name = mine if is_end and not is_cut else ""
    sides = "DDD"
    if not scene.is_own:
        turn = textbook.turn(str(scene.root.stands))
        sides = f"D{turn}{textbook.other(turn)}"
        sides = sides if scene.root.is_max else f"D{textbook.other(turn)}{turn}"
    if value is None:
        assert (worth, scene.sign(node)) == (None, "w")
        return
    side = sides[textbook.sign(int(value))]
    assert worth == (value, bound, name, side, scene.is_own)
    if node.path not in bests:
        is_open = (bound == "at most" and value >= 0) or (bound == "at least" and value <= 0)
        assert scene.sign(node) == ("w" if is_open else side)


@pytest.mark.long
def test_a_board_is_cut_off_as_deep_as_its_tree_can_be_drawn() -> None:
    for position in TO_PLAY:
        for merged in (True, False):
            found = depths(position, merged)
            for depth in range(1, min(len(found) + 2, 10 - position.ply)):
                nodes = [*textbook.nodes_of(textbook.cut_off(str(position), depth, merged))]
                leaves = sum(isinstance(tree, int) for _, tree in nodes)
                assert (depth in found) == (len(nodes) <= 90 and leaves <= 40)


# Trees known by heart: how each is searched, and what comes of it

SECOND_MAX, SECOND_MIN = number_tree(SECOND), number_tree(SECOND, is_max=False)
TWO_TURNS = cut_off(EMPTY, 2)
BY_HEART: list[tuple[Node, Algorithm, str]] = [
    (SECOND_MAX, "minimax", "3 in 26 steps, 13 nodes, 9 of 9 leaves"),
    (SECOND_MAX, "alpha-beta",
     "3 in 23 steps, 11 nodes, 7 of 9 leaves; fork 1 has 2, 3 is sure: skips 4, 6"),
    (SECOND_MIN, "minimax", "6 in 26 steps, 13 nodes, 9 of 9 leaves"),
    (SECOND_MIN, "alpha-beta",
     "6 in 23 steps, 11 nodes, 7 of 9 leaves; fork 2 has 14, 6 is sure: skips 5, 2"),
    (TWO_TURNS, "minimax", "1 in 32 steps, 16 nodes, 12 of 12 leaves"),
    (TWO_TURNS, "alpha-beta",
     "1 in 25 steps, 12 nodes, 8 of 12 leaves; fork 1 has -1, -1 is sure: skips 0, -2, -1, 0"),
    (tree(CLASSIC), "minimax", "9 in 20 steps, 10 nodes, 5 of 5 leaves"),
    # X has +9 from the centre. With middle right, O gets at most +7 by top centre.
    (tree(CLASSIC), "alpha-beta",
     "9 in 19 steps, 9 nodes, 4 of 5 leaves; fork 5 has 7, 9 is sure: skips -8"),
]  # fmt: skip


@pytest.mark.parametrize(("root", "algorithm", "known"), BY_HEART)
def test_a_tree_known_by_heart_is_searched_as_known(
    root: Node, algorithm: Algorithm, known: str
) -> None:
    found = run(root, algorithm)
    kinds = [step.kind for step in found.steps]
    nodes, leaves = sum(kind in ENTERED for kind in kinds), kinds.count("leaf")
    of = f"{found.value} in {len(kinds)} steps, {nodes} nodes, {leaves} of {len(root.leaves)}"
    told = [f"{of} leaves"]
    for step in found.steps:
        if step.kind == "cut":
            skipped = ", ".join(str(root.at(path).value) for path in step.left_out)
            (fork,) = step.path
            told.append(f"fork {fork} has {step.value}, {step.against} is sure: skips {skipped}")
    assert "; ".join(told) == known


def test_the_empty_board_has_three_moves_that_differ_and_the_centre_is_guessed_the_best() -> None:
    assert {move.path: move.value for move in TWO_TURNS.below} == {(0,): -1, (1,): -2, (4,): 1}
    assert {run(TWO_TURNS, algorithm).move for algorithm in ALGORITHMS} == {4}


def test_a_cut_says_what_it_is_held_against_and_where_that_came_from() -> None:
    recorded = run(tree(CLASSIC), "alpha-beta")
    (number,) = (n for n, step in enumerate(recorded.steps) if step.kind == "cut")
    cut, back = recorded.steps[number : number + 2]
    assert (cut.path, cut.value, cut.against, cut.by, cut.rest) == ((5,), 7, 9, (4,), (4,))
    assert (back.kind, back.path, back.value, back.bound) == ("no better", (5,), 7, "at most")


def test_a_search_begins_with_nothing_met() -> None:
    recorded = run(tree(CLASSIC), "alpha-beta")
    assert {standing.stage for standing in met_after(recorded, 0).values()} == {"waiting"}
    assert line_of_play(recorded, 0) == ((),)


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

    def __init__(self, algorithm: Algorithm, form: Form) -> None:
        shown = code(algorithm, form)
        self.events: list[Event] = []
        self.names: dict[str, Any] = {"inf": inf}
        exec("\n".join(shown), self.names)
        functions = [it for name, it in self.names.items() if getattr(it, "__code__", None)]
        self.codes = {function.__code__ for function in functions}
        self.first, self.last = functions[0], functions[-1]
        self.window = (-inf, inf) if algorithm == "alpha-beta" else ()
        starts = {
            "return node.value": self.leaf,
            "best = -inf": self.entered,
            "best = inf": self.entered,
            "best = pick(": self.pick,
            "best = max(": self.pick,
            "best = min(": self.pick,
            "α = max(": self.back,
            "β = min(": self.back,
            "if α >= β": self.asked,
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
            (self.first if board.is_max else self.last)(board, *self.window)
        finally:
            sys.settrace(before)
        return self.events

    def on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code not in self.codes:
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
        beside = (line,) if self.window else ()
        self.note(self.picked, names, names["child"], names["value"], beside=beside)

    def asked(self, line: int, names: dict[str, Any]) -> None:
        self.question = line

    def cut(self, line: int, names: dict[str, Any]) -> None:
        node, child = names["node"], names["child"]
        if rest := node.below[node.below.index(child) + 1 :]:
            self.note(line, names, node, names["best"], rest, (self.question,))

    def returned(self, line: int, names: dict[str, Any]) -> None:
        if not names["node"].path:
            self.note(line, names, names["node"], names["best"])

    def note(
        self,
        line: int,
        names: dict[str, Any],
        at: Board,
        value: float,
        rest: Sequence[Board] = (),
        beside: tuple[int, ...] = (),
    ) -> None:
        frame = names.get("best", value), names.get("α", -inf), names.get("β", inf)
        self.events.append(((line, *beside), at.path, value, frame, [it.path for it in rest]))


def as_traced(run: Run, step: Step, form: Form) -> Event:
    """Return of a step what the frame that runs its line holds, too."""
    return lines(run, step, form), step.path, step.value, step.after, step.left_out


@pytest.mark.long
@pytest.mark.parametrize(("algorithm", "form"), list(product(ALGORITHMS, FORMS)))
def test_lines_marked_are_those_that_python_runs(algorithm: Algorithm, form: Form) -> None:
    traced = Traced(algorithm, form)
    pairs, apart = (100, 9) if positions.all_images else (30, 30)
    searches = [
        (textbook.of_values(values), is_max, number_tree(values, is_max))
        for values, is_max in zip(NUMBERS[: 2 * pairs], (True, False) * pairs, strict=True)
    ] + [(textbook.tree_of(str(it)), True, tree(it)) for it in SMALL[::apart]]
    for book, is_max, root in searches:
        found = run(root, algorithm)
        steps = [as_traced(found, step, form) for step in found.steps]
        assert steps == traced(Board(book, is_max))


def test_two_functions_are_the_same_search() -> None:
    for is_max, function in ((True, max_value), (False, min_value)):
        for values in NUMBERS[:50]:
            root = number_tree(values, is_max)
            assert function(root, -inf, inf) == root.value


def test_the_four_listings_are_as_last_read() -> None:
    listings = ("\n".join(code(*kind)) for kind in product(ALGORITHMS, FORMS))
    assert_same("listings", "\n\n\n".join(listings) + "\n")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_code_shown_is_the_function_that_runs_without_types_and_reports(
    algorithm: Algorithm,
) -> None:
    source = getsource(FUNCTIONS[algorithm]).replace(", recorder)", ")").splitlines()
    shown = code(algorithm)
    assert max(len(line) for form in FORMS for line in code(algorithm, form)) <= 40
    left = [line for line in source if line not in shown]
    assert left[0].startswith(shown[0].partition("(")[0])
    assert all(line.strip().startswith("recorder.") for line in left[1:])
    assert [line for line in source if line in shown] == list(shown[1:])


# What a search costs


@pytest.mark.long
def test_a_run_counts_what_the_same_search_counts_without_a_record() -> None:
    for position, (algorithm, scoring, order) in product(SMALL[::9], KINDS):
        steps = run(tree(position, scoring, order), algorithm).steps
        nodes = sum(step.kind in ENTERED for step in steps)
        assert nodes == count(position, algorithm, scoring, order) <= 65


def test_the_costs_from_the_empty_board_are_the_known_ones() -> None:
    assert cost(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert cost(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)


@pytest.mark.long
def test_plain_minimax_really_run_enters_what_the_sum_over_symmetries_says() -> None:
    for position in (*soaked([EMPTY]), *(other for other in DIFFERENT if other.ply >= 4)):
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
