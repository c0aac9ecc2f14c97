"""Trees of positions, as pages draw them, against the textbook."""

from __future__ import annotations

import pytest

from engine.position import Position
from engine.symmetry import canonical
from teach.trees import Node, is_small, tree
from tests import textbook
from tests.positions import CANONICAL, UNFINISHED_CANONICAL, sample

CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip


# What is drawn


def test_a_tree_is_whole_up_to_four_empty_squares_and_otherwise_one_level() -> None:
    for position in sample(4, CANONICAL):
        root = tree(position)
        assert is_small(position) == (str(position).count("-") <= 4)
        assert root.height == 1 or is_small(position)
        assert len(root.leaves) <= 24
        assert len(root.below) == len(textbook.children(str(position)))
        for node in root.walk():
            assert node.position == position.after(node.path)
            assert node.is_max == (textbook.turn(str(node.position)) == "X")
            assert node.mover == (textbook.turn(str(node.position)) if node.below else None)
            assert node.over == (
                textbook.is_over(str(node.position)) or (not is_small(position) and node.path != ())
            )


def test_nodes_and_boards_are_found_by_path() -> None:
    root = tree(CLASSIC)
    assert all(root.at(node.path) is node for node in root.walk())
    with pytest.raises(KeyError):
        root.at((4, 1))
    with pytest.raises(TypeError):
        _ = Node((), None, 3, is_max=True).position


@pytest.mark.long
def test_merged_nodes_stand_for_all_symmetric_boards() -> None:
    for position in UNFINISHED_CANONICAL:
        for node in tree(position, merges_symmetric=True).walk():
            square_groups = [child.squares for child in node.below]
            if square_groups:
                assert sorted(sum(square_groups, ())) == list(node.position.legal_moves())
            for squares, child in zip(square_groups, node.below, strict=True):
                images = {canonical(node.position.play(square)) for square in squares}
                assert images == {canonical(child.position)}
            assert len({canonical(child.position) for child in node.below}) == len(square_groups)
