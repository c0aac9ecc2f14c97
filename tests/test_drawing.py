"""Where the boards of a tree stand, and what is drawn of each, against the textbook's values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from math import atan2, hypot, radians

import pytest
from flask.testing import FlaskClient

from engine.position import Position
from teach.drawing import (
    MAP,
    MARGIN,
    PENS,
    WIDE,
    Box,
    Drawing,
    Spot,
    drawn_as_map,
    drawn_large,
    drawn_plain,
    drawn_whole,
    drawn_wide,
    is_guessed,
    is_whole,
)
from teach.guesses import cut_off, depths
from teach.numbers import number_tree
from teach.practice.lots import by_lot
from teach.scenes import Scene, scene_after, scene_plain
from teach.searches import Standing, run
from teach.trees import Node, Path, tree
from tests.conftest import parse, text_of
from tests.positions import TO_PLAY, one_in
from tests.test_searches import CLASSIC, KINDS, NUMBERS, SECOND, SMALL, Kind, run_of

LARGEST = Position.parse("XO--OXX--")  # 65 boards
LOST = Position.parse("-X---XOOX")  # 47


def whole_tree(position: Position, here: Path = ()) -> Scene:
    return scene_known(tree(position), here)


def scene_known(root: Node, here: Path) -> Scene:
    """Return a tree with all values, and the line of play from a node on."""
    line = [root.at(here)]
    while line[-1].below:
        line.append(next(child for child in line[-1].below if child.value == line[-1].value))
    standing = {node.path: Standing("searched", node.value) for node in root.walk()}
    return Scene(root, here, standing, tuple(node.path for node in line))


def places(position: Position) -> list[Path]:
    return [node.path for node in whole_tree(position).root.walk()]


# Where boards stand


@pytest.mark.long
def test_on_a_map_each_board_stands_in_its_row_half_way_over_its_ends() -> None:
    for position in one_in(4, SMALL):
        drawn = drawn_as_map(whole_tree(position), 20)
        assert [spot.node.path for spot in drawn.spots] == places(position)
        assert all(spot.y == 10 + 20 * len(spot.node.path) for spot in drawn.spots)
        ends = {spot.node.path: spot.x for spot in drawn.spots if not spot.node.below}
        assert all(one < other for one, other in pairwise(ends.values()))
        assert all(0 < spot.x < MAP for spot in drawn.spots)
        assert drawn.height == max(spot.y for spot in drawn.spots) + 6
        for spot in drawn.spots:
            below = [x for path, x in ends.items() if path[: len(spot.node.path)] == spot.node.path]
            assert spot.x == pytest.approx((below[0] + below[-1]) / 2, abs=1)
        assert drawn.areas == ()


def test_a_map_tints_the_branch_in_view() -> None:
    drawn = drawn_as_map(whole_tree(LOST, (2, 4)), 20)
    (band,) = drawn.areas
    tinted = [s.node.path for s in drawn.spots if band.x < s.x < band.x + band.width]
    assert [path for path in tinted if path] == [path for path in places(LOST) if path[:1] == (2,)]


def assert_apart(boards: list[Spot]) -> None:
    """Assert that no board lies on another: no row on the next, none on the next in its row."""
    in_rows = sorted(boards, key=lambda spot: (len(spot.node.path), spot.x))
    for one, other in pairwise(in_rows):
        if len(one.node.path) == len(other.node.path):
            assert other.x - one.x >= (one.side + other.side) / 2
        else:
            assert other.top > one.foot


@pytest.mark.long
def test_on_a_desktop_the_root_is_over_the_branch_open_in_boards_and_none_lies_on_another() -> None:
    for position in one_in(8, SMALL):
        root = whole_tree(position).root
        paths = [node.path for node in root.walk()]
        for here in ((), *(branch.path for branch in root.below)):
            drawn = drawn_wide(scene_known(root, here))
            boards = [spot for spot in drawn.spots if spot.side]
            assert all(spot.side >= 56 for spot in boards)
            opened = {spot.node.path for spot in boards}
            is_all_open = is_whole(drawn.spots[0].node)
            assert opened == {
                path
                for path in paths
                if is_all_open or path[:1] in ((), here[:1]) or len(path) == (not here)
            }
            assert_apart(boards)
            root_at, *below = drawn.spots
            branch = (spot.x for spot in below if spot.node.path == here and not is_all_open)
            assert root_at.x == pytest.approx(next(branch, WIDE / 2), abs=1)
            least, most = (
                f(s.x + way * s.side / 2 for s in drawn.spots) for f, way in ((min, -1), (max, 1))
            )
            assert least >= 0 and most <= WIDE
            assert {area.path for area in drawn.areas} == {
                branch.path for branch in drawn.spots[0].node.below if branch.path not in opened
            }
            assert drawn.height <= 560


def test_on_a_phone_a_tree_from_three_empty_squares_is_whole_in_boards() -> None:
    for position in SMALL:
        if position.ply >= 6:
            drawn = drawn_whole(whole_tree(position))
            assert drawn
            assert [spot.node.path for spot in drawn.spots] == places(position)
            assert all(spot.side == 50 for spot in drawn.spots)
            assert_apart(list(drawn.spots))
            assert max(spot.x for spot in drawn.spots) + 25 <= MAP
            assert len(drawn.spots) <= 16


def test_a_line_is_upright_at_both_ends_or_short_and_straight() -> None:
    curves = [drawn_as_map(whole_tree(CLASSIC), row).links[0].curve for row in (20, 40)]
    assert curves == ["M179 15l-107 10", "M179 15c0 15 -107 15 -107 30"]


# Boards cut off, and numbers


@pytest.mark.long
def test_every_tree_that_is_cut_off_is_drawn_within_its_width_and_no_board_on_another() -> None:
    for position in one_in(12, TO_PLAY):
        for depth in depths(position, merged=True):
            root = cut_off(position, depth)
            scenes = [scene_known(root, it.path) for it in (root, root.below[-1], root.leaves[-1])]
            for drawn in map(drawn_wide, scenes):
                assert_within(drawn, WIDE, 560)
                assert_apart([spot for spot in drawn.spots if spot.side])
            map_ = drawn_as_map(scenes[0])
            assert map_.height <= 96
            bare = {chip.path for chip in map_.chips if chip.bare}
            numbers = is_guessed(root) and len(root.leaves) <= 12
            assert bare == ({leaf.path for leaf in root.leaves} if numbers else set())
            large = drawn_large(scenes[-1])
            assert bool(large) == is_whole(root)
            if large:
                assert_within(large, 690, 542)
                assert_apart([*large.spots])


def assert_within(drawn: Drawing, wide: int, high: int) -> None:
    assert min(spot.x - spot.side / 2 for spot in drawn.spots) >= 0
    assert max(spot.x + spot.side / 2 for spot in drawn.spots) <= wide
    assert max(spot.foot for spot in drawn.spots) <= drawn.height <= high


@pytest.mark.long
def test_every_tree_of_numbers_is_drawn_whole_and_no_node_lies_on_another() -> None:
    for values in one_in(4, NUMBERS):
        scene = scene_plain(number_tree(values))
        small = drawn_whole(scene)
        assert bool(small) == (len(scene.root.leaves) <= 12 and scene.root.levels <= 3)
        large = drawn_large(scene)
        assert bool(large) >= (len(scene.root.leaves) <= 9)
        assert not large or (large.height <= 542 and min(spot.side for spot in large.spots) >= 46)
        plain = drawn_plain(scene)
        assert (plain.width == MAP) == (len(scene.root.leaves) <= 27)
        each = ((drawn_wide(scene), WIDE), (large, 690), (small, MAP), (plain, int(plain.width)))
        for drawn, wide in each:
            if not drawn:
                continue
            assert_within(drawn, wide, 600)
            assert [spot.node for spot in drawn.spots] == [*scene.root.walk()]
            assert [link.path for link in drawn.links] == [n.path for n in scene.root.walk()][1:]
            leaves = [spot for spot in drawn.spots if spot.node.over]
            for one, other in pairwise(leaves):
                is_level = abs(one.y - other.y) < one.side
                assert other.x - one.x >= one.side or not is_level


def test_a_missing_number_is_drawn_as_a_leaf() -> None:
    drawn = drawn_wide(scene_plain(number_tree((3, None))))
    assert [spot.high == spot.side for spot in drawn.spots] == [False, True, True]


def test_a_stroke_across_a_cut_leans_and_lies_on_its_line() -> None:
    search = run(number_tree(SECOND), "alpha-beta")
    drawn = drawn_wide(scene_after(search, 13))
    assert [*drawn.strokes] == [(1, 1), (1, 2)]
    edges = {edge.path: edge for edge in drawn.links}
    for path, (x1, y1, x2, y2) in drawn.strokes.items():
        edge = edges[path]
        assert hypot(x2 - x1, y2 - y1) == pytest.approx(26, abs=0.2)
        assert abs(atan2(y1 - y2, x2 - x1)) >= radians(34.5)
        assert min(edge.x1, edge.x2) - 1 <= (x1 + x2) / 2 <= max(edge.x1, edge.x2) + 1
        assert edge.y1 < (y1 + y2) / 2 < edge.y2
    ((x, y, _),) = drawn.scissors
    assert x > drawn.strokes[1, 2][2] and y < drawn.strokes[1, 2][1]
    (left,) = drawn_wide(scene_after(run(number_tree((3, (2, 9))), "alpha-beta"), 9)).scissors
    assert left[0] < WIDE - 18
    last = run(number_tree(((3, 4), (5, 6), (1, 2))), "alpha-beta")
    assert all(x <= WIDE - 18 for x, *_ in drawn_wide(scene_after(last, len(last.steps))).scissors)


@pytest.mark.parametrize(("leaves", "whole"), [(12, True), (14, False), (16, False)])
def test_a_tree_of_14_leaves_and_more_is_a_map_on_a_beamer_as_teachers_are_told(
    client: FlaskClient, leaves: int, whole: bool
) -> None:
    half = tuple(range(leaves // 4))
    root = number_tree(((half, half), tuple(range(leaves - 2 * len(half)))))
    assert len(root.leaves) == leaves
    assert bool(drawn_large(scene_plain(root))) == whole
    told = " ".join(text_of(parse(client.get("/learn/teach")).select_one("main")).split())
    assert "A tree of numbers with 14 leaves or more is a map there" in told


def test_a_tree_too_wide_for_a_phone_is_set_up_as_on_a_desktop() -> None:
    five = (3, 12, 8, 2, 4)
    narrow, wide = (scene_plain(number_tree(((five,) * n, (five,) * n))) for n in (2, 3))
    assert drawn_plain(narrow).width == MAP
    assert drawn_plain(wide) == drawn_wide(wide)


# Its map is so close at step 55 that one family has no room for scissors.
CLOSE = (
    ((-3, -3, 2, -3), (57, 26, -67), (-90,), (37, -43, 3, -2)),
    ((-2,), (-2, -3, 63, -3, 87), (-41, 82, 0), (-52, 0, -84), (-3, 1, -81)),
)


def test_scissors_are_left_out_where_they_would_hide_a_number() -> None:
    drawn = drawn_as_map(scene_after(run(number_tree(CLOSE), "alpha-beta"), 55))
    families = {path[:-1] for path in drawn.strokes}
    assert len(drawn.scissors) == len(families) - 1


def test_a_fork_that_came_back_is_a_value_on_a_map_with_room() -> None:
    search = run(cut_off(Position(), 2), "alpha-beta")
    drawn = drawn_as_map(scene_after(search, 20))
    texts = {chip.path: chip.worth.text for chip in drawn.chips if chip.worth}
    assert [texts[square,] for square in (0, 1)] == ["−1", "≤ −1"]
    assert {spot.node.path for spot in drawn.spots} == {(), (4,)}


@pytest.mark.long
def test_scissors_hide_no_number_and_stand_in_the_drawing() -> None:
    """On a phone's map they touched values, and lay over windows and nodes of a desktop."""
    for number, values in enumerate(one_in(20, NUMBERS)):
        search = run(number_tree(values, number % 2 == 0), "alpha-beta")
        for step in one_in(3, range(1, len(search.steps) + 1)):
            scene = scene_after(search, step)
            for drawn in (drawn_as_map(scene), drawn_wide(scene)):
                numbers = [chip.box(drawn.chip) for chip in drawn.chips]
                numbers += [window.box(drawn.room, drawn.chip) for window in drawn.windows]
                for x, y, wide in drawn.scissors:
                    assert 0 <= x <= drawn.width - wide
                    place = Box(x, y, x + wide, y + wide)
                    assert not any(place.overlaps(box) for box in numbers), (values, step)


def test_what_is_cut_in_a_folded_branch_is_a_short_stroke_without_scissors() -> None:
    search = run(tree(LOST), "alpha-beta")
    drawn = drawn_wide(scene_after(search, len(search.steps)))
    assert drawn.strokes and not drawn.scissors
    assert all(hypot(x2 - x1, y2 - y1) < 13 for x1, y1, x2, y2 in drawn.strokes.values())
    paths = {spot.node.path for spot in drawn.spots}
    assert not paths & {link.path for link in drawn.links if link.pen == "cut"}


@pytest.mark.parametrize("draw", [drawn_wide, drawn_large])
def test_each_fork_on_the_stack_has_its_window_which_lies_over_nothing(
    draw: Callable[[Scene], Drawing | None],
) -> None:
    """Over no node and no value, and on a desktop not over the line from the sentence."""
    for levels, branches in product((2, 3, 4), (2, 3)):
        search = run(by_lot(levels, branches, 1).root, "alpha-beta")
        for step in one_in(2, range(1, len(search.steps))):
            scene = scene_after(search, step)
            drawn = draw(scene)
            if not drawn:
                assert len(search.root.leaves) > 9
                continue
            stack = {p for p, it in scene.standing.items() if it.frame and scene.root.at(p).below}
            assert {window.path for window in drawn.windows} == stack
            here = next(spot for spot in drawn.spots if spot.node.path == scene.here)
            lead = Box(-MARGIN, here.top - 13, here.x - here.side / 2, here.top - 11)
            values = {value.path for value in drawn.chips}
            boxes = [window.box(drawn.room, drawn.chip) for window in drawn.windows]
            for box, spot in product(boxes, drawn.spots):
                assert box.left >= -MARGIN and box.right <= drawn.width + MARGIN
                assert not box.overlaps(spot.box)
                assert not box.overlaps(spot.below(drawn.chip)) or spot.node.path not in values
            if (draw, levels, branches) == (drawn_wide, 3, 3) and scene.here:
                assert not any(lead.overlaps(box) for box in boxes), step


# What is drawn of each


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_at_every_step_lines_and_chips_are_drawn_as_the_search_stands(kind: Kind) -> None:
    position = (LARGEST, LOST, CLASSIC)[KINDS.index(kind) % 3]
    for search in (run_of(position, *kind), run(number_tree(SECOND, order=kind[2]), kind[0])):
        for number in one_in(3, range(len(search.steps) + 1)):
            scene = scene_after(search, number)
            for drawn in (drawn_as_map(scene), drawn_wide(scene)):
                check_drawn(drawn, scene)


def check_drawn(drawn: Drawing, scene: Scene) -> None:
    cut = {path for path, it in scene.standing.items() if it.stage == "cut"}
    stack = {path: it.frame.best for path, it in scene.standing.items() if it.frame}
    found = {pen: {link.path for link in drawn.links if link.pen == pen} for pen in PENS}
    assert found["cut"] == cut
    assert found["on"] == {*stack} - {()}
    assert found["up"] == {*scene.line[1:]}
    unmet = {path for path, it in scene.standing.items() if it.stage in ("waiting", "below a cut")}
    assert found["pale"] == unmet & {link.path for link in drawn.links}
    assert found["tried"] == ({scene.tried} if scene.tried else set())
    spots = {spot.node.path: spot for spot in drawn.spots}
    nodes = [*scene.root.walk()][1:]
    gone = [n.path for n in nodes if scene.stage(n) == "below a cut" and n.path not in spots]
    assert [link.path for link in drawn.links] == [n.path for n in nodes if n.path not in gone]
    for link in drawn.links:
        above, below = spots.get(link.path[:-1]), spots.get(link.path)
        assert not above or (link.x1 == above.x and above.y <= link.y1 < link.y2)
        assert not below or (link.x2, link.y2) == (below.x, below.top)
    small = {spot.node.path for spot in drawn.spots if not spot.side}
    assert not any(path[:n] in cut for path in small for n in range(len(path) + 1))
    at_fork = {path for path, best in stack.items() if abs(best) <= 99}
    leaves = {leaf.path for leaf in scene.root.leaves} if scene.is_own else set()
    assert at_fork - leaves <= {chip.path for chip in drawn.chips}
