"""Puzzles: rounds of ten questions of one kind, the easiest first.

There are three kinds: find the only move (`moves`); fill in the values of a tree, alternately of
boards and of numbers (`values`); say at each inner node of a tree of numbers whether alpha-beta
looks or prunes (`cuts`). In a tree of boards, a win for X is worth 1, a win for O -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from random import Random
from typing import Literal

from engine.position import Position
from engine.reasons import explain
from engine.search import analyze, sign
from engine.symmetry import SYMMETRIES, cache_by_symmetry, representatives, transform
from teach.counts import minimax_node_count
from teach.lesson.trees import build_tree
from teach.puzzles.moves import saving_moves
from teach.puzzles.random_trees import PuzzleTree, draw_cut_tree, draw_value_tree

Kind = Literal["moves", "values", "cuts"]

Question = Position | PuzzleTree

# The difficulty of each of the ten questions of a round. An only move `completes` a line, `blocks`
# one, `forks` or is `quiet`. A tree of numbers to fill in has this number of levels; a tree of
# boards has at most this number of boards. The words for cutoffs are explained in
# `random_trees.hardest_cutoff`.
ROUNDS: Mapping[Kind, tuple[str, ...]] = {
    "moves": (*["blocks"] * 3, *["completes"] * 2, *["forks"] * 3, *["quiet"] * 2),
    "values": (
        *("2 levels", "5", "2 levels", "10", "3 levels"),
        *("10", "3 levels", "12", "4 levels", "16"),
    ),
    "cuts": ("early", "early", "late", "none", "early", "tie", "late", "deep", "tie", "deep"),
}
# The questions, counted from 0, whose tree of numbers has MIN at the root.
MIN_FIRST: Mapping[Kind, tuple[int, ...]] = {"moves": (), "values": (6,), "cuts": (4, 8)}
BOARD_COUNTS = ("5", "10", "12", "16")  # the difficulties of trees of boards, the easiest first
QUESTION_COUNT = 10  # questions in a round
FIRST_WINDOW_INDEX = 6  # of the first question about cutoffs that asks for a window
ROUND_COUNT = 1_000  # of each kind


# The questions


@cache
def positions_by_difficulty(kind: Kind) -> Mapping[str, list[tuple[Position, ...]]]:
    """Return the positions to ask about, by difficulty, each as the group of all its images."""
    positions: dict[str, list[tuple[Position, ...]]] = {
        difficulty: [] for difficulty in ROUNDS[kind]
    }
    for position in dict.fromkeys(representatives().values()):
        if difficulty := DIFFICULTY_FUNCTIONS[kind](position):
            images = dict.fromkeys(transform(position, symmetry) for symmetry in SYMMETRIES)
            positions[difficulty].append(tuple(images))
    return {difficulty: groups for difficulty, groups in positions.items() if groups}


@cache_by_symmetry
def _move_difficulty(position: Position) -> str | None:
    """Return how hard the only right move is to see, or None if the position is not a puzzle."""
    right_squares = saving_moves(position)
    if len(right_squares) != 1 or len(position.legal_moves()) < 3:
        return None
    reason = explain(position, right_squares[0]).reason
    return reason if reason in ROUNDS["moves"] else "quiet"


@cache_by_symmetry
def _value_difficulty(position: Position) -> str | None:
    """Return how large the tree of a position is, or None if the position is not a puzzle.

    A puzzle has two or three empty squares, moves that differ in value, and at least five boards.
    """
    move_results = set(map(sign, analyze(position).values()))
    if position.ply not in (6, 7) or len(move_results) < 2:
        return None
    board_count = minimax_node_count(position)
    if board_count < 5:
        return None
    return next(size for size in BOARD_COUNTS if board_count <= int(size))


DIFFICULTY_FUNCTIONS: Mapping[str, Callable[[Position], str | None]] = {
    "moves": _move_difficulty,
    "values": _value_difficulty,
}


@lru_cache(maxsize=64)
def round_questions(kind: Kind, number: int) -> tuple[Question, ...]:
    """Return the ten questions of a round, the easiest first.

    No two boards are images of each other, and no two trees have the same numbers.
    """
    rng = Random(number)
    groups_by_difficulty = {} if kind == "cuts" else positions_by_difficulty(kind)
    unused_groups = {
        difficulty: rng.sample(groups, len(groups))
        for difficulty, groups in groups_by_difficulty.items()
    }
    questions: list[Question] = []
    for n, difficulty in enumerate(ROUNDS[kind]):
        while True:
            if difficulty in unused_groups:
                question: Question = rng.choice(unused_groups[difficulty].pop())
            else:
                draw = draw_cut_tree if kind == "cuts" else draw_value_tree
                nth = ROUNDS[kind][:n].count(difficulty)
                question = draw(difficulty, rng, n not in MIN_FIRST[kind], nth)
            if kind == "moves" or _leaf_values(question) not in map(_leaf_values, questions):
                break
        questions.append(question)
    return tuple(questions)


def asks_for_numbers(kind: Kind, nth: int) -> bool:
    """Return whether the nth question of a round, from 0, has the learner try numbers.

    They are put under the cover of a leaf, before a deep cutoff.
    """
    return kind == "cuts" and nth == ROUNDS["cuts"].index("deep")


def asks_for_window(kind: Kind, nth: int) -> bool:
    """Return whether the nth question of a round, from 0, asks for α and β.

    It asks for those of a node before it asks whether to prune there.
    """
    return kind == "cuts" and nth >= FIRST_WINDOW_INDEX


def _leaf_values(question: Question) -> list[int]:
    """Return the values of the leaves of a tree, the lowest first."""
    root = question.root if isinstance(question, PuzzleTree) else build_tree(question, fill_depth=2)
    return sorted(leaf.value for leaf in root.leaves)
