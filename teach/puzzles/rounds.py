"""Puzzles: rounds of ten questions of three kinds, easiest first.

The kinds: find the only move; fill in the values of a tree, alternately of boards and numbers; say
at each inner node of a tree of numbers whether alpha-beta looks or prunes. In a tree of boards a
win for X is worth 1, a win for O -1.
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
# one, `forks` or is `quiet`. A tree of numbers has this number of levels; a tree of boards has at
# most this number of boards.
ROUNDS: Mapping[Kind, tuple[str, ...]] = {
    "moves": (*["blocks"] * 3, *["completes"] * 2, *["forks"] * 3, *["quiet"] * 2),
    "values": (
        *("2 levels", "5", "2 levels", "10", "3 levels"),
        *("10", "3 levels", "12", "4 levels", "16"),
    ),
    "cuts": ("early", "early", "late", "none", "early", "tie", "late", "deep", "tie", "deep"),
}
# The questions about a tree of numbers, counted from 0, with MIN at the root.
MIN_FIRST: Mapping[Kind, tuple[int, ...]] = {"moves": (), "values": (6,), "cuts": (4, 8)}
QUESTION_COUNT = 10  # questions in a round
FIRST_WINDOW = 6  # the first question about cutoffs, from 0, that asks for a window
ROUND_COUNT = 1_000  # of each kind


# The questions


@cache
def positions_by_difficulty(kind: Kind) -> Mapping[str, list[tuple[Position, ...]]]:
    """Return the positions to ask about, by difficulty, each as a group of all its images."""
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
    """Return how hard the only right move is to see, or None if the position is no puzzle."""
    right_squares = saving_moves(position)
    if len(right_squares) != 1 or len(position.legal_moves()) < 3:
        return None
    reason = explain(position, right_squares[0]).reason
    return reason if reason in ROUNDS["moves"] else "quiet"


@cache_by_symmetry
def _value_difficulty(position: Position) -> str | None:
    """Return how large a tree of two or three empty squares is, or None if it is no puzzle.

    A puzzle has moves that differ in value, and five boards or more.
    """
    if position.ply not in (6, 7) or len(set(map(sign, analyze(position).values()))) < 2:
        return None
    board_count = minimax_node_count(position)
    sizes = ("5", "10", "12", "16")
    return next(size for size in sizes if board_count <= int(size)) if board_count > 4 else None


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
    groups = {} if kind == "cuts" else positions_by_difficulty(kind)
    unused = {difficulty: rng.sample(found, len(found)) for difficulty, found in groups.items()}
    questions: list[Question] = []
    for n, difficulty in enumerate(ROUNDS[kind]):
        while True:
            if difficulty in unused:
                question: Question = rng.choice(unused[difficulty].pop())
            else:
                draw = draw_cut_tree if kind == "cuts" else draw_value_tree
                nth = ROUNDS[kind][:n].count(difficulty)
                question = draw(difficulty, rng, n not in MIN_FIRST[kind], nth)
            if kind == "moves" or _leaf_values(question) not in map(_leaf_values, questions):
                break
        questions.append(question)
    return tuple(questions)


def asks_for_numbers(kind: Kind, nth: int) -> bool:
    """Return whether the nth question of a round, from 0, puts numbers under the cover."""
    return kind == "cuts" and nth == ROUNDS["cuts"].index("deep")


def asks_for_window(kind: Kind, nth: int) -> bool:
    """Return whether the nth question of a round, from 0, asks for α and β before it is pruned."""
    return kind == "cuts" and nth >= FIRST_WINDOW


def _leaf_values(question: Question) -> list[int]:
    """Return the values of the leaves of a tree, the lowest first."""
    root = question.root if isinstance(question, PuzzleTree) else build_tree(question, fill_depth=2)
    return sorted(leaf.value for leaf in root.leaves)
