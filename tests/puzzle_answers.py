"""The questions of the puzzles, and the right answers to them, by the textbook."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Any, get_args

from teach.numbers import parse_tree
from teach.puzzles import cuts
from teach.puzzles.cuts import CutPuzzle
from teach.puzzles.random_trees import PuzzleTree
from teach.puzzles.rounds import (
    Kind,
    Question,
    asks_for_numbers,
    asks_for_window,
    positions_by_difficulty,
    round_questions,
)
from teach.puzzles.values import ADDRESS_KEYS, value_choices, value_puzzle
from teach.trees import Path
from tests import positions, textbook

KINDS: tuple[Kind, ...] = get_args(Kind)


def max_tree(text: str) -> PuzzleTree:
    """Return a tree of numbers with MAX at the root, from its text in an address."""
    values = parse_tree(text).values
    assert values
    return PuzzleTree(values)


# E is cut off at 4, but D takes 7 from F. If D, which is MAX, showed "≤ 4" after its first child,
# it would teach learners to prune wrongly.
DEEP_TREE = max_tree("((6,9),(((4,8),(9,7)),5,1),3)")
LECTURE_TREE = max_tree("((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)")


# Questions


@cache
def boards_asked(kind: Kind, difficulty: str | None = None) -> list[str]:
    """Return all boards that are asked, in every orientation."""
    return [
        str(position)
        for name, groups in positions_by_difficulty(kind).items()
        if difficulty in (None, name)
        for images in groups
        for position in images
    ]


def boards_in_one_orientation(kind: Kind) -> list[str]:
    """Return one orientation of each board that is asked; which one varies from board to board."""
    groups = [images for groups in positions_by_difficulty(kind).values() for images in groups]
    return [str(images[number % len(images)]) for number, images in enumerate(groups)]


def boards_to_test(kind: Kind) -> list[str]:
    """Return the boards to test completely; in `make soak` in every orientation."""
    return boards_asked(kind) if positions.is_soak else boards_in_one_orientation(kind)


def puzzle_trees(kind: Kind, round_count: int = 20) -> list[PuzzleTree]:
    """Return the trees of numbers of some rounds."""
    questions = [
        question for number in range(round_count) for question in round_questions(kind, number)
    ]
    return [question for question in questions if isinstance(question, PuzzleTree)]


# Moves


def sound_squares(board: str) -> tuple[int, ...]:
    """Return the moves that keep a win or a draw; empty if all moves do, or none does."""
    moves = textbook.children(board)
    sound = textbook.sound_moves(board) if moves else ()
    return sound if len(sound) < len(moves) else ()


# Values


def result_for_x(board: str) -> int:
    """Return 1 if X wins with best play, 0 for a draw and −1 if O wins."""
    return textbook.sign(textbook.minimax(board, "X"))


def right_values(question: Question) -> str:
    """Return the presses that fill in every value of a tree on the first try."""
    presses = ""
    for key, node in zip(ADDRESS_KEYS, value_puzzle(question, "").nodes, strict=False):
        letters = {value: letter for letter, value in value_choices(node).items()}
        presses += key + letters[node.value]
    return presses


def shown_values(question: Question) -> str:
    """Return the presses that ask to be shown every value of a tree."""
    nodes = value_puzzle(question, "").nodes
    return "".join(f"{key}s" for key, _ in zip(ADDRESS_KEYS, nodes, strict=False))


# Cutoffs


def textbook_search(tree: PuzzleTree) -> textbook.Search:
    """Return the alpha-beta search of a tree by the textbook."""
    return textbook.Search(textbook.tree_of_values(tree.values), pruning=True, is_max=tree.is_max)


def is_below(path: Path, nodes: set[Path]) -> bool:
    """Return whether a node is one of some nodes, or below one of them."""
    return any(path[: len(node)] == node for node in nodes)


def right_cuts(
    tree: PuzzleTree,
    is_shown: bool = False,
    asks_for_numbers: bool = False,
    asks_for_window: bool = False,
) -> str:
    """Return the presses that prune as alpha-beta does or, if `is_shown`, ask for each answer."""
    presses = ""
    pruned_paths = textbook_search(tree).pruned_paths
    puzzle = cuts.cut_puzzle(tree, presses, asks_for_numbers, asks_for_window)
    while puzzle.next_leaf:
        if puzzle.question:
            press_for = {value: press for press, value in puzzle.question.choices.items()}
            presses += "s" if is_shown else press_for[right_window_end(tree, puzzle)]
        elif puzzle.cover_numbers and "c" not in puzzle.offered_presses:
            unused = [press for press in puzzle.cover_numbers if press not in puzzle.cover_presses]
            presses += unused[0]
        elif puzzle.node_to_decide and is_shown and not puzzle.cover_numbers:
            presses += "s"
        else:
            presses += "c" if is_below(puzzle.next_leaf.path, pruned_paths) else "u"
        puzzle = cuts.cut_puzzle(tree, presses, asks_for_numbers, asks_for_window)
    return presses


def right_window_end(tree: PuzzleTree, puzzle: CutPuzzle) -> float:
    """Return the α or β that a puzzle asks for: the best that MAX, or MIN, has on the path."""
    assert puzzle.question
    end, path = puzzle.question.end, puzzle.question.node.path
    path_nodes = [tree.root.at(path[:length]) for length in range(len(path) + 1)]
    bests = [
        puzzle.best_values[node.path]
        for node in path_nodes
        if node.is_max == (end == "α") and node.path in puzzle.best_values
    ]
    return max(bests, default=-inf) if end == "α" else min(bests, default=inf)


def trees_with_numbers_to_set(round_count: int) -> list[PuzzleTree]:
    """Return the trees of the first rounds that ask for numbers under a cover."""
    return [
        question
        for number in range(round_count)
        for index, question in enumerate(round_questions("cuts", number))
        if asks_for_numbers("cuts", index) and isinstance(question, PuzzleTree)
    ]


def replace_leaf(values: Any, path: Path, number: int) -> Any:
    """Return nested numbers with the one at `path` replaced."""
    if not path:
        return number
    index, *rest = path
    replaced = replace_leaf(values[index], tuple(rest), number)
    return (*values[:index], replaced, *values[index + 1 :])


# Any question


def presses_for(kind: Kind, question: Question, is_right: bool, index: int) -> str:
    """Return the presses that answer rightly or, if not `is_right`, ask to be shown the answer.

    `index` is the place of the question in its round.
    """
    if kind == "moves":
        return str(sound_squares(str(question))[0]) if is_right else "s"
    if kind == "values":
        return right_values(question) if is_right else shown_values(question)
    assert isinstance(question, PuzzleTree)
    has_numbers, has_window = asks_for_numbers(kind, index), asks_for_window(kind, index)
    return right_cuts(question, not is_right, has_numbers, has_window)
