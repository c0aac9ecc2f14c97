"""Recorded searches, step by step, against a second search and Python's tracing."""

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
from tests.counts import UnrecordedNode, count_nodes, search_costs
from tests.positions import (
    ALL_POSITIONS,
    CANONICAL,
    UNFINISHED,
    UNFINISHED_CANONICAL,
    all_or_canonical,
    only_in_soak,
    sample,
)
from tests.sentences import assert_matches_snapshot
from tests.serving import ROOT

SMALL = all_or_canonical(position for position in UNFINISHED if position.ply >= 5)
EMPTY = Position()
MANUAL = (ROOT / "judge/manual.md").read_text()
CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip
TEXTBOOK_TREE = ((3, 12, 8), (2, 4, 6), (14, 5, 2))
Settings = tuple[Algorithm, Scoring, Order]
ALL_SETTINGS: list[Settings] = list(product(ALGORITHMS, SCORINGS, ORDERS))
Pair = tuple[Run, textbook.Search]


def run_of(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    return run(tree(position, scoring, order), algorithm)


def pair(root: Node, below: textbook.Tree, algorithm: Algorithm, order: Order) -> Pair:
    """Return a recorded search and the textbook's search of the same tree."""
    ordered = textbook.ordered_tree(below, order, root.is_max)
    return run(root, algorithm), textbook.Search(ordered, algorithm == "alpha-beta", root.is_max)


def search_pair(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Pair:
    below = textbook.tree_of(str(position), scoring == "flat", "X")
    return pair(tree(position, scoring, order), below, algorithm, order)


# Every step of every run


def random_numbers(rng: Random) -> Numbers:
    """Return a random tree of numbers, of any allowed shape."""
    leaf_chance, levels = rng.choice((0.1, 0.3, 0.6)), rng.randint(1, 5)

    def branch(level: int) -> Numbers | int:
        if level and (level == levels or rng.random() < leaf_chance):
            return rng.randint(*rng.choice(((-99, 99), (-3, 3))))
        return tuple(branch(level + 1) for _ in range(rng.randint(1, 5)))

    values = branch(0)
    assert isinstance(values, tuple)
    return random_numbers(rng) if parse_tree(format_tree(values)).fault else values


NUMBERS = [random_numbers(Random(seed)) for seed in range(2000 if positions.is_soak else 300)]


def board_searches() -> Iterator[Pair]:
    """Yield searches of all boards with at most four empty squares, with settings in turn."""
    for number, position in enumerate(SMALL):
        for kind in (
            ALL_SETTINGS if positions.is_soak else ALL_SETTINGS[number % len(ALL_SETTINGS) :][:1]
        ):
            yield search_pair(position, *kind)


def number_searches() -> Iterator[Pair]:
    kinds = list(product(ALGORITHMS, (True, False), ORDERS))
    for number, values in enumerate(NUMBERS):
        algorithm, is_max, order = kinds[number % len(kinds)]
        below = textbook.tree_of_values(values)
        yield pair(number_tree(values, is_max, order), below, algorithm, order)


def depth_limited_searches() -> Iterator[Pair]:
    """Yield searches to a depth limit, with each depth that can be drawn in turn."""
    for number, position in enumerate(sample(2, UNFINISHED_CANONICAL)):
        board = str(position)
        for merged in (True, False) if positions.is_soak else (number % 3 > 0,):
            depths = drawable_depths(position, merged)
            for depth in depths if positions.is_soak else depths[number // 2 % len(depths) :][:1]:
                order = ORDERS[(number + depth) % 3]
                below = textbook.depth_limited_tree(board, depth, merged, "X")
                root = limited_tree(position, depth, order, merged)
                yield pair(root, below, "alpha-beta", order)
                if positions.is_soak or number % 4 == 0:
                    yield pair(root, below, "minimax", order)


@pytest.mark.long
@pytest.mark.parametrize("searches", [board_searches, number_searches, depth_limited_searches])
def test_every_step_of_every_search_matches_the_textbook(
    searches: Callable[[], Iterator[Pair]],
) -> None:
    for number, (recorded, book) in enumerate(searches()):
        check_record(recorded, book)
        if number % 17 == 0:  # not a divisor of the number of settings
            check_scenes(recorded, book)


def check_record(recorded: Run, book: textbook.Search) -> None:
    """Check the steps, the line of play and the move chosen."""
    root, steps = recorded.root, list[Any](book.steps)
    assert [*recorded.steps] == steps, root.content
    for step, stack in zip(recorded.steps, book.stacks, strict=True):
        assert step.stack_top == [(), *stack][-1]
        is_sure = step.kind in RETURNED and step.bound == "exact"
        assert not is_sure or step.value == root.at(step.path).value
    line = [root.at(path) for path in line_of_play(recorded, len(steps))]
    assert all(node in above.below for above, node in pairwise(line)) and line[-1].over
    assert {recorded.value, book.value} == {node.value for node in line}
    returns = [step for step in book.steps if step.kind in RETURNED and len(step.path) == 1]
    sure = [step.path[0] for step in returns if (step.value, step.bound) == (book.value, "exact")]
    assert [recorded.best_move, *tied_moves(recorded)] == sure
    # Every move with a bound is listed, even if it is surely worse: a move not listed seems exact.
    inexact_returns = [step for step in returns if step.bound != "exact"]
    assert [*bounded_moves(recorded)] == [step.path[0] for step in inexact_returns]
    pick = max if root.is_max else min
    assert all(pick(step.value, book.value) == book.value for step in inexact_returns)


Known = tuple[str, float | None, str]


def check_scenes(recorded: Run, book: textbook.Search) -> None:
    """Check what is known about each node after each step, and the line of play."""
    root, known = recorded.root, dict[Path, Known]()
    assert {stage for stage, *_ in state_after(recorded, 0).scene.states.values()} == {"waiting"}
    for number, (step, stack) in enumerate(zip(book.steps, book.stacks, strict=True), 1):
        on_stack = step.kind in ("enter", "cut")
        known[step.path] = ("searched", None if on_stack else step.value, step.bound)
        known |= {(*step.path, move): ("pruned", None, "exact") for move in step.pruned_moves}
        snapshot = state_after(recorded, number)
        scene = snapshot.scene
        kinds = [done.kind for done in book.steps[:number]]
        assert (snapshot.node_count, snapshot.leaf_count) == (
            sum(map(kinds.count, ENTERED)),
            kinds.count("leaf"),
        )
        assert scene.rejected == (step.path if step.kind in ("as good", "no better") else None)
        assert {p: state.frame.best for p, state in scene.states.items() if state.frame} == stack
        assert {*scene.states} == {node.path for node in root.walk()}
        for node in root.walk():
            above = [known.get(node.path[:turns], ("",))[0] for turns in range(len(node.path))]
            default = ("below pruned" if "pruned" in above else "waiting", None, "exact")
            known_facts = known.get(node.path, default)
            assert scene.states[node.path][:3] == known_facts
            check_worth(scene, node, known_facts, stack)
        current, best = [((), book.value), *stack.items()][-1]
        first, *line = line_of_play(recorded, number)
        assert first == current == scene.path_in_view
        assert all(known[path][1] == best for path in line)
        assert bool(line) == (abs(best) < inf and not root.at(current).over)


def check_worth(scene: Scene, node: Node, known: Known, bests: Mapping[Path, float]) -> None:
    """Check the value that a node shows, and the side that it favors."""
    worth, (_, value, bound) = scene.known_value(node), known
    if value is None and node.path in bests:
        low, high = value_range(scene, node, bests)
        value, bound = low, "exact" if low == high else "at least"
        if abs(low) == inf:
            value, bound = (None, "exact") if abs(high) == inf else (high, "at most")
    sides = "DDD" if scene.is_number_tree else "DXO"
    if value is None:
        assert (worth, scene.proven_winner(node)) == (None, "unknown")
        return
    is_open = (bound == "at most" and value >= 0) or (bound == "at least" and value <= 0)
    is_estimate = abs(value) < 91 and has_unfinished(node)
    side = (
        "unknown"
        if is_estimate or (is_open and not scene.is_number_tree)
        else sides[sign_of(value)]
    )
    assert worth and worth == (value, bound, side, scene.is_number_tree, is_estimate)
    number = f"{value:+}".replace("+0", "0").replace("-", "−")
    text = f"{SIGNS[bound]}{'~' * is_estimate}{number.lstrip('+' if scene.is_number_tree else '')}"
    assert worth.text == text
    if node.path not in bests:
        assert scene.proven_winner(node) == ("unknown" if is_open else side)


SIGNS = {"exact": "", "at most": "≤ ", "at least": "≥ "}


def sign_of(value: float) -> int:
    return textbook.sign(int(value))


def has_unfinished(node: Node) -> bool:
    """Return whether a leaf has an unfinished game, so that its value is an estimate."""
    boards = [str(leaf.content) for leaf in node.leaves if not isinstance(leaf.content, int)]
    return not all(map(textbook.is_over, boards))


def value_range(scene: Scene, node: Node, bests: Mapping[Path, float]) -> tuple[float, float]:
    """Return the lowest and highest possible value of a node, given the leaves searched."""
    ranges = [
        (-inf, inf)
        if child.path in bests or scene.stage(child) != "searched"
        else (child.value, child.value)
        if not child.below
        else value_range(scene, child, bests)
        for child in node.below
    ]
    pick = max if node.is_max else min
    return pick(low for low, _ in ranges), pick(high for _, high in ranges)


Windows = dict[Path, tuple[float, float]]


def windows_as_taught(tree: textbook.Tree, is_max: bool) -> Iterator[Windows]:
    """Yield the windows of all nodes entered so far, after each step of an alpha-beta search.

    A node has the window with which it was entered, narrowed by the values returned to it.
    """
    windows: Windows = {}

    def search(
        tree: textbook.Tree, path: Path, low: float, high: float, is_max: bool
    ) -> Generator[Windows, None, float]:
        windows[path] = low, high
        yield {**windows}
        if isinstance(tree, int):
            return tree
        best = -inf if is_max else inf
        for number, (move, below) in enumerate(tree.items(), 1):
            value = yield from search(below, (*path, move), low, high, not is_max)
            best = max(best, value) if is_max else min(best, value)
            low, high = (max(low, best), high) if is_max else (low, min(high, best))
            windows[path] = low, high
            yield {**windows}
            if low >= high and number < len(tree):
                yield {**windows}  # the step that prunes
            if low >= high:
                break
        return best

    yield from search(tree, (), -inf, inf, is_max)
    yield {**windows}  # the end


def trees_with_windows() -> Iterator[tuple[Node, textbook.Tree]]:
    """Yield random trees, and boards with at most four empty squares; `make soak` takes all."""
    for seed in range(150 if positions.is_soak else 15):
        puzzle_tree = random_tree(2 + seed % 3, 2 + seed % 2, seed, is_max=seed % 4 < 2)
        yield puzzle_tree.root, textbook.tree_of_values(puzzle_tree.values)
    small = [position for position in UNFINISHED if position.ply >= 5]
    for position in small if positions.is_soak else sample(10, all_or_canonical(small)):
        yield tree(position), textbook.tree_of(str(position), False, "X")


@pytest.mark.long
def test_every_window_is_exact_and_stays_after_its_node() -> None:
    for root, below in trees_with_windows():
        recorded, taught = run(root, "alpha-beta"), windows_as_taught(below, root.is_max)
        for step, windows in enumerate(taught, 1):
            shown = state_after(recorded, step).scene.states
            frames = {path: state.last_frame for path, state in shown.items() if state.last_frame}
            assert {p: (frame.alpha, frame.beta) for p, frame in frames.items()} == windows, root
        assert step == len(recorded.steps)


@pytest.mark.long
def test_the_depth_limit_is_the_deepest_that_can_be_drawn() -> None:
    for position in UNFINISHED_CANONICAL:
        for merged in (True, False):
            depths = drawable_depths(position, merged)
            for depth in range(1, min(len(depths) + 2, 10 - position.ply)):
                nodes = [
                    *textbook.walk_tree(textbook.depth_limited_tree(str(position), depth, merged))
                ]
                leaves = sum(isinstance(tree, int) for _, tree in nodes)
                assert (depth in depths) == (len(nodes) <= 90 and leaves <= 40)


# The lines that run


Event = tuple[tuple[int, ...], Path, float, tuple[float, ...], list[Path]]


def as_python_runs(root: Node, algorithm: Algorithm) -> list[Event]:
    """Run the displayed lines under Python's tracing and return an event for each step.

    An event has the lines that ran, the node, its value, the frame, and the pruned nodes.
    """
    shown, names = code_lines(algorithm), dict[str, Any](inf=inf)
    exec("\n".join(shown), names)
    (function,) = (value for value in names.values() if isinstance(value, FunctionType))
    window = (-inf, inf) if algorithm == "alpha-beta" else ()
    updates = ("α =", "β =") if window else "best = pick"
    starts = ("return", "best", "α", "β", "if α", "break")
    marked = {n for n, line in enumerate(shown, 1) if line.strip().startswith(starts)}
    events: list[Event] = []

    def note(line: int, before: int, variables: dict[str, Any]) -> None:
        text, node, child = shown[line - 1].strip(), variables["node"], variables.get("child", root)
        frame = variables.get("best", node.value), variables.get("α", -inf), variables.get("β", inf)
        if text.startswith(updates):
            ran = (before, line) if window else (line,)
            events.append((ran, child.path, variables["value"], frame, []))
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
            """Record the line that has just finished, so that the frame shows its effect."""
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
def test_marked_lines_are_the_lines_that_python_runs(algorithm: Algorithm) -> None:
    tree_count, interval = (200, 9) if positions.is_soak else (60, 30)
    roots = [number_tree(values, n % 2 == 0) for n, values in enumerate(NUMBERS[:tree_count])]
    for root in [*roots, *(tree(position) for position in SMALL[::interval])]:
        recorded = run(root, algorithm)
        assert as_python_runs(root, algorithm) == [
            (lines_of_step(recorded, step), step.path, step.value, step.after, step.pruned_paths)
            for step in recorded.steps
        ]


def test_both_listings_match_the_snapshot_and_have_at_most_40_columns() -> None:
    listings = [code_lines(algorithm) for algorithm in ALGORITHMS]
    assert_matches_snapshot("listings", "\n\n\n".join(map("\n".join, listings)) + "\n")
    assert max(len(line) for listing in listings for line in listing) <= 40


# What a search costs


@pytest.mark.long
def test_a_recorded_search_counts_as_many_nodes_as_an_unrecorded_one() -> None:
    for position, (algorithm, scoring, order) in product(SMALL[::9], ALL_SETTINGS):
        steps = run(tree(position, scoring, order), algorithm).steps
        nodes = sum(step.kind in ENTERED for step in steps)
        assert nodes == count_nodes(position, algorithm, scoring, order) <= 65


def test_node_counts_from_the_empty_board_are_the_known_ones() -> None:
    assert search_costs(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert search_costs(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)
    for number in search_costs(EMPTY, "depth")[:3]:
        assert f" {number:,}" in MANUAL  # the manual of the judge quotes these figures


@pytest.mark.long
def test_plain_minimax_visits_as_many_nodes_as_computed_by_symmetry() -> None:
    for position in (*only_in_soak([EMPTY]), *(other for other in CANONICAL if other.ply >= 4)):
        recorder = Recorder()
        assert minimax(UnrecordedNode(position, 0, "depth", "squares"), recorder) == value(
            position, 0, "depth"
        )
        assert recorder.node_count == minimax_node_count(position)
    assert minimax_node_count(EMPTY) == 549_946


@pytest.mark.long
def test_plus_is_good_for_x_as_in_the_textbook() -> None:
    for position in all_or_canonical(ALL_POSITIONS):
        for distance in range(position.ply + 1):
            for scoring in SCORINGS:
                true_value = textbook.leaf_value(str(position), "X", distance, scoring == "flat")
                assert value(position, distance, scoring) == true_value, position
