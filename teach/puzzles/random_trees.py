"""Random trees of numbers, with a given number of levels or a given kind of cutoff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from random import Random
from typing import NamedTuple

from teach.numbers import Numbers, number_tree
from teach.searches import Step, run
from teach.trees import Node


class PuzzleTree(NamedTuple):
    """A tree of numbers for a puzzle."""

    values: Numbers
    is_max: bool = True  # whether MAX is at the root

    @property
    def root(self) -> Node:
        """The root of the tree."""
        return number_tree(self.values, self.is_max)


# An address can name a random tree by its seed and its numbers of levels and branches.
SEED_COUNT = 1000
LEVELS = (2, 3, 4)
BRANCHES = (2, 3)

# The shapes of trees, with a zero for each number.
FOUR_LEAVES: Numbers = ((0, 0), (0, 0))
FIRST_CUT: Numbers = (0, (0, 0, 0))  # after the second leaf there is a choice
SECOND_CUT: Numbers = ((0, 0), (0, 0, 0))
PAIRS: Numbers = ((0, 0), (0, 0), (0, 0))
TRIPLES: Numbers = ((0, 0, 0), (0, 0, 0))
TWO_LEVELS: Numbers = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
THREE_LEVELS: Numbers = (((0, 0), (0, 0)), ((0, 0), (0, 0)))
FOUR_LEVELS: Numbers = ((((0, 0), 0), (0, 0)), ((0, 0), 0))
DEEP: Numbers = (0, (((0, 0), 0), 0), (0, 0))
MAX_LEAF_COUNT = 9  # of all these shapes

# The shapes of the trees of a round, in order, by difficulty; the last shape repeats.
VALUE_SHAPES = {
    "2 levels": (FOUR_LEAVES, TWO_LEVELS),
    "3 levels": (THREE_LEVELS,),
    "4 levels": (FOUR_LEVELS,),
}
CUT_SHAPES = {
    "early": (FIRST_CUT, SECOND_CUT, TWO_LEVELS),
    "late": (PAIRS, TWO_LEVELS),
    "none": (TRIPLES,),
    "tie": (TWO_LEVELS,),
    "deep": (DEEP,),
}


def fill_shape(shape: Numbers, numbers: Iterator[int]) -> Numbers:
    """Return a tree of a shape with the next numbers as leaves, from left to right."""
    return tuple(
        fill_shape(below, numbers) if isinstance(below, tuple) else next(numbers) for below in shape
    )


def nth_shape(shapes: Sequence[Numbers], nth: int) -> Numbers:
    """Return the shape of the nth tree of a difficulty in a round, counted from 0."""
    return shapes[min(nth, len(shapes) - 1)]


def draw_value_tree(difficulty: str, rng: Random, is_max: bool, nth: int) -> PuzzleTree:
    """Draw a tree to fill in, of different numbers from 0 to 20.

    The best child is not always in the same position.
    """
    shape = nth_shape(VALUE_SHAPES[difficulty], nth)
    while True:
        numbers = rng.sample(range(21), MAX_LEAF_COUNT)
        tree = PuzzleTree(fill_shape(shape, iter(numbers)), is_max)
        if len(best_child_indexes(tree.root)) > 1:
            return tree


def best_child_indexes(root: Node) -> set[int]:
    """Return the positions that the best child has at the inner nodes below the root."""
    inner_nodes = (node for node in root.walk() if node.below and node.path)
    return {[child.value for child in node.below].index(node.value) for node in inner_nodes}


def draw_cut_tree(difficulty: str, rng: Random, is_max: bool, nth: int) -> PuzzleTree:
    """Draw a tree to prune, of numbers from -9 to 9."""
    shape = nth_shape(CUT_SHAPES[difficulty], nth)
    while True:
        numbers = [rng.randint(-9, 9) for _ in range(MAX_LEAF_COUNT)]
        tree = PuzzleTree(fill_shape(shape, iter(numbers)), is_max)
        if hardest_cutoff(tree.root) == difficulty:
            return tree


def hardest_cutoff(root: Node) -> str:
    """Return the hardest kind of cutoff that alpha-beta makes in a tree.

    `deep`: the bound comes from a node above the parent · `tie`: the value equals the bound ·
    `early`: two or more leaves are skipped · `late`: one leaf is skipped · `none`: no cutoff.
    """
    cutoffs = numbered_cutoffs(root).values()
    if any(map(is_deep, cutoffs)):
        return "deep"
    if any(cutoff.value == cutoff.bound_value for cutoff in cutoffs):
        return "tie"
    if any(skipped_leaf_count(root, cutoff) > 1 for cutoff in cutoffs):
        return "early"
    return "late" if cutoffs else "none"


def numbered_cutoffs(root: Node) -> Mapping[int, Step]:
    """Return the cutoffs of alpha-beta in a tree, by the number of their step."""
    steps = enumerate(run(root, "alpha-beta").steps, 1)
    return {n: step for n, step in steps if step.kind == "cut"}


def is_deep(cutoff: Step) -> bool:
    """Return whether the bound of a cutoff comes from a node above the parent."""
    return len(cutoff.bound_source) < len(cutoff.path)


def cutoff_step_to_watch(root: Node) -> int | None:
    """Return the number of the step of the first deep cutoff, or of the first if none is deep.

    A tree without a cutoff gives None.
    """
    cutoffs = numbered_cutoffs(root)
    deep_numbers = [n for n, cutoff in cutoffs.items() if is_deep(cutoff)]
    return next(iter(deep_numbers or cutoffs), None)


def skipped_leaf_count(root: Node, cutoff: Step) -> int:
    """Return the number of leaves that a cutoff skips."""
    return sum(len(root.at(path).leaves) for path in cutoff.pruned_paths)


@lru_cache(maxsize=256)
def random_tree(levels: int, branches: int, seed: int, is_max: bool = True) -> PuzzleTree:
    """Return a random tree of numbers from 0 to 20, always the same for a seed.

    Trees are drawn until one teaches something: alpha-beta makes a cutoff, and the best child is
    not always in the same position. At four levels only the root has three branches, because 81
    leaves would be too many.
    """
    rng = Random(f"{levels} {branches} {seed}")
    lower_branches = 2 if levels == LEVELS[-1] else branches
    shape: Numbers = (0,) * lower_branches  # the lowest level; each level above repeats it
    for _ in range(levels - 2):
        shape = (shape,) * lower_branches
    shape = (shape,) * branches
    while True:
        tree = PuzzleTree(fill_shape(shape, (rng.randint(0, 20) for _ in count())), is_max)
        if hardest_cutoff(tree.root) != "none" and len(best_child_indexes(tree.root)) > 1:
            return tree
