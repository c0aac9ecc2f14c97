"""The puzzle "Prune": its trees and presses against alpha-beta, its windows and its covers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import inf

import pytest
from flask.testing import FlaskClient

from teach.numbers import node_names
from teach.puzzles import cuts, rounds
from teach.puzzles.cuts import CutPuzzle, CutRemark, Verdict
from teach.puzzles.random_trees import PuzzleTree
from teach.puzzles.rounds import MIN_FIRST, ROUNDS, asks_for_numbers, round_questions
from teach.scenes import scene_after
from teach.searches import RETURNED, run
from teach.trees import Node, Path
from tests import positions, textbook
from tests.conftest import parse, text_of
from tests.positions import sample
from tests.puzzle_answers import (
    DEEP_TREE,
    LECTURE_TREE,
    is_below,
    puzzle_trees,
    replace_leaf,
    right_cuts,
    right_window_end,
    textbook_search,
    trees_with_numbers_to_set,
)
from web.puzzles import words
from web.puzzles.routes import EXAMPLE_TREE

BOUND_SIGNS = {"exact": "", "at most": "≤", "at least": "≥"}


def difficulty_of(tree: PuzzleTree) -> str:
    """Return the hardest kind of cutoff in a tree; see ROUNDS."""
    search = textbook_search(tree)
    cutoffs = [step for step in search.steps if step.kind == "cut"]
    if any(len(cutoff.bound_source) < len(cutoff.path) for cutoff in cutoffs):
        return "deep"
    if any(cutoff.value == cutoff.bound_value for cutoff in cutoffs):
        return "tie"
    leaf_counts = Counter[Path]()  # of the pruned leaves, by the node where they are cut off
    for path in search.pruned_paths:
        leaf_counts[path[:-1]] += len(tree.root.at(path).leaves)
    if max(leaf_counts.values(), default=0) > 1:
        return "early"
    return "late" if cutoffs else "none"


def test_a_round_of_cutoffs_has_every_kind_and_varied_first_trees() -> None:
    """All have values from -9 to 9, and the first tree asks as soon as it can."""
    for number in range(8):
        trees = [tree for tree in round_questions("cuts", number) if isinstance(tree, PuzzleTree)]
        assert [difficulty_of(tree) for tree in trees] == [*ROUNDS["cuts"]]
        min_first = [index for index, tree in enumerate(trees) if not tree.is_max]
        assert min_first == [*MIN_FIRST["cuts"]]
        assert {leaf.value for tree in trees for leaf in tree.root.leaves} <= {*range(-9, 10)}
        shapes = {tuple(len(node.below) for node in tree.root.below) for tree in trees[:4]}
        assert len(shapes) == 4
        assert cuts.cut_puzzle(trees[0], "uu").node_to_decide


# Every press


def offered_presses(
    tree: PuzzleTree, before: CutPuzzle, presses: str = ""
) -> Iterator[tuple[CutPuzzle, str, CutPuzzle]]:
    """Yield each press that pages offer, with the puzzle before and after it."""
    for press in before.offered_presses:
        after = cuts.cut_puzzle(tree, presses + press)
        yield before, press, after
        if press != "s":  # which shows the right answer, and so leads nowhere new
            yield from offered_presses(tree, after, presses + press)


def verdict_on(press: str, before: CutPuzzle, is_pruned: bool) -> Verdict:
    """Return the verdict on a press, given whether alpha-beta prunes the next leaf."""
    if not before.node_to_decide:
        return "looked"
    if is_pruned:
        return "in vain" if press == "u" else "cut"
    return "not yet" if press == "c" else "went on"


@pytest.mark.long
def test_every_path_through_every_tree_is_judged_by_alpha_beta() -> None:
    larger_trees = sample(2, (DEEP_TREE, LECTURE_TREE))
    for tree in (*sample(6, puzzle_trees("cuts", 2)), EXAMPLE_TREE, *larger_trees):
        search = textbook_search(tree)
        for before, press, after in offered_presses(tree, cuts.cut_puzzle(tree, "")):
            remark = after.last_remark
            assert before.next_leaf and isinstance(remark, CutRemark)
            is_pruned = is_below(before.next_leaf.path, search.pruned_paths)
            assert before.node_to_decide or not is_pruned
            assert remark.verdict == verdict_on(press, before, is_pruned)
            is_mistake = remark.verdict in ("in vain", "not yet")
            assert after.has_mistake == (before.has_mistake or is_mistake)
            if remark.bound_node:  # the remark states what held before the press
                assert remark.best == before.best_values[remark.node.path]
                assert remark.bound == before.best_values[remark.bound_node.path]
            assert_finished_nodes_are_true(tree, after)
            if not after.next_leaf:
                assert_finished_puzzle_agrees(tree, after, search)


def assert_finished_nodes_are_true(tree: PuzzleTree, puzzle: CutPuzzle) -> None:
    """Check each value and bound of the finished nodes against the tree."""
    known_leaves = {leaf.path for leaf in puzzle.seen_leaves}
    known_leaves |= {leaf.path for node in puzzle.pruned_nodes for leaf in node.leaves}
    for node in tree.root.walk():
        sign, known = puzzle.certain_values.get(node.path, ("", node.value))
        is_true = {"": known == node.value, "≤": known >= node.value, "≥": known <= node.value}
        assert is_true[sign]
        if all(leaf.path in known_leaves for leaf in node.leaves):
            assert node.path in puzzle.certain_values or node.path not in puzzle.best_values


def assert_finished_puzzle_agrees(
    tree: PuzzleTree, puzzle: CutPuzzle, search: textbook.Search
) -> None:
    """Check the values, leaves and bounds of a solved puzzle against the textbook's search."""
    assert puzzle.best_values[()] == tree.root.value == search.value
    wasted = [leaf for leaf in puzzle.seen_leaves if is_below(leaf.path, search.pruned_paths)]
    assert len(puzzle.seen_leaves) == puzzle.needed_leaf_count + len(wasted)
    pruned_leaves = [leaf for node in puzzle.pruned_nodes for leaf in node.leaves]
    assert {*puzzle.seen_leaves, *pruned_leaves} == {*tree.root.leaves}
    if wasted:
        return
    assert {node.path for node in puzzle.pruned_nodes} == search.pruned_paths
    bounds = {path: known for path, known in puzzle.certain_values.items() if known[0]}
    assert bounds == {
        step.path: (BOUND_SIGNS[step.bound], step.value)
        for step in search.steps
        if step.bound != "exact"
    }


@pytest.mark.long
def test_after_each_right_answer_the_puzzle_shows_the_step_of_study() -> None:
    for tree in (*sample(6, puzzle_trees("cuts", 2)), EXAMPLE_TREE, DEEP_TREE, LECTURE_TREE):
        searched = run(tree.root, "alpha-beta")
        kinds = [step.kind for step in searched.steps]
        # A press backs values up until there is another leaf to look at or branch to prune.
        pauses = [
            number
            for number in range(1, len(kinds))
            if kinds[number - 1] in RETURNED and kinds[number] not in RETURNED
        ]
        presses, inner = right_cuts(tree), [node for node in tree.root.walk() if node.below]
        for press_count, step_count in enumerate(pauses, 1):
            puzzle = cuts.cut_puzzle(tree, presses[:press_count])
            scene = scene_after(searched, step_count)
            known_values = {node.path: scene.known_value(node) for node in inner}
            certain_values = {
                node.path: puzzle.certain_values[node.path]
                for node in inner
                if node.path in puzzle.certain_values
            }
            assert certain_values == {
                path: (BOUND_SIGNS[known.bound], known.value)
                for path, known in known_values.items()
                if known
            }
            pruned = {node for node in tree.root.walk() if scene.stage(node) == "pruned"}
            assert {*puzzle.pruned_nodes} == pruned
            frames = {path: state.last_frame for path, state in scene.states.items()}
            assert puzzle.windows == {path: frame for path, frame in frames.items() if frame}
        assert len(pauses) == len(presses)


# Windows


def remarks_on_windows(tree: PuzzleTree) -> Iterator[str]:
    """Answer the questions about α and β, wrongly and rightly; yield the remark on each answer."""
    presses = next("u" * n for n in range(9) if cuts.cut_puzzle(tree, "u" * n).node_to_decide)
    for end in "αβ":
        puzzle = cuts.cut_puzzle(tree, presses, asks_for_window=True)
        assert puzzle.question and puzzle.question.end == end
        choices = puzzle.question.choices
        right, frame = right_window_end(tree, puzzle), puzzle.windows[puzzle.question.node.path]
        assert right == (frame.alpha if end == "α" else frame.beta)
        assert {-inf, inf, right} <= {*choices.values()}
        (right_press,) = (press for press, value in choices.items() if value == right)
        for press in choices:
            answered = cuts.cut_puzzle(tree, presses + press, asks_for_window=True)
            assert answered.has_mistake == (press != right_press)
            assert answered.seen_leaves == puzzle.seen_leaves
            assert press == right_press or press not in answered.offered_presses
            yield words.cut_reason(answered, node_names(tree.root))
        shown = cuts.cut_puzzle(tree, presses + "s", asks_for_window=True)
        presses += right_press
        assert shown.question == cuts.cut_puzzle(tree, presses, asks_for_window=True).question
    puzzle = cuts.cut_puzzle(tree, presses, asks_for_window=True)
    assert not puzzle.question and puzzle.node_to_decide and not puzzle.has_mistake


@pytest.mark.long
def test_four_questions_of_a_round_ask_for_the_window_before_a_cutoff() -> None:
    indexes = [index for index in range(10) if rounds.asks_for_window("cuts", index)]
    assert indexes == [6, 7, 8, 9] and not rounds.asks_for_window("values", 9)
    remarks = set[str]()
    for number in range(24 if positions.is_soak else 4):
        for index in indexes:
            tree = round_questions("cuts", number)[index]
            assert isinstance(tree, PuzzleTree)
            remarks |= {
                re.sub(r"\*\*.*?\*\*|[αβ]|MAX|MIN", "#", remark)
                for remark in remarks_on_windows(tree)
            }
    assert len(remarks) == 3, remarks


def test_a_window_in_question_is_hidden_until_it_is_answered(client: FlaskClient) -> None:
    url, presses = "/practise/cuts?round=3&done=ffffff&p=", "u"
    while not (page := parse(client.get(url + presses))).select(".choices"):
        presses += "u"
    windows = [text_of(page.select(".is-here > .window")[0])]
    for _ in range(2):
        (show_me,) = [link for link in page.select("#told a") if text_of(link) == "Show me"]
        page = parse(client.get(str(show_me["href"])))
        windows.append(text_of(page.select(".is-here > .window")[0]))
    assert windows[0] == "[?, ?]" and windows[1].endswith(", ?]") and "?" not in windows[2]
    assert "look, or prune?" in text_of(page.select_one("#told"))


# Numbers under the cover


def test_only_the_first_deep_cutoff_of_a_round_has_numbers_under_it() -> None:
    questions = [(kind, index) for kind in ROUNDS for index in range(10)]
    asking = [question for question in questions if asks_for_numbers(*question)]
    assert asking == [("cuts", 7)] and ROUNDS["cuts"].index("deep") == 7


def test_no_numbers_are_asked_for_under_a_cutoff_by_the_parent() -> None:
    """Those are for deep cutoffs, where a learner may doubt that the leaf cannot matter."""
    tree = PuzzleTree(((3, 5), (2, 7)), True)
    puzzle = cuts.cut_puzzle(tree, "uuu", asks_for_numbers=True)
    assert "c" in puzzle.offered_presses and not puzzle.cover_numbers


def test_no_value_under_the_first_deep_cutoff_changes_the_root() -> None:
    for tree in trees_with_numbers_to_set(12):
        leaf = first_covered_leaf(tree)
        value = textbook.minimax_value(textbook.tree_of_values(tree.values), tree.is_max)
        for number in range(-30, 31):
            changed = textbook.tree_of_values(replace_leaf(tree.values, leaf.path, number))
            assert textbook.minimax_value(changed, tree.is_max) == value


def first_covered_leaf(tree: PuzzleTree) -> Node:
    """Return the leaf under the first cover that asks for numbers."""
    puzzle = cuts.cut_puzzle(tree, "uu", asks_for_numbers=True)
    assert puzzle.next_leaf and puzzle.node_to_decide and puzzle.offered_presses == "ml"
    return puzzle.next_leaf


def test_a_deep_cutoff_is_offered_once_both_numbers_were_tried() -> None:
    for tree in trees_with_numbers_to_set(12):
        for press, number in cuts.cut_puzzle(
            tree, "uu", asks_for_numbers=True
        ).cover_numbers.items():
            remark = cuts.cut_puzzle(tree, f"uu{press}", asks_for_numbers=True).last_remark
            assert isinstance(remark, CutRemark)
            assert (remark.set_to, remark.bound_node) == (number, tree.root)
            assert (number < remark.best) == (press == "l")
        tried_both = cuts.cut_puzzle(tree, "uulm", asks_for_numbers=True)
        assert tried_both.offered_presses == "mlc" and not tried_both.has_mistake
        pruned = cuts.cut_puzzle(tree, "uulmc", asks_for_numbers=True).pruned_nodes
        assert pruned == cuts.cut_puzzle(tree, "uuc").pruned_nodes
        with pytest.raises(ValueError, match="nothing on this page"):
            cuts.cut_puzzle(tree, "uuc", asks_for_numbers=True)
