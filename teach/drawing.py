"""Where the boards of a tree stand in a drawing, and which lines join them: values, no pictures.

Two drawings keep the shape of a whole tree of at most four empty squares. The map has a small sign
for each board. The wide drawing opens the branch in view in boards and folds the others to signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from teach.scenes import Scene, Worth
from teach.trees import Node, Path

Pen = Literal["pale", "known", "cut", "tried", "on", "up"]

# Lengths are px, as on a phone of 390 or a window of 1280, and scale with the drawing.
MAP, TOP = 358, 10  # the width of a map, and from its edge to the middle of the root
WIDE = 606  # the width between the rows of the stack and the code
FOLDED, APART = 12, 8  # the width of an end that is a sign, and the gap between two branches
CHIP = 22  # the height of a chip below its board


class Size(NamedTuple):
    """Hold the side of an open board, the width of an end, and from one row to the next."""

    board: int
    end: int
    row: int


FOUR_EMPTY = Size(58, 60, 118)
FEWER = Size(84, 98, 138)
FEWER_ON_A_PHONE = Size(54, 57, 98)


class Spot(NamedTuple):
    """Hold one board of a drawing: its middle, and the side of the board, 0 for a sign."""

    node: Node
    x: float
    y: float
    side: int


class Link(NamedTuple):
    """Hold the line down to the node at `path`, its upper end first, and the pen that draws it."""

    path: Path
    x1: float
    y1: float
    x2: float
    y2: float
    pen: Pen

    @property
    def curve(self) -> str:
        """Return the line as path data of SVG, upright at both ends."""
        across, half, down = self.x2 - self.x1, (self.y2 - self.y1) / 2, self.y2 - self.y1
        return f"M{self.x1:g} {self.y1:g}c0 {half:g} {across:g} {half:g} {across:g} {down:g}"


class Area(NamedTuple):
    """Hold the area of the branch that begins with the move to `path`."""

    path: Path
    x: float
    y: float
    width: float
    height: float


class Chip(NamedTuple):
    """Hold where the value of the node at `path` stands, by its middle."""

    path: Path
    x: float
    y: float
    worth: Worth


class Drawing(NamedTuple):
    """Hold a drawn tree: boards in the order of the search, lines, values and areas.

    A map has the area of the branch in view; a wide drawing has those of the folded branches.
    """

    width: float
    height: float
    spots: tuple[Spot, ...]
    links: tuple[Link, ...]
    chips: tuple[Chip, ...]
    areas: tuple[Area, ...]


def drawn_as_map(scene: Scene, row: int) -> Drawing:
    """Return the map of a tree, with so many px from one row to the next."""
    root = scene.root
    widths = {branch.path: MAP / len(root.leaves) * len(branch.leaves) for branch in root.below}
    middles = _middles(root, 0, 0, widths)
    spots = {
        node.path: Spot(node, middles[node.path], TOP + row * len(node.path), 0)
        for node in root.walk()
        if not scene.is_left_out(node)
    }
    height, top = TOP + row * root.levels + 6, TOP + row * 0.55
    return Drawing(
        width=MAP,
        height=height,
        spots=tuple(spots.values()),
        links=tuple(_links(scene, spots, middles, row)),
        chips=tuple(
            Chip(path, spot.x + (30 if spot.x < MAP * 0.7 else -30), spot.y, found)
            for path, spot in spots.items()
            if scene.standing[path].frame or path in (scene.here, ())
            if (found := scene.worth(spot.node))
        ),
        areas=tuple(
            Area(path, middles[path] - width / 2, top, width, height - top)
            for path, width in widths.items()
            if path == scene.here[:1]
        ),
    )


def is_whole(root: Node) -> bool:
    """Say whether so few squares are empty, at most three, that each board can be drawn large."""
    return root.position.ply >= 6


def drawn_wide(scene: Scene) -> Drawing:
    """Return a tree with the branch in view open, and at the root all of its moves."""
    size = FEWER if is_whole(scene.root) else FOUR_EMPTY
    return _in_boards(scene, size, WIDE)


def drawn_whole(scene: Scene) -> Drawing:
    """Return a tree from at most three empty squares, each board a board, for a phone."""
    return _in_boards(scene, FEWER_ON_A_PHONE, MAP)


def _in_boards(scene: Scene, size: Size, wide: int) -> Drawing:
    root, here = scene.root, scene.here
    opened = {b.path for b in root.below if is_whole(root) or b.path == here[:1]}
    # At the root each move is a board, and its folded branch at least as wide.
    least = 0 if here else size.board + APART
    widths = {
        b.path: size.end * len(b.leaves) if b.path in opened else max(FOLDED * len(b.leaves), least)
        for b in root.below
    }
    width = sum(widths.values()) + APART * (len(widths) - 1)
    middles = _middles(root, (wide - width) / 2, APART, widths)
    if not is_whole(root):  # so few boards are in reach that the root need not come along
        middles[()] = middles[here[:1]]
    spots, chips, down = {}, [], size.row * root.levels
    for node in root.walk():
        path, known = node.path, scene.worth(node)
        is_board = not path or path[:1] in opened or (len(path) == 1 and not here)
        x, y = middles[path], 3 + size.board // 2 + size.row * len(path)
        if is_board or not scene.is_left_out(node):
            spots[path] = Spot(node, x, y, size.board if is_board else 0)
        if known and is_board:
            chips.append(Chip(path, x, y + (size.board + CHIP) // 2, known))
        elif known and len(path) == 1:
            chips.append(Chip(path, x, y - CHIP, known))
    return Drawing(
        width=wide,
        height=3 + down + size.board + CHIP,
        spots=tuple(spots.values()),
        links=tuple(_links(scene, spots, middles, size.row)),
        chips=tuple(chips),
        areas=tuple(
            Area(path, middles[path] - width / 2, size.row, width, down)
            for path, width in widths.items()
            if here and path not in opened
        ),
    )


def _middles(
    root: Node, left: float, apart: float, widths: Mapping[Path, float]
) -> dict[Path, float]:
    """Return the middle of each node, half-way between its first and its last end, to a px.

    The branches are `widths` wide and stand `apart`, the first from `left` on.
    """
    middles: dict[Path, float] = {}

    def stand(node: Node, left: float, end: float) -> None:
        """Put a node over its ends, the first of which is at `left`, each `end` wide."""
        middles[node.path] = round(left + len(node.leaves) * end / 2)
        for child in node.below:
            stand(child, left, end)
            left += len(child.leaves) * end

    right = left
    for branch in root.below:
        width = widths[branch.path]
        stand(branch, right, width / len(branch.leaves))
        right += width + apart
    middles[()] = round((left + right - apart) / 2)
    return middles


def _links(
    scene: Scene, spots: Mapping[Path, Spot], middles: Mapping[Path, float], row: int
) -> Iterator[Link]:
    """Yield the line to each node but the root; where a sign is cut, a stub of its line."""
    for node in scene.root.walk():
        path = node.path
        above, spot = spots.get(path[:-1]), spots.get(path)
        if not path or not above or (not spot and scene.stage(node) != "cut"):
            continue
        below_chip = CHIP if scene.worth(above.node) else 1
        y = above.y + (above.side // 2 + below_chip if above.side else 0)
        pen = _pen(node, scene)
        if spot:
            yield Link(path, above.x, y, spot.x, spot.y - spot.side // 2, pen)
        else:
            x = round(above.x + (middles[path] - above.x) * 0.6)
            yield Link(path, above.x, y, x, round(above.y + row * 0.6), pen)


def _pen(node: Node, scene: Scene) -> Pen:
    """Return the pen of the line to a node: whether the search took, or may take, that way."""
    if scene.stage(node) == "cut":
        return "cut"
    if scene.stage(node) in ("waiting", "below a cut"):
        return "pale"
    if scene.is_chosen(node) and len(node.path) > len(scene.here):
        return "up"
    if scene.here[: len(node.path)] == node.path:
        return "on"
    return "tried" if node.path == scene.tried else "known"
