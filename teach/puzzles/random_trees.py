"""Random trees of numbers, with a given number of levels or a given kind of cut."""

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
    """A tree of numbers, and whether MAX chooses at the top."""

    values: Numbers
    is_max: bool = True

    @property
    def root(self) -> Node:
        """The tree."""
        return number_tree(self.values, self.is_max)


# What an address may ask for in a random tree.
SEEDS, LEVELS, BRANCHES = 1000, (2, 3, 4), (2, 3)

# The shapes of trees, zeros standing for numbers.
FOUR_LEAVES: Numbers = ((0, 0), (0, 0))
FIRST_CUT: Numbers = (0, (0, 0, 0))  # the second leaf already poses the choice
SECOND_CUT: Numbers = ((0, 0), (0, 0, 0))
PAIRS: Numbers = ((0, 0), (0, 0), (0, 0))
TRIPLES: Numbers = ((0, 0, 0), (0, 0, 0))
TWO: Numbers = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
THREE: Numbers = (((0, 0), (0, 0)), ((0, 0), (0, 0)))
FOUR: Numbers = ((((0, 0), 0), (0, 0)), ((0, 0), 0))
DEEP: Numbers = (0, (((0, 0), 0), 0), (0, 0))

# The shapes of the trees of a round, by difficulty; after the last one, it repeats.
TO_FILL = {"2 levels": (FOUR_LEAVES, TWO), "3 levels": (THREE,), "4 levels": (FOUR,)}
TO_CUT = {
    "early": (FIRST_CUT, SECOND_CUT, TWO),
    "late": (PAIRS, TWO),
    "none": (TRIPLES,),
    "tie": (TWO,),
    "deep": (DEEP,),
}


def drawn(shape: Numbers, numbers: Iterator[int]) -> Numbers:
    """Return a tree of a shape with the next numbers as leaves, from left to right."""
    return tuple(drawn(it, numbers) if isinstance(it, tuple) else next(numbers) for it in shape)


def nth_shape(shapes: Sequence[Numbers], nth: int) -> Numbers:
    """Return the shape of the nth tree of a hardness in a round, counted from 0."""
    return shapes[min(nth, len(shapes) - 1)]


def to_fill(hardness: str, rng: Random, is_max: bool, nth: int) -> PuzzleTree:
    """Return a tree to fill in, of numbers from 0 to 20; the best child varies in position."""
    shape = nth_shape(TO_FILL[hardness], nth)
    while True:
        lot = PuzzleTree(drawn(shape, iter(rng.sample(range(21), 9))), is_max)
        if len(places(lot.root)) > 1:
            return lot


def places(root: Node) -> set[int]:
    """Return the positions of the best children of the inner nodes below the root."""
    forks = (node for node in root.walk() if node.below and node.path)
    return {[child.value for child in fork.below].index(fork.value) for fork in forks}


def to_cut(hardness: str, rng: Random, is_max: bool, nth: int) -> PuzzleTree:
    """Return a tree to cut, of numbers from -9 to 9."""
    shape = nth_shape(TO_CUT[hardness], nth)
    while True:
        numbers = [rng.randint(-9, 9) for _ in range(9)]
        lot = PuzzleTree(drawn(shape, iter(numbers)), is_max)
        if cut_in(lot.root) == hardness:
            return lot


def cut_in(root: Node) -> str:
    """Return the hardest kind of alpha-beta cut in a tree.

    `deep`: the bound comes from above the parent · `tie`: the value equals the bound ·
    `early`: two or more leaves are skipped · `late`: one leaf is skipped · `none`.
    """
    cuts = cuts_of(root).values()
    if any(map(is_deep, cuts)):
        return "deep"
    if any(step.value == step.against for step in cuts):
        return "tie"
    if any(left_out(root, step) > 1 for step in cuts):
        return "early"
    return "late" if cuts else "none"


def cuts_of(root: Node) -> Mapping[int, Step]:
    """Return the cuts of alpha-beta in a tree, by the number of steps done with them."""
    steps = enumerate(run(root, "alpha-beta").steps, 1)
    return {n: step for n, step in steps if step.kind == "cut"}


def is_deep(cut: Step) -> bool:
    """Return whether the bound of a cut comes from above the parent."""
    return len(cut.by) < len(cut.path)


def cut_to_watch(root: Node) -> int | None:
    """Return the number of steps up to the first deep cut, or to the first cut if none is deep."""
    cuts = cuts_of(root)
    deep = [n for n, cut in cuts.items() if is_deep(cut)]
    return next(iter(deep or cuts), None)


def left_out(root: Node, step: Step) -> int:
    """Return the number of leaves that a cut skips."""
    below = root.at(step.path).below
    return sum(len(child.leaves) for child in below if child.path[-1] in step.rest)


@lru_cache(maxsize=256)
def random_tree(levels: int, branches: int, seed: int, is_max: bool = True) -> PuzzleTree:
    """Return a tree of numbers from 0 to 20 drawn at random: for a seed always the same.

    Drawn again until it teaches: alpha-beta has a cut, and the best of each fork is not always at
    one place. At four levels only the first fork has three branches, as 81 leaves would be too
    many.
    """
    rng = Random(f"{levels} {branches} {seed}")
    below = 2 if levels == LEVELS[-1] else branches
    shape: Numbers = (0,) * below
    for wide in (below,) * (levels - 2) + (branches,):
        shape = (shape,) * wide
    while True:
        lot = PuzzleTree(drawn(shape, (rng.randint(0, 20) for _ in count())), is_max)
        if cut_in(lot.root) != "none" and len(places(lot.root)) > 1:
            return lot
