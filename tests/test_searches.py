"""Searches recorded step by step, against a search written a second time and Python's tracing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import pairwise, product
from math import inf
from random import Random
from types import FrameType, FunctionType
from typing import Any

import pytest

from engine.position import Position
from teach.counts import minimax_node_count
from teach.estimates import drawable_depths, limited_tree
from teach.numbers import Numbers, format_tree, number_tree, parse_tree
from teach.puzzles.random_trees import random_tree
from teach.scenes import Scene
from teach.searches import (
    ALGORITHMS,
    ENTERED,
    RETURNED,
    Algorithm,
    Recorder,
    Run,
    code_lines,
    line_of_play,
    lines_of_step,
    minimax,
    run,
)
from teach.trees import ORDERS, SCORINGS, Node, Order, Path, Scoring, tree, value
from teach.watch import bounded_moves, state_after, tied_moves
from tests import positions, textbook
from tests.counts import Unwatched, cost, count
from tests.positions import DIFFERENT, EVERY, TO_PLAY, UNFINISHED, one_in, soaked, whole
from tests.sentences import assert_same
from tests.serving import ROOT

SMALL = whole(position for position in UNFINISHED if position.ply >= 5)
EMPTY = Position()
MANUAL = (ROOT / "judge/manual.md").read_text()
CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip
SECOND = ((3, 12, 8), (2, 4, 6), (14, 5, 2))
Settings = tuple[Algorithm, Scoring, Order]
ALL_SETTINGS: list[Settings] = list(product(ALGORITHMS, SCORINGS, ORDERS))
Pair = tuple[Run, textbook.Search]


def run_of(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    return run(tree(position, scoring, order), algorithm)


def pair(root: Node, below: textbook.Tree, algorithm: Algorithm, order: Order) -> Pair:
    """Return a run and the textbook's search of the same tree."""
    ordered = textbook.in_order(below, order, root.is_max)
    return run(root, algorithm), textbook.Search(ordered, algorithm == "alpha-beta", root.is_max)


def both(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Pair:
    below = textbook.tree_of(str(position), scoring == "flat", "X")
    return pair(tree(position, scoring, order), below, algorithm, order)


# Every step of every run


def a_tree(rng: Random) -> Numbers:
    """Return a tree of numbers drawn by chance, over all the shapes that are allowed."""
    few, levels = rng.choice((0.1, 0.3, 0.6)), rng.randint(1, 5)

    def branch(level: int) -> Numbers | int:
        if level and (level == levels or rng.random() < few):
            return rng.randint(*rng.choice(((-99, 99), (-3, 3))))
        return tuple(branch(level + 1) for _ in range(rng.randint(1, 5)))

    values = branch(0)
    assert isinstance(values, tuple)
    return a_tree(rng) if parse_tree(format_tree(values)).fault else values


NUMBERS = [a_tree(Random(seed)) for seed in range(2000 if positions.all_images else 300)]


def of_boards() -> Iterator[Pair]:
    """Yield searches of all boards with at most four empty squares: of each kind by turns."""
    for number, position in enumerate(SMALL):
        for kind in (
            ALL_SETTINGS if positions.all_images else ALL_SETTINGS[number % len(ALL_SETTINGS) :][:1]
        ):
            yield both(position, *kind)


def of_numbers() -> Iterator[Pair]:
    kinds = list(product(ALGORITHMS, (True, False), ORDERS))
    for number, values in enumerate(NUMBERS):
        algorithm, is_max, order = kinds[number % len(kinds)]
        below = textbook.of_values(values)
        yield pair(number_tree(values, is_max, order), below, algorithm, order)


def of_boards_cut_off() -> Iterator[Pair]:
    """Yield searches of positions up to symmetry, by turns at each depth that can be drawn."""
    for number, position in enumerate(one_in(2, TO_PLAY)):
        board = str(position)
        for merged in (True, False) if positions.all_images else (number % 3 > 0,):
            found = drawable_depths(position, merged)
            for depth in found if positions.all_images else found[number // 2 % len(found) :][:1]:
                order = ORDERS[(number + depth) % 3]
                below = textbook.cut_off(board, depth, merged, "X")
                root = limited_tree(position, depth, order, merged)
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
    root, steps = recorded.root, list[Any](book.steps)
    assert [*recorded.steps] == steps, root.content
    for step, stack in zip(recorded.steps, book.stacks, strict=True):
        assert step.stack_top == [(), *stack][-1]
        is_sure = step.kind in RETURNED and step.bound == "exact"
        assert not is_sure or step.value == root.at(step.path).value
    line = [root.at(path) for path in line_of_play(recorded, len(steps))]
    assert all(node in above.below for above, node in pairwise(line)) and line[-1].over
    assert {recorded.value, book.value} == {node.value for node in line}
    came = [step for step in book.steps if step.kind in RETURNED and len(step.path) == 1]
    sure = [step.path[0] for step in came if (step.value, step.bound) == (book.value, "exact")]
    assert [recorded.move, *tied_moves(recorded)] == sure
    # All that were cut, also those worse for sure: who is left out of the sentence seems exact.
    open_ = [step for step in came if step.bound != "exact"]
    assert [*bounded_moves(recorded)] == [step.path[0] for step in open_]
    pick = max if root.is_max else min
    assert all(pick(step.value, book.value) == book.value for step in open_)


Known = tuple[str, float | None, str]


def check_scenes(recorded: Run, book: textbook.Search) -> None:
    """Check what is known about each node after each step, who wins there, and the line of play."""
    root, known = recorded.root, dict[Path, Known]()
    assert {stage for stage, *_ in state_after(recorded, 0).scene.states.values()} == {"waiting"}
    for number, (step, stack) in enumerate(zip(book.steps, book.stacks, strict=True), 1):
        on_stack = step.kind in ("enter", "cut")
        known[step.path] = ("searched", None if on_stack else step.value, step.bound)
        known |= {(*step.path, move): ("cut", None, "exact") for move in step.rest}
        seen = state_after(recorded, number)
        scene = seen.scene
        kinds = [done.kind for done in book.steps[:number]]
        assert (seen.node_count, seen.leaf_count) == (
            sum(map(kinds.count, ENTERED)),
            kinds.count("leaf"),
        )
        assert scene.rejected == (step.path if step.kind in ("as good", "no better") else None)
        assert {p: it.frame.best for p, it in scene.states.items() if it.frame} == stack
        assert {*scene.states} == {node.path for node in root.walk()}
        for node in root.walk():
            above = [known.get(node.path[:turns], ("",))[0] for turns in range(len(node.path))]
            unmet = ("below a cut" if "cut" in above else "waiting", None, "exact")
            met = known.get(node.path, unmet)
            assert scene.states[node.path][:3] == met
            check_worth(scene, node, met, stack)
        current, best = [((), book.value), *stack.items()][-1]
        first, *line = line_of_play(recorded, number)
        assert first == current == scene.path_in_view
        assert all(known[path][1] == best for path in line)
        assert bool(line) == (abs(best) < inf and not root.at(current).over)


def check_worth(scene: Scene, node: Node, met: Known, bests: Mapping[Path, float]) -> None:
    """Check what a node shows of its value, and the side that is good for."""
    worth, (_, value, bound) = scene.known_value(node), met
    if value is None and node.path in bests:
        low, high = least_and_most(scene, node, bests)
        value, bound = low, "exact" if low == high else "at least"
        if abs(low) == inf:
            value, bound = (None, "exact") if abs(high) == inf else (high, "at most")
    sides = "DDD" if scene.is_of_numbers else "DXO"
    if value is None:
        assert (worth, scene.proven_winner(node)) == (None, "unknown")
        return
    is_open = (bound == "at most" and value >= 0) or (bound == "at least" and value <= 0)
    is_estimate = abs(value) < 91 and has_unfinished(node)
    side = (
        "unknown" if is_estimate or (is_open and not scene.is_of_numbers) else sides[sign_of(value)]
    )
    assert worth and worth == (value, bound, side, scene.is_of_numbers, is_estimate)
    number = f"{value:+}".replace("+0", "0").replace("-", "−")
    text = f"{SIGNS[bound]}{'~' * is_estimate}{number.lstrip('+' if scene.is_of_numbers else '')}"
    assert worth.text == text
    if node.path not in bests:
        assert scene.proven_winner(node) == ("unknown" if is_open else side)


SIGNS = {"exact": "", "at most": "≤ ", "at least": "≥ "}


def sign_of(value: float) -> int:
    return textbook.sign(int(value))


def has_unfinished(node: Node) -> bool:
    """Return whether a game is not over at a leaf: its value was estimated at a depth limit."""
    boards = [str(leaf.content) for leaf in node.leaves if not isinstance(leaf.content, int)]
    return not all(map(textbook.over, boards))


def least_and_most(scene: Scene, node: Node, bests: Mapping[Path, float]) -> tuple[float, float]:
    """Return the least and the most that a node can be worth, by the leaves that came back."""
    ranges = [
        (-inf, inf)
        if child.path in bests or scene.stage(child) != "searched"
        else (child.value, child.value)
        if not child.below
        else least_and_most(scene, child, bests)
        for child in node.below
    ]
    pick = max if node.is_max else min
    return pick(low for low, _ in ranges), pick(high for _, high in ranges)


Windows = dict[Path, tuple[float, float]]


def windows_as_taught(tree: textbook.Tree, is_max: bool) -> Iterator[Windows]:
    """Yield the window of each node entered so far, after each step of an alpha-beta written here.

    A node has the window with which it was entered, narrowed by what came back to it.
    """
    seen: Windows = {}

    def search(
        tree: textbook.Tree, path: Path, low: float, high: float, is_max: bool
    ) -> Generator[Windows, None, float]:
        seen[path] = low, high
        yield {**seen}
        if isinstance(tree, int):
            return tree
        best = -inf if is_max else inf
        for number, (move, below) in enumerate(tree.items(), 1):
            value = yield from search(below, (*path, move), low, high, not is_max)
            best = max(best, value) if is_max else min(best, value)
            low, high = (max(low, best), high) if is_max else (low, min(high, best))
            seen[path] = low, high
            yield {**seen}
            if low >= high and number < len(tree):
                yield {**seen}  # the step that prunes
            if low >= high:
                break
        return best

    yield from search(tree, (), -inf, inf, is_max)
    yield {**seen}  # the end


def trees_with_windows() -> Iterator[tuple[Node, textbook.Tree]]:
    """Yield 150 random trees and every board with at most four empty squares, in soak, or some."""
    for seed in range(150 if positions.all_images else 15):
        lot = random_tree(2 + seed % 3, 2 + seed % 2, seed, is_max=seed % 4 < 2)
        yield lot.root, textbook.of_values(lot.values)
    small = [position for position in UNFINISHED if position.ply >= 5]
    for position in small if positions.all_images else one_in(10, whole(small)):
        yield tree(position), textbook.tree_of(str(position), False, "X")


@pytest.mark.long
def test_the_window_of_each_node_is_exact_at_every_step_and_stays_once_it_was_left() -> None:
    for root, below in trees_with_windows():
        found, taught = run(root, "alpha-beta"), windows_as_taught(below, root.is_max)
        for step, windows in enumerate(taught, 1):
            shown = state_after(found, step).scene.states
            frames = {path: it.last_frame for path, it in shown.items() if it.last_frame}
            assert {p: (it.alpha, it.beta) for p, it in frames.items()} == windows, root
        assert step == len(found.steps)


@pytest.mark.long
def test_a_board_is_cut_off_as_deep_as_its_tree_can_be_drawn() -> None:
    for position in TO_PLAY:
        for merged in (True, False):
            found = drawable_depths(position, merged)
            for depth in range(1, min(len(found) + 2, 10 - position.ply)):
                nodes = [*textbook.nodes_of(textbook.cut_off(str(position), depth, merged))]
                leaves = sum(isinstance(tree, int) for _, tree in nodes)
                assert (depth in found) == (len(nodes) <= 90 and leaves <= 40)


# The lines that run


Event = tuple[tuple[int, ...], Path, float, tuple[float, ...], list[Path]]


def as_python_runs(root: Node, algorithm: Algorithm) -> list[Event]:
    """Run the lines shown under Python's own tracing: return those that make a step.

    With them go the lines beside, the node, its value, the frame, and the nodes that are left out.
    """
    shown, names = code_lines(algorithm), dict[str, Any](inf=inf)
    exec("\n".join(shown), names)
    (function,) = (it for it in names.values() if isinstance(it, FunctionType))
    window = (-inf, inf) if algorithm == "alpha-beta" else ()
    brings = ("α =", "β =") if window else "best = pick"
    starts = ("return", "best", "α", "β", "if α", "break")
    marked = {n for n, line in enumerate(shown, 1) if line.strip().startswith(starts)}
    events: list[Event] = []

    def note(line: int, before: int, held: dict[str, Any]) -> None:
        text, node, child = shown[line - 1].strip(), held["node"], held.get("child", root)
        frame = held.get("best", node.value), held.get("α", -inf), held.get("β", inf)
        if text.startswith(brings):
            ran = (before, line) if window else (line,)
            events.append((ran, child.path, held["value"], frame, []))
        elif text == "break":
            if rest := [left.path for left in node.below[node.below.index(child) + 1 :]]:
                events.append(((line, before), node.path, frame[0], frame, rest))
        elif text.startswith(("return node", "best = -inf")) or (
            text == "return best" and not node.path
        ):
            events.append(((line,), node.path, frame[0], frame, []))

    def on_call(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code is not function.__code__:
            return None
        running = before = 0

        def on_event(frame: FrameType, event: str, arg: Any) -> Any:
            """Note the line that is done by now, so that the frame holds what it did."""
            nonlocal running, before
            if running in marked:
                note(running, before, frame.f_locals)
                before = running
            running = frame.f_lineno
            return on_event

        return on_event

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        function(root, *window)
    finally:
        sys.settrace(before)
    return events


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_lines_marked_are_those_that_python_runs(algorithm: Algorithm) -> None:
    numbers, apart = (200, 9) if positions.all_images else (60, 30)
    roots = [number_tree(values, n % 2 == 0) for n, values in enumerate(NUMBERS[:numbers])]
    for root in [*roots, *(tree(position) for position in SMALL[::apart])]:
        found = run(root, algorithm)
        assert as_python_runs(root, algorithm) == [
            (lines_of_step(found, step), step.path, step.value, step.after, step.pruned_paths)
            for step in found.steps
        ]


def test_both_listings_are_as_last_read_and_at_most_forty_characters_wide() -> None:
    listings = [code_lines(algorithm) for algorithm in ALGORITHMS]
    assert_same("listings", "\n\n\n".join(map("\n".join, listings)) + "\n")
    assert max(len(line) for listing in listings for line in listing) <= 40


# What a search costs


@pytest.mark.long
def test_a_run_counts_what_the_same_search_counts_without_a_record() -> None:
    for position, (algorithm, scoring, order) in product(SMALL[::9], ALL_SETTINGS):
        steps = run(tree(position, scoring, order), algorithm).steps
        nodes = sum(step.kind in ENTERED for step in steps)
        assert nodes == count(position, algorithm, scoring, order) <= 65


def test_the_costs_from_the_empty_board_are_the_known_ones() -> None:
    assert cost(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert cost(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)
    for number in cost(EMPTY, "depth")[:3]:
        assert f" {number:,}" in MANUAL  # of the judge, which asks for it in the end


@pytest.mark.long
def test_plain_minimax_really_run_enters_what_the_sum_over_symmetries_says() -> None:
    for position in (*soaked([EMPTY]), *(other for other in DIFFERENT if other.ply >= 4)):
        recorder = Recorder()
        assert minimax(Unwatched(position, 0, "depth", "squares"), recorder) == value(
            position, 0, "depth"
        )
        assert recorder.nodes == minimax_node_count(position)
    assert minimax_node_count(EMPTY) == 549_946


@pytest.mark.long
def test_every_value_is_good_for_x_if_it_has_a_plus_as_in_the_textbook() -> None:
    for position in whole(EVERY):
        for distance in range(position.ply + 1):
            for scoring in SCORINGS:
                true = textbook.worth(str(position), "X", distance, scoring == "flat")
                assert value(position, distance, scoring) == true, position
