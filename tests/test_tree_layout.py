"""The layout of a tree: which nodes are drawn as boards, and how wide they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.position import Position
from teach.estimates import drawable_depths, limited_tree
from teach.markings import CUT_OFF, DrawnTree
from teach.numbers import number_tree
from teach.scenes import Scene, scene_after
from teach.searches import run
from teach.trees import Node, tree
from tests.positions import UNFINISHED_CANONICAL, sample
from tests.test_searches import NUMBER_TREES, SMALL
from web.view.trees import MAX_BRANCH_LEAVES, MAX_PICTURED_LEAVES, TreeLayout, search_tree


def scenes(root: Node) -> Iterator[tuple[Scene, DrawnTree]]:
    recorded = run(root, "alpha-beta")
    for step in range(0, len(recorded.steps) + 1, 3):
        scene = scene_after(recorded, step)
        yield scene, search_tree(scene, {})


@pytest.mark.long
def test_the_node_in_view_and_its_children_are_always_boards() -> None:
    roots = [tree(position) for position in sample(60, SMALL)]
    roots += [
        limited_tree(at, drawable_depths(at, True)[-1]) for at in sample(40, UNFINISHED_CANONICAL)
    ]
    for root in roots:
        for scene, drawn in scenes(root):
            here = root.at(scene.path_in_view)
            nodes_on_path = [
                root.at(scene.path_in_view[:turns]) for turns in range(len(scene.path_in_view) + 1)
            ]
            assert all(drawn.is_pictured(node) for node in (*nodes_on_path, *here.below))
            has_room_for_all = len(root.leaves) <= MAX_PICTURED_LEAVES
            assert (drawn.pictured_paths is None) == has_room_for_all
            # At 660 px, the narrowest desktop, an em has 10 px, and a board is 3.2 em wide.
            assert TreeLayout(drawn).widths[()] <= 62


@pytest.mark.long
def test_a_node_is_as_wide_as_its_children_or_its_own_picture() -> None:
    for values in sample(20, NUMBER_TREES):
        drawn = TreeLayout(DrawnTree(number_tree(values), {}))
        for node in drawn.tree.root.walk():
            below = sum(drawn.child_widths(node))
            assert drawn.widths[node.path] == max(below, 3.3 if node.below else 2.5)
    assert MAX_BRANCH_LEAVES < MAX_PICTURED_LEAVES


def test_in_a_large_tree_only_the_root_shows_who_chooses() -> None:
    recorded = run(limited_tree(Position.parse("XO---O--X"), 5), "minimax")
    drawn = search_tree(scene_after(recorded, len(recorded.steps)), {})
    layout = TreeLayout(drawn)
    assert layout.is_large
    for node in drawn.root.walk():
        digits = sum(map(str.isdigit, drawn.markings[node.digits]["chip"].text))
        has_room = node.path == () or digits == 1
        assert layout.has_room_for_mover(node) == (has_room and bool(node.below))
    small = search_tree(scene_after(run(limited_tree(Position(), 1), "minimax"), 1), {})
    layout = TreeLayout(small)
    assert not layout.is_large and layout.has_room_for_mover(small.root)


def test_every_node_of_a_search_shows_what_is_known() -> None:
    root = number_tree(((3, 12), (2, 4)))
    drawn = search_tree(scene_after(run(root, "alpha-beta"), 11), {(1,): "here"}, (0,), [(1, 1)])
    markings = drawn.markings
    assert [markings[path].get("chip", ("",))[0] for path in ("", "0", "1", "10")] == [
        "\u2265 3", "3", "\u2264 2", "2",
    ]  # fmt: skip
    assert markings["1"]["role"] == "in view" and markings["11"]["edge"] == CUT_OFF
    assert [path for path in markings if markings[path]["is_cutoff_source"]] == ["0"]
    layout = TreeLayout(drawn)
    assert [layout.node_classes(root.at(path)) for path in ((), (0,), (1,), (1, 1))] == [
        "node stacked",
        "node lit",
        "node is-here",
        "node cut new gone",
    ]
    assert layout.edge_classes(root.at((1,))).overlay_edge == "edge stacked"
    assert layout.edge_classes(root.at((1, 1))).edge == "edge gone"
    assert markings["1"]["target"] == "here" and "target" not in markings["0"]
    assert markings["11"]["is_new"] and not markings["10"]["is_new"]
    descriptions = [markings[path]["description"] for path in ("11", "0", "1")]
    assert descriptions == ["pruned", "3", "being searched"]
