"""Recorded searches, step by step, against a second search and Python's tracing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import inf
from random import Random
from types import FrameType, FunctionType
from typing import Any, NamedTuple

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
from teach.watch import SearchState, bounded_moves, state_after, tied_moves
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

# With at most four empty squares, the tree of a board is small.
SMALL = all_or_canonical(position for position in UNFINISHED if position.ply >= 5)
EMPTY = Position()
MANUAL = (ROOT / "judge/manual.md").read_text()
CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip
TEXTBOOK_TREE = ((3, 12, 8), (2, 4, 6), (14, 5, 2))
Settings = tuple[Algorithm, Scoring, Order]
ALL_SETTINGS: list[Settings] = list(product(ALGORITHMS, SCORINGS, ORDERS))
# A recorded search, and the textbook's search of the same tree.
SearchPair = tuple[Run, textbook.Search]


def run_of(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    return run(tree(position, scoring, order), algorithm)


def search_pair(
    root: Node, book_tree: textbook.Tree, algorithm: Algorithm, order: Order
) -> SearchPair:
    """Return a recorded search and the textbook's, given the tree of each."""
    ordered = textbook.ordered_tree(book_tree, order, root.is_max)
    return run(root, algorithm), textbook.Search(ordered, algorithm == "alpha-beta", root.is_max)


# Every step of every search


def random_numbers(rng: Random) -> Numbers:
    """Return a random tree of numbers, of any allowed shape."""
    leaf_chance, level_count = rng.choice((0.1, 0.3, 0.6)), rng.randint(1, 5)

    def branch(level: int) -> Numbers | int:
        """Return a random number or branches, where the root is at level 0."""
        if level and (level == level_count or rng.random() < leaf_chance):
            return rng.randint(*rng.choice(((-99, 99), (-3, 3))))  # the small range has ties
        return tuple(branch(level + 1) for _ in range(rng.randint(1, 5)))

    values = branch(0)
    assert isinstance(values, tuple)
    fault = parse_tree(format_tree(values)).fault  # for example, that the tree is too large
    return random_numbers(rng) if fault else values


NUMBER_TREES = [random_numbers(Random(seed)) for seed in range(2000 if positions.is_soak else 300)]


def board_searches() -> Iterator[SearchPair]:
    """Yield searches of the small boards, each with the next settings; in `make soak` with all."""
    for index, position in enumerate(SMALL):
        next_settings = ALL_SETTINGS[index % len(ALL_SETTINGS)]
        for algorithm, scoring, order in ALL_SETTINGS if positions.is_soak else [next_settings]:
            book_tree = textbook.tree_of(str(position), scoring == "flat", "X")
            yield search_pair(tree(position, scoring, order), book_tree, algorithm, order)


def number_searches() -> Iterator[SearchPair]:
    """Yield searches of the random trees of numbers, each with the next settings."""
    all_settings = list(product(ALGORITHMS, (True, False), ORDERS))
    for index, values in enumerate(NUMBER_TREES):
        algorithm, is_max, order = all_settings[index % len(all_settings)]
        root = number_tree(values, is_max, order)
        yield search_pair(root, textbook.tree_of_values(values), algorithm, order)


def depth_limits(position: Position, index: int) -> list[tuple[int, bool]]:
    """Return depth limits that can be drawn, each with whether symmetric moves are merged.

    In `make soak` it returns all limits of a position, otherwise one, which varies with the index.
    """
    if positions.is_soak:
        return [
            (depth, merged)
            for merged in (True, False)
            for depth in drawable_depths(position, merged)
        ]
    merged = index % 3 > 0
    depths = drawable_depths(position, merged)
    return [(depths[index // 2 % len(depths)], merged)]


def depth_limited_searches() -> Iterator[SearchPair]:
    """Yield searches to a depth limit."""
    for index, position in enumerate(sample(2, UNFINISHED_CANONICAL)):
        for depth, merged in depth_limits(position, index):
            order = ORDERS[(index + depth) % 3]
            root = limited_tree(position, depth, order, merged)
            book_tree = textbook.depth_limited_tree(str(position), depth, merged, "X")
            yield search_pair(root, book_tree, "alpha-beta", order)
            if positions.is_soak or index % 4 == 0:
                yield search_pair(root, book_tree, "minimax", order)


@pytest.mark.long
@pytest.mark.parametrize("searches", [board_searches, number_searches, depth_limited_searches])
def test_every_step_of_every_search_matches_the_textbook(
    searches: Callable[[], Iterator[SearchPair]],
) -> None:
    for index, (recorded, book) in enumerate(searches()):
        check_steps(recorded, book)
        check_line_of_play(recorded, book)
        check_moves(recorded, book)
        if index % 17 == 0:  # 17 has no factor in common with 12 settings, so all are checked
            check_states(recorded, book)


def check_steps(recorded: Run, book: textbook.Search) -> None:
    """Check that the steps are those of the textbook, and that exact values are correct."""
    steps = list[Any](book.steps)
    assert [*recorded.steps] == steps, recorded.root.content
    for step, stack in zip(recorded.steps, book.stacks, strict=True):
        assert step.stack_top == [(), *stack][-1]
        if step.kind in RETURNED and step.bound == "exact":
            assert step.value == recorded.root.at(step.path).value


def check_line_of_play(recorded: Run, book: textbook.Search) -> None:
    """Check that the best play leads from the root to a leaf, through nodes of the same value."""
    line = [recorded.root.at(path) for path in line_of_play(recorded, len(recorded.steps))]
    assert all(child in parent.below for parent, child in pairwise(line)) and line[-1].over
    assert {recorded.value, book.value} == {node.value for node in line}


def check_moves(recorded: Run, book: textbook.Search) -> None:
    """Check the move chosen, the moves as good, and the moves for which only a bound is known."""
    returns = [step for step in book.steps if step.kind in RETURNED and len(step.path) == 1]
    best = [step.path[0] for step in returns if (step.value, step.bound) == (book.value, "exact")]
    assert [recorded.best_move, *tied_moves(recorded)] == best
    # Every move with a bound is listed, even if it is surely worse: a move not listed seems exact.
    inexact_returns = [step for step in returns if step.bound != "exact"]
    assert [*bounded_moves(recorded)] == [step.path[0] for step in inexact_returns]
    pick = max if recorded.root.is_max else min
    assert all(pick(step.value, book.value) == book.value for step in inexact_returns)


class NodeFacts(NamedTuple):
    """What is known about a node after some steps: the first three fields of a `NodeState`."""

    stage: str
    value: float | None = None
    bound: str = "exact"


def check_states(recorded: Run, book: textbook.Search) -> None:
    """Check what is known about the search and about each node, after each step."""
    start = state_after(recorded, 0).scene
    assert {state.stage for state in start.states.values()} == {"waiting"}
    facts_by_path = dict[Path, NodeFacts]()
    for step_count, (step, stack) in enumerate(zip(book.steps, book.stacks, strict=True), 1):
        if step.kind in ("enter", "cut"):  # the node stays on the stack
            facts_by_path[step.path] = NodeFacts("searched")
        else:
            facts_by_path[step.path] = NodeFacts("searched", step.value, step.bound)
        facts_by_path |= {(*step.path, move): NodeFacts("pruned") for move in step.pruned_moves}
        state = state_after(recorded, step_count)
        check_counts(state, book.steps[:step_count])
        scene = state.scene
        assert scene.rejected == (step.path if step.kind in ("as good", "no better") else None)
        check_nodes(scene, facts_by_path, stack)
        check_best_line(recorded, book, step_count, facts_by_path)
        assert scene.path_in_view == [(), *stack][-1]


def check_counts(state: SearchState, steps: Sequence[textbook.Step]) -> None:
    """Check how many nodes and leaves have been entered after some steps."""
    kinds = [step.kind for step in steps]
    assert state.node_count == sum(kind in ENTERED for kind in kinds)
    assert state.leaf_count == kinds.count("leaf")


def check_nodes(
    scene: Scene, facts_by_path: Mapping[Path, NodeFacts], stack: Mapping[Path, float]
) -> None:
    """Check the state and the value of each node; the stack has the best values so far."""
    best_values = {path: state.frame.best for path, state in scene.states.items() if state.frame}
    assert best_values == stack
    assert {*scene.states} == {node.path for node in scene.root.walk()}
    for node in scene.root.walk():
        facts = facts_by_path.get(node.path)
        if facts is None:
            ancestors = [facts_by_path.get(node.path[:depth]) for depth in range(len(node.path))]
            is_pruned = any(ancestor and ancestor.stage == "pruned" for ancestor in ancestors)
            facts = NodeFacts("below pruned" if is_pruned else "waiting")
        check_known_value(scene, node, facts, stack)
        assert scene.states[node.path][:3] == facts


def check_best_line(
    recorded: Run, book: textbook.Search, step_count: int, facts_by_path: Mapping[Path, NodeFacts]
) -> None:
    """Check that the best play goes on from the node in view, through nodes of the same value."""
    stack = book.stacks[step_count - 1]
    top_path, best = [((), book.value), *stack.items()][-1]
    first, *line = line_of_play(recorded, step_count)
    assert first == top_path
    assert all(facts_by_path[path].value == best for path in line)
    assert bool(line) == (abs(best) < inf and not recorded.root.at(top_path).over)


# The value that a node shows

MIN_WIN_VALUE = 91  # to a depth limit, a win is 100 minus its turn, and every estimate is less
BOUND_SIGNS = {"exact": "", "at most": "≤ ", "at least": "≥ "}


def check_known_value(
    scene: Scene, node: Node, facts: NodeFacts, best_values: Mapping[Path, float]
) -> None:
    """Check the value that a node shows, and the side that it favors."""
    known_value = scene.known_value(node)
    value, bound = value_and_bound(scene, node, facts, best_values)
    if value is None:
        assert (known_value, scene.proven_winner(node)) == (None, "unknown")
        return
    leaves_winner_open = (bound == "at most" and value >= 0) or (bound == "at least" and value <= 0)
    is_estimate = abs(value) < MIN_WIN_VALUE and has_unfinished(node)
    favored = favored_side(scene, value)
    if is_estimate or (leaves_winner_open and not scene.is_number_tree):
        favored = "unknown"
    assert known_value
    assert known_value == (value, bound, favored, scene.is_number_tree, is_estimate)
    assert known_value.text == value_text(scene, value, bound, is_estimate)
    if node.path not in best_values:
        assert scene.proven_winner(node) == ("unknown" if leaves_winner_open else favored)


def value_and_bound(
    scene: Scene, node: Node, facts: NodeFacts, best_values: Mapping[Path, float]
) -> tuple[float | None, str]:
    """Return what a node should show: a value and how it is bounded; None if nothing is known.

    While a node is on the stack, the values of its children may limit its value on one side.
    """
    if facts.value is not None or node.path not in best_values:
        return facts.value, facts.bound
    lowest, highest = value_range(scene, node, best_values)
    if lowest == -inf and highest == inf:
        return None, "exact"
    if lowest == highest:
        return lowest, "exact"
    return (highest, "at most") if lowest == -inf else (lowest, "at least")


def favored_side(scene: Scene, value: float) -> str:
    """Return the side that a value favors, or "D" for a draw; "D" in a tree of numbers."""
    if value == 0 or scene.is_number_tree:
        return "D"
    return "X" if value > 0 else "O"


def value_text(scene: Scene, value: float, bound: str, is_estimate: bool) -> str:
    """Return a value as a tree should write it."""
    number = f"{value:+}".replace("+0", "0").replace("-", "−")
    if scene.is_number_tree:
        number = number.removeprefix("+")
    return f"{BOUND_SIGNS[bound]}{'~' if is_estimate else ''}{number}"


def has_unfinished(node: Node) -> bool:
    """Return whether a leaf has an unfinished game, so that its value is an estimate."""
    boards = [str(leaf.content) for leaf in node.leaves if not isinstance(leaf.content, int)]
    return not all(map(textbook.is_over, boards))


def value_range(scene: Scene, node: Node, best_values: Mapping[Path, float]) -> tuple[float, float]:
    """Return the lowest and highest possible value of a node, given the leaves searched."""
    ranges = []
    for child in node.below:
        if child.path in best_values or scene.stage(child) != "searched":
            ranges.append((-inf, inf))
        elif child.below:
            ranges.append(value_range(scene, child, best_values))
        else:
            ranges.append((child.value, child.value))
    pick = max if node.is_max else min
    return pick(low for low, _ in ranges), pick(high for _, high in ranges)


# Windows

Windows = dict[Path, tuple[float, float]]  # alpha and beta of each node


def windows_as_taught(tree: textbook.Tree, is_max: bool) -> Iterator[Windows]:
    """Yield the windows of all nodes entered so far, after each step of an alpha-beta search.

    A node has the window with which it was entered, narrowed by the values returned to it.
    """
    windows: Windows = {}

    def search(
        tree: textbook.Tree, path: Path, alpha: float, beta: float, is_max: bool
    ) -> Generator[Windows, None, float]:
        """Yield the windows after each step below a node; return the value of the node."""
        windows[path] = alpha, beta
        yield {**windows}
        if isinstance(tree, int):
            return tree
        best = -inf if is_max else inf
        for searched_count, (move, subtree) in enumerate(tree.items(), 1):
            value = yield from search(subtree, (*path, move), alpha, beta, not is_max)
            if is_max:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            windows[path] = alpha, beta
            yield {**windows}
            if alpha >= beta:
                if searched_count < len(tree):
                    yield {**windows}  # the step that prunes
                break
        return best

    yield from search(tree, (), -inf, inf, is_max)
    yield {**windows}  # the end


def trees_with_windows() -> Iterator[tuple[Node, textbook.Tree]]:
    """Yield random trees, and boards with at most four empty squares; in `make soak` more."""
    for seed in range(150 if positions.is_soak else 15):
        puzzle_tree = random_tree(2 + seed % 3, 2 + seed % 2, seed, is_max=seed % 4 < 2)
        yield puzzle_tree.root, textbook.tree_of_values(puzzle_tree.values)
    for position in sample(10, SMALL):
        yield tree(position), textbook.tree_of(str(position), False, "X")


@pytest.mark.long
def test_every_window_is_exact_and_still_known_after_the_search_has_left_its_node() -> None:
    for root, book_tree in trees_with_windows():
        recorded = run(root, "alpha-beta")
        steps_taught = [*windows_as_taught(book_tree, root.is_max)]
        assert len(steps_taught) == len(recorded.steps)
        for step_count, windows in enumerate(steps_taught, 1):
            states = state_after(recorded, step_count).scene.states
            frames = {path: state.last_frame for path, state in states.items() if state.last_frame}
            windows_recorded = {path: (frame.alpha, frame.beta) for path, frame in frames.items()}
            assert windows_recorded == windows, root


# Depth limits


@pytest.mark.long
def test_the_depth_limit_is_the_deepest_that_can_be_drawn() -> None:
    for position in UNFINISHED_CANONICAL:
        for merged in (True, False):
            depths = drawable_depths(position, merged)
            for depth in range(1, min(len(depths) + 2, 10 - position.ply)):
                book_tree = textbook.depth_limited_tree(str(position), depth, merged)
                nodes = [node for _, node in textbook.walk_tree(book_tree)]
                leaf_count = sum(isinstance(node, int) for node in nodes)
                assert (depth in depths) == (len(nodes) <= 90 and leaf_count <= 40)


# The lines that run


class Event(NamedTuple):
    """A step of a search as Python's tracing sees it."""

    lines: tuple[int, ...]  # that ran, the main one first
    path: Path  # of the node
    value: float
    frame: tuple[float, float, float]  # best, alpha and beta after the step
    pruned_paths: list[Path]


class TracedSearch:
    """The displayed lines of a search, run under Python's tracing."""

    def __init__(self, root: Node, algorithm: Algorithm) -> None:
        self.root, self.texts = root, code_lines(algorithm)
        self.has_window = algorithm == "alpha-beta"
        self.events: list[Event] = []
        starts = ("return", "best", "α", "β", "if α", "break")
        # The lines that may be marked, by number from 1.
        self.markable_lines = {
            number for number, text in enumerate(self.texts, 1) if text.strip().startswith(starts)
        }
        names = dict[str, Any](inf=inf)
        exec("\n".join(self.texts), names)
        (self.function,) = (value for value in names.values() if isinstance(value, FunctionType))

    def run(self) -> list[Event]:
        """Return an event for each step of the search, except for lines that are no step."""
        window = (-inf, inf) if self.has_window else ()
        earlier_trace = sys.gettrace()
        sys.settrace(self.trace_call)
        try:
            self.function(self.root, *window)
        finally:
            sys.settrace(earlier_trace)
        return self.events

    def trace_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Return a function that Python calls at each line of a call of the search."""
        if frame.f_code is not self.function.__code__:
            return None
        current_line = previous_line = 0  # the previous one is the last that may be marked

        def trace_line(frame: FrameType, event: str, arg: Any) -> Any:
            """Record the line that has just finished, so that the frame shows its effect."""
            nonlocal current_line, previous_line
            if current_line in self.markable_lines:
                self.record_line(current_line, previous_line, frame.f_locals)
                previous_line = current_line
            current_line = frame.f_lineno
            return trace_line

        return trace_line

    def record_line(self, line: int, previous_line: int, variables: dict[str, Any]) -> None:
        """Add an event if a line that has just run ends a step."""
        text, node = self.texts[line - 1].strip(), variables["node"]
        best = variables.get("best", node.value)
        frame = (best, variables.get("α", -inf), variables.get("β", inf))
        if text.startswith(("α =", "β =") if self.has_window else "best = pick"):
            lines = (previous_line, line) if self.has_window else (line,)
            path, value = variables["child"].path, variables["value"]
            self.events.append(Event(lines, path, value, frame, []))
        elif text == "break":
            later_children = node.below[node.below.index(variables["child"]) + 1 :]
            if later_children:
                pruned_paths = [child.path for child in later_children]
                lines = (line, previous_line)
                self.events.append(Event(lines, node.path, best, frame, pruned_paths))
        elif text.startswith(("return node", "best = -inf")) or (
            text == "return best" and node is self.root
        ):
            self.events.append(Event((line,), node.path, best, frame, []))


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_marked_lines_are_the_lines_that_python_runs(algorithm: Algorithm) -> None:
    tree_count, board_interval = (200, 9) if positions.is_soak else (60, 30)
    number_roots = [
        number_tree(values, is_max=index % 2 == 0)
        for index, values in enumerate(NUMBER_TREES[:tree_count])
    ]
    board_roots = [tree(position) for position in SMALL[::board_interval]]
    for root in [*number_roots, *board_roots]:
        recorded = run(root, algorithm)
        assert TracedSearch(root, algorithm).run() == [
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
        node_count = sum(step.kind in ENTERED for step in steps)
        assert node_count == count_nodes(position, algorithm, scoring, order) <= 65


def test_node_counts_from_the_empty_board_are_the_known_ones() -> None:
    assert search_costs(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert search_costs(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)


def test_the_manual_of_the_judge_quotes_the_node_counts() -> None:
    for node_count in search_costs(EMPTY, "depth")[:3]:
        assert f" {node_count:,}" in MANUAL


@pytest.mark.long
def test_plain_minimax_visits_as_many_nodes_as_computed_by_symmetry() -> None:
    small = [position for position in CANONICAL if position.ply >= 4]
    for position in (*only_in_soak([EMPTY]), *small):
        recorder = Recorder()
        root_value = minimax(UnrecordedNode(position, 0, "depth", "squares"), recorder)
        assert root_value == value(position, 0, "depth")
        assert recorder.node_count == minimax_node_count(position)
    assert minimax_node_count(EMPTY) == 549_946


@pytest.mark.long
def test_plus_is_good_for_x_as_in_the_textbook() -> None:
    for position in all_or_canonical(ALL_POSITIONS):
        for distance in range(position.ply + 1):
            for scoring in SCORINGS:
                true_value = textbook.leaf_value(str(position), "X", distance, scoring == "flat")
                assert value(position, distance, scoring) == true_value, position
