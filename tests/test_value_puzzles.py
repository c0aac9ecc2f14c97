"""The puzzle "Fill in the values": which trees are asked, and how each value is judged."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.position import Position
from teach.puzzles.random_trees import PuzzleTree, draw_value_tree, random_tree
from teach.puzzles.rounds import Question
from teach.puzzles.values import ADDRESS_KEYS, value_choices, value_puzzle
from tests import textbook
from tests.puzzle_answers import (
    boards_asked,
    boards_to_test,
    puzzle_trees,
    result_for_x,
    right_values,
)

BOARD_LETTERS = {"x": 1, "d": 0, "o": -1}  # in an address
MIN_BOARD_COUNTS = {"5": 5, "10": 6, "12": 11, "16": 14}  # in a tree, by difficulty
LARGEST_TREE = random_tree(4, 3, 17, is_max=True)  # with 22 inner nodes


def board_count(board: str) -> int:
    """Return the number of boards in the tree below a board, itself included."""
    return 1 + sum(map(board_count, textbook.children(board).values()))


@pytest.mark.long
def test_trees_with_values_to_fill_in_have_5_to_16_boards() -> None:
    for difficulty, fewest in MIN_BOARD_COUNTS.items():
        counts = {board_count(board) for board in boards_asked("values", difficulty)}
        assert counts <= {*range(fewest, int(difficulty) + 1)}


@pytest.mark.long
def test_all_boards_near_the_end_whose_moves_differ_are_asked() -> None:
    expected = []
    for board in textbook.all_boards():
        if board.count("-") in (2, 3) and 5 <= board_count(board) <= 16:
            results = {result_for_x(child) for child in textbook.children(board).values()}
            expected += [board] * (len(results) > 1)
    assert sorted(boards_asked("values")) == sorted(expected)


@pytest.mark.parametrize("difficulty", ["2 levels", "3 levels", "4 levels"])
def test_values_to_fill_in_are_spread_over_the_tree(difficulty: str) -> None:
    for seed in range(60):  # of trees with three nodes and three leaves, one in nine would fail
        tree = draw_value_tree(difficulty, Random(seed), is_max=True, nth=seed % 2)
        inner = [node for node in tree.root.walk() if node.below and node.path]
        places = {[child.value for child in node.below].index(node.value) for node in inner}
        assert len(places) > 1


def board_values(board: str, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield the values of a tree of boards by path; the last square is filled in two plies down."""
    children = textbook.children(board)
    if len(path) == 2 and children:
        (board,), children = children.values(), {}
    yield path, result_for_x(board)
    for square, child in children.items():
        yield from board_values(child, f"{path}{square}")


def number_values(tree: PuzzleTree) -> Iterator[tuple[str, int]]:
    """Yield the values of a tree of numbers by path."""
    for path, node in textbook.walk_tree(textbook.tree_of_values(tree.values)):
        is_max = (len(path) % 2 == 0) == tree.is_max
        yield "".join(map(str, path)), textbook.minimax_value(node, is_max)


def questions_to_test() -> list[Question]:
    """Return boards and trees of numbers."""
    boards = [Position.parse(board) for board in boards_to_test("values")]
    return [*boards, *puzzle_trees("values", 2), LARGEST_TREE]


@pytest.mark.long
def test_every_tree_has_the_values_of_the_textbook() -> None:
    for question in questions_to_test():
        if isinstance(question, PuzzleTree):
            values = number_values(question)
        else:
            values = board_values(str(question))
        root = value_puzzle(question, "").nodes[-1]
        assert {node.digits: node.value for node in root.walk()} == dict(values)


@pytest.mark.long
def test_every_value_in_every_tree_is_judged() -> None:
    for question in questions_to_test():
        presses = right_values(question)
        for index, node in enumerate(value_puzzle(question, "").nodes):
            earlier, key, right = presses[: 2 * index], presses[2 * index], presses[2 * index + 1]
            choices = BOARD_LETTERS
            if isinstance(question, PuzzleTree):
                below = dict.fromkeys(child.value for child in node.below)
                choices = dict(zip(ADDRESS_KEYS, below, strict=False))
            assert value_choices(node) == choices and choices[right] == node.value
            for letter, value in choices.items():
                puzzle = value_puzzle(question, f"{earlier}{key}{letter}")
                assert puzzle.last_node and puzzle.last_node.path == node.path
                is_right = value == node.value
                assert (node.path in [known.path for known in puzzle.known_nodes]) == is_right
                wrong_values = [(wrong.path, chosen) for wrong, chosen in puzzle.wrong_values]
                assert wrong_values == ([] if is_right else [(node.path, value)])
        assert value_puzzle(question, presses).open_node is None
