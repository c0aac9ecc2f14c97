"""Where the nodes of a tree stand in a drawing, and which lines join them: values, no pictures.

A map keeps the shape of a whole tree, with a small sign for each node. A wide drawing opens the
branch in view in boards and folds the others to signs; a small tree, or one of one's own values, is
drawn whole. A drawing for a beamer is always whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import atan2, cos, pi, sin
from typing import Literal, NamedTuple, get_args

from engine.position import Position
from teach.scenes import Scene, Sign, Worth
from teach.trees import Node, Path

Pen = Literal["pale", "known", "cut", "tried", "on", "up"]
PENS: tuple[Pen, ...] = get_args(Pen)

# Lengths are px, as on a phone of 390 or a window of 1280, and scale with the drawing.
MAP, TOP = 358, 10  # the width of a map, and from its edge to the middle of the root
WIDE = 606  # the width between the rows of the stack and the code
FOLDED, APART = 12, 8  # the width of an end that is a sign, and the gap between two branches
CHIP, CHIP_ON_A_BEAMER = 22, 30  # the height of a chip below its node, with a gap
SCISSORS, SCISSORS_ON_A_MAP = 18, 14  # their width; on a map rows are 14 to 62 px apart
GAP, SHORT = 5, 20  # between a sign and its lines; less from row to row, a line is straight
WINDOW, WINDOW_ON_A_BEAMER = 76, 112  # the width of a window beside its node, [−12, +∞]
MARGIN = 16  # px that a window may stand out of its drawing
NUMBER = 9  # what it weighs that a number is hidden, or something stands out of the drawing
LEAD = 12  # px over a node, where the line from its sentence comes
MAP_ROWS = {1: 62, 2: 36, 3: 22, 4: 16, 5: 14}  # by levels: what is left on a phone
MOST_WHOLE = 12  # leaves, up to which a phone can draw a tree of numbers whole
NARROW = 24  # px for a leaf: closer, every other leaf stands lower
STEEP = pi * 35 / 180  # how far the stroke of a cut leans at least


class Size(NamedTuple):
    """Hold the side of an open board and of a leaf, the width of an end, of a row, of a window.

    Below a board is a `chip` so high.
    """

    board: int
    leaf: int
    end: int
    row: int
    window: int = WINDOW
    chip: int = CHIP


FOUR_EMPTY, FIVE_TURNS = Size(58, 58, 60, 118), Size(50, 50, 52, 92)
CROWDED = 34  # px for a leaf: closer, leaves of the open branch are signs, too
FEWER = Size(84, 84, 98, 138)
CUT_OFF = Size(74, 46, 49, 168)
DEEPER = Size(58, 46, 49, 138)
FEWER_ON_A_PHONE = Size(50, 50, 57, 83, window=62)
FEWER_ON_A_BEAMER = Size(60, 60, 111, 130, WINDOW_ON_A_BEAMER, CHIP_ON_A_BEAMER)
CUT_OFF_ON_A_BEAMER = Size(84, 52, 56, 190, WINDOW_ON_A_BEAMER, CHIP_ON_A_BEAMER)
DEEPER_ON_A_BEAMER = Size(66, 52, 56, 150, WINDOW_ON_A_BEAMER, CHIP_ON_A_BEAMER)


class Numbers(NamedTuple):
    """Hold the side of a fork and of a leaf, how far leaves stand apart, and families, at most.

    Between a fork and the row below is at least a `gap` for a value, a `chip` so high, and a
    `window`, so wide.
    """

    fork: int
    leaf: int
    apart: int
    family: int
    gap: int = 42
    window: int = WINDOW
    chip: int = CHIP


OWN, OWN_ON_A_PHONE = Numbers(66, 46, 58, 26), Numbers(52, 32, 37, 11, window=62)
BEAMER = 690  # the width beside the code
OWN_ON_A_BEAMER = Numbers(96, 62, 71, 22, 52, WINDOW_ON_A_BEAMER, CHIP_ON_A_BEAMER)
LEGIBLE = 46  # px of a node, on a beamer, that hold two digits of 22 px
ROWS_ON_A_BEAMER = {1: 196, 2: 196, 3: 148, 4: 116, 5: 94}
LOW = 460  # up to this height a drawing leaves room below in a window of 1280 x 800
SMALL = 50  # up to this side of a board, the pill below is smaller
LETTERS = {28: 12, 40: 15, SMALL: 18}  # on a leaf, by the side at most; 26 on a larger
LARGE = 22  # letters on a beamer, at least
ROWS = {1: 176, 2: 176, 3: 138, 4: 118, 5: 92}  # of numbers, by levels
ROWS_ON_A_PHONE = {1: 120, 2: 120, 3: 84}
# Nothing but numbers and letters, on a phone: of more leaves none could be read.
PLAIN_ON_A_PHONE, ROWS_OF_PLAIN, MOST_PLAIN = (
    Numbers(44, 32, 37, 11, gap=16),
    {1: 100, 2: 100, 3: 76, 4: 64, 5: 54},
    27,
)


class Box(NamedTuple):
    """Hold the edges of what is drawn: left, upper, right, lower."""

    left: float
    top: float
    right: float
    foot: float

    def overlaps(self, other: Box) -> bool:
        """Say whether two boxes have a part in common."""
        is_beside = self.right <= other.left or other.right <= self.left
        return not (is_beside or self.foot <= other.top or other.foot <= self.top)


class Spot(NamedTuple):
    """Hold one node of a drawing: its middle, and its width, 0 for a sign."""

    node: Node
    x: float
    y: float
    side: float

    @property
    def is_small(self) -> bool:
        """Say whether what stands on the node, or below, is drawn smaller than usual."""
        return self.side <= SMALL

    @property
    def letters(self) -> float:
        """Return the height of the letters on a node of numbers."""
        if self.node.below:
            return min(28, max(11, self.side * 0.29))
        return next((high for side, high in LETTERS.items() if self.side <= side), 26)

    @property
    def high(self) -> float:
        """Return the height: of a triangle, which stands for a fork of numbers, 58 of 66."""
        is_fork = self.node.stands is None and self.node.below
        return round(self.side * 58 / 66) if is_fork else self.side

    @property
    def top(self) -> float:
        """Return where a line from above ends: at the node, or short of a sign."""
        return self.y - (self.high / 2 or GAP)

    @property
    def foot(self) -> float:
        """Return where the node ends, and a chip or a line begins."""
        return self.y + (self.high / 2 or GAP)

    @property
    def box(self) -> Box:
        """Return the edges of the node, or of its sign."""
        half = self.side / 2 or GAP
        return Box(self.x - half, self.top, self.x + half, self.foot)

    def below(self, chip: float) -> Box:
        """Return where its value stands, and below a board that goes on who chooses."""
        high = chip
        if self.node.below and isinstance(self.node.stands, Position):
            high = 2 * chip + 4
        return Box(self.x - 20, self.foot, self.x + 20, self.foot + high)


class Edge(NamedTuple):
    """Hold the line down to the node at `path`, its upper end first, and the pen that draws it."""

    path: Path
    x1: float
    y1: float
    x2: float
    y2: float
    pen: Pen

    @property
    def curve(self) -> str:
        """Return the line as path data of SVG: upright at both ends, or straight where short."""
        across, down = self.x2 - self.x1, self.y2 - self.y1
        if down < SHORT:
            return f"M{self.x1:g} {self.y1:g}l{across:g} {down:g}"
        half = round(down / 2)
        return f"M{self.x1:g} {self.y1:g}c0 {half} {across:g} {half} {across:g} {down:g}"

    def at(self, t: float) -> tuple[float, float]:
        """Return the point on the curve at `t`, from 0 at the upper end to 1."""
        x = self.x1 + (self.x2 - self.x1) * t * t * (3 - 2 * t)
        return x, self.y1 + (self.y2 - self.y1) * (1.5 * t * (1 - t) + t**3)

    def stroke(self, length: float, is_stub: bool) -> tuple[float, float, float, float]:
        """Return a stroke of so many px across the line, leaning, from its left end."""
        # Where lines of one family have parted: three quarters down, or at the end of a stub.
        t, across, down = 1 if is_stub else 0.75, self.x2 - self.x1, self.y2 - self.y1
        x, y = self.at(t)
        tilt = atan2(abs(across) * 6 * t * (1 - t), down * (1.5 * (1 - 2 * t) + 3 * t * t))
        lean = max(STEEP, min(tilt, pi / 2 - STEEP))
        dx, dy = length / 2 * cos(lean), length / 2 * sin(lean) * (-1 if across < -20 else 1)
        return round(x - dx, 1), round(y + dy, 1), round(x + dx, 1), round(y - dy, 1)


class Area(NamedTuple):
    """Hold the area of the branch that begins with the move to `path`."""

    path: Path
    x: float
    y: float
    width: float
    height: float


class ValueAt(NamedTuple):
    """Hold where the value of the node at `path` stands, by its middle; `bare` without a frame."""

    path: Path
    x: float
    y: float
    worth: Worth | None
    bare: bool = False

    def box(self, chip: float) -> Box:
        """Return its edges, where the name of a bound may stand before the value, too."""
        letters = len(self.worth.text) + 2 * bool(self.worth.name) if self.worth else 1
        half, high = max(13, 7 + 4 * letters) * chip / CHIP, chip / 2 - 1
        return Box(self.x - half, self.y - high, self.x + half, self.y + high)


class Window(NamedTuple):
    """Hold where the window of the node at `path` stands: right of there, or left if `at_end`."""

    path: Path
    x: float
    y: float
    at_end: bool

    def box(self, room: float, chip: float) -> Box:
        """Return its edges, being so wide, in letters as high as those of a chip."""
        left, high = self.x - room * self.at_end, chip / 2 - 3
        return Box(left, self.y - high, left + room, self.y + high)


class Drawing(NamedTuple):
    """Hold a drawn tree: nodes in the order of the search, lines, values, windows and areas.

    A map has the area of the branch in view; a wide drawing has those of the folded branches. From
    one `row` to the next and across a line that is cut, for its `stroke`, are so many px; a window
    has so much `room`, a `chip` is so high.
    """

    width: float
    height: float
    row: int
    spots: tuple[Spot, ...]
    links: tuple[Edge, ...]
    chips: tuple[ValueAt, ...]
    areas: tuple[Area, ...] = ()
    stroke: float = 26
    windows: tuple[Window, ...] = ()
    room: float = WINDOW
    chip: float = CHIP

    @property
    def is_low(self) -> bool:
        """Say whether there is room for notes below."""
        return self.height < LOW

    @property
    def is_large(self) -> bool:
        """Say whether the drawing is one for a beamer."""
        return self.chip > CHIP

    def letters(self, spot: Spot) -> float:
        """Return the height of the letters on a node of numbers."""
        return round(max(LARGE if self.is_large else 0, spot.letters), 1)

    def pill(self, spot: Spot) -> tuple[float, float, float, float, float]:
        """Return the middle of the pill below a board, how wide and high it is, half its triangle's
        height, and the height of its letter.
        """
        if self.is_large:
            return spot.foot + self.chip + 16, 60, 28, 8, LARGE
        if spot.is_small:
            return spot.foot + 28, 30, 15, 3.5, 12
        return spot.foot + 38, 40, 20, 5, 14

    @property
    def curves(self) -> dict[Pen, str]:
        """Return all lines of each pen as path data of SVG."""
        return {pen: "".join(it.curve for it in self.links if it.pen == pen) for pen in PENS}

    def signs(self, scene: Scene) -> dict[Sign, list[Spot]]:
        """Return the spots that are no board, by the sign of who wins there."""
        found: dict[Sign, list[Spot]] = {}
        for spot in self.spots:
            if not spot.side:
                found.setdefault(scene.sign(spot.node), []).append(spot)
        return found

    @property
    def strokes(self) -> dict[Path, tuple[float, float, float, float]]:
        """Return a stroke across each line that is cut, by the path the line leads to."""
        sides = {spot.node.path: spot.side for spot in self.spots}
        return {
            edge.path: edge.stroke(
                self.stroke if sides.get(edge.path) or self.width == MAP else FOLDED,
                is_stub=edge.path not in sides,
            )
            for edge in self.links
            if edge.pen == "cut"
        }

    @property
    def scissors(self) -> list[tuple[float, float, int]]:
        """Return where scissors stand, and their width: at a stroke of each family, free of others.

        A family that is folded has none.
        """
        wide = SCISSORS if self.row > MAP_ROWS[1] else SCISSORS_ON_A_MAP
        drawn = {spot.node.path for spot in self.spots if spot.side}
        families: dict[Path, list[Box]] = {}
        for path, (x1, y1, x2, y2) in self.strokes.items():
            if path in drawn or self.width == MAP:
                families.setdefault(path[:-1], []).append(Box(x1, min(y1, y2), x2, max(y1, y2)))
        # By weight: a number is read, a stroke says the same, a sign is one of many.
        taken = [(3 if spot.side else 1, spot.box) for spot in self.spots]
        taken += [(3, spot.below(self.chip)) for spot in self.spots if spot.side]
        taken += [(NUMBER, chip.box(self.chip)) for chip in self.chips]
        taken += [(NUMBER, window.box(self.room, self.chip)) for window in self.windows]
        taken += [(2, stroke) for strokes in families.values() for stroke in strokes]

        found = []
        for strokes in families.values():
            places = [
                Box(x, y - wide / 2, x + wide, y + wide / 2)
                for stroke in reversed(strokes)
                for off in (0, -wide / 2, wide / 2, -wide, wide)
                for y in ((stroke.top + stroke.foot) / 2 + off,)
                for x in (stroke.right + 4, stroke.left - wide - 4)
            ]
            lefts, tops, rights, feet = zip(*places, strict=True)
            around = Box(min(lefts), min(tops), max(rights), max(feet))
            near = [(weight, box) for weight, box in taken if around.overlaps(box)]
            ways = [
                NUMBER * (place.left < 0 or place.right > self.width)
                + sum(weight for weight, box in near if place.overlaps(box))
                for place in places
            ]
            place = places[ways.index(min(ways))]
            if min(ways) < NUMBER:  # else they would hide one, and the strokes say the same
                found.append((place.left, place.top, wide))
        return found


# The map of a phone


def drawn_as_map(scene: Scene, row: int | None = None) -> Drawing:
    """Return the map of a tree, with so many px from one row to the next."""
    root = scene.root
    row = row or MAP_ROWS[root.levels]
    widths = {branch.path: MAP / len(root.leaves) * len(branch.leaves) for branch in root.below}
    middles = _middles(root, 0, 0, widths)
    # A board cut off is a number, where as many fit side by side.
    numbers = is_guessed(root) and len(root.leaves) <= MOST_WHOLE
    bare = {leaf.path for leaf in root.leaves if numbers}
    spots = {
        node.path: Spot(node, middles[node.path], TOP + row * len(node.path), 0)
        for node in root.walk()
        if not scene.is_left_out(node)
    }
    height, top = TOP + row * root.levels + 6, TOP + row * 0.55
    shown = [path for path in spots if scene.standing[path].frame or path in (scene.here, ())]
    is_open = row >= MAP_ROWS[2]  # closer rows leave no room for more than the stack
    # A fork that came back is a value in place of a sign, as that may be a bound.
    forks = [path for path in spots if is_open and path not in shown and root.at(path).below]
    values = {path: found for path in forks if (found := scene.worth(root.at(path)))}
    return Drawing(
        width=MAP,
        height=height,
        row=row,
        spots=tuple(spot for path, spot in spots.items() if path not in bare | values.keys()),
        links=tuple(_links(scene, spots, middles, row)),
        chips=(
            *(
                ValueAt(
                    path, spots[path].x, spots[path].y + 4, scene.worth(root.at(path)), bare=True
                )
                for path in spots
                if path in bare
            ),
            *(ValueAt(path, spots[path].x, spots[path].y, found) for path, found in values.items()),
            *(
                ValueAt(path, spot.x + (30 if spot.x < MAP - 54 else -30), spot.y, found)
                for path in shown
                if path not in bare
                if (found := scene.worth((spot := spots[path]).node))
            ),
        ),
        areas=tuple(
            Area(path, middles[path] - width / 2, top, width, height - top)
            for path, width in widths.items()
            if path == scene.here[:1]
        ),
        stroke=min(14, MAP / len(root.leaves)),
        windows=tuple(
            Window(path, x + (52 if x < MAP * 0.7 else -52), y, x >= MAP * 0.7)
            for path in shown
            if not path and is_open
            for _, x, y, _ in (spots[path],)
        ),
    )


def is_guessed(root: Node) -> bool:
    """Say whether the tree is cut off, so that boards on which the game goes on are leaves."""
    return any(isinstance(at := leaf.stands, Position) and not at.outcome() for leaf in root.leaves)


# Trees of boards


def is_whole(root: Node) -> bool:
    """Say whether so few boards end the tree that each can be drawn large, in at most four rows."""
    return root.levels <= 3 and len(root.leaves) <= (MOST_WHOLE if is_guessed(root) else 6)


def drawn_wide(scene: Scene) -> Drawing:
    """Return a tree: of boards with the branch in view open, and at the root all of its moves."""
    root = scene.root
    if root.stands is None:
        return _in_numbers(scene, OWN, WIDE, ROWS[root.levels])
    if is_guessed(root) and is_whole(root):
        return _in_boards(scene, CUT_OFF if root.levels < 3 else DEEPER, WIDE)
    few = FEWER if is_whole(root) else FOUR_EMPTY
    return _in_boards(scene, few if root.levels < 5 else FIVE_TURNS, WIDE)


def drawn_large(scene: Scene) -> Drawing | None:
    """Return a tree whole, for a beamer, in letters of 22 px; None where only a map can hold it."""
    root = scene.root
    if root.stands is None:
        drawn = _in_numbers(scene, OWN_ON_A_BEAMER, BEAMER, ROWS_ON_A_BEAMER[root.levels])
        return drawn if min(spot.side for spot in drawn.spots) >= LEGIBLE else None
    if not is_whole(root):
        return None
    if not is_guessed(root):
        return _in_boards(scene, FEWER_ON_A_BEAMER, BEAMER)
    size = CUT_OFF_ON_A_BEAMER if root.levels < 3 else DEEPER_ON_A_BEAMER
    return _in_boards(scene, size, BEAMER)


def drawn_whole(scene: Scene) -> Drawing | None:
    """Return a tree whole, for a phone; None where only a map can hold all of it."""
    root = scene.root
    if root.stands is not None:
        fits = is_whole(root) and not is_guessed(root)
        return _in_boards(scene, FEWER_ON_A_PHONE, MAP) if fits else None
    if root.levels not in ROWS_ON_A_PHONE or len(root.leaves) > MOST_WHOLE:
        return None
    return _in_numbers(scene, OWN_ON_A_PHONE, MAP, ROWS_ON_A_PHONE[root.levels])


def drawn_plain(scene: Scene) -> Drawing:
    """Return a tree of numbers that is set up, for a phone, without room for values."""
    root = scene.root
    if len(root.leaves) > MOST_PLAIN:
        return drawn_wide(scene)
    return _in_numbers(scene, PLAIN_ON_A_PHONE, MAP, ROWS_OF_PLAIN[root.levels])


def _in_boards(scene: Scene, size: Size, wide: int) -> Drawing:
    root, here = scene.root, scene.here
    opened = {b.path for b in root.below if is_whole(root) or b.path == here[:1]}
    # At the root each move is a board, and its folded branch at least as wide.
    least = 0 if here else size.board + APART
    apart, each = float(APART), float(size.end)
    if is_whole(root) and len(root.below) > 1:
        apart = min(APART, (wide - 4 - (size.leaf + 1) * len(root.leaves)) / (len(root.below) - 1))
        each = min(each, (wide - 4 - apart * (len(root.below) - 1)) / len(root.leaves))
    gaps = apart * (len(root.below) - 1)
    inside = sum(each * len(b.leaves) for b in root.below if b.path in opened)
    folded = sum(len(b.leaves) for b in root.below if b.path not in opened)
    if not is_whole(root) and opened:
        ends = sum(len(b.leaves) for b in root.below if b.path in opened)
        each = min(each, (wide - 4 - gaps - folded * 4) / ends)
        inside = each * ends
    end = min(FOLDED, (wide - gaps - inside) / folded) if folded else FOLDED
    widths = {
        b.path: each * len(b.leaves) if b.path in opened else max(end * len(b.leaves), least)
        for b in root.below
    }
    width = sum(widths.values()) + gaps
    middles = _middles(root, (wide - width) / 2, apart, widths)
    if not is_whole(root):  # so few boards are in reach that the root need not come along
        middles[()] = middles[here[:1]]
    spots, chips, down = {}, [], size.row * root.levels
    for node in root.walk():
        path, known = node.path, scene.worth(node)
        is_board = not path or path[:1] in opened or (len(path) == 1 and not here)
        is_board = is_board and not (node.over and each < CROWDED)
        fits = int(each * len(node.leaves)) - 3 if path else size.board
        if node.over:
            side = min(size.leaf, int(each) - 2)
        else:
            side = (
                size.board
                if size.leaf == size.board and each == size.end
                else min(size.board, fits)
            )
        x, y = middles[path], 3 + side // 2 + size.row * len(path)
        if is_board or not scene.is_left_out(node):
            spots[path] = Spot(node, x, y, side if is_board else 0)
        if known and is_board:
            chips.append(ValueAt(path, x, y + (side + size.chip) // 2, known))
        elif known and len(path) == 1:
            chips.append(ValueAt(path, x, y - size.chip, known))
    links = tuple(_links(scene, spots, middles, size.row, size.chip))
    return Drawing(
        width=wide,
        height=3 + down + (size.leaf if is_whole(root) else size.board) + size.chip,
        row=size.row,
        spots=tuple(spots.values()),
        links=links,
        chips=tuple(chips),
        windows=_windows(scene, spots, links, wide, size),
        room=size.window,
        chip=size.chip,
        areas=tuple(
            Area(path, middles[path] - width / 2, size.row, width, down)
            for path, width in widths.items()
            if here and path not in opened
        ),
    )


# Trees of numbers


def _in_numbers(scene: Scene, size: Numbers, wide: int, row: int) -> Drawing:
    root = scene.root
    places, right, parent = dict[Path, float](), 0.0, None
    for leaf in root.leaves:
        right += (size.apart if places else 0) + (size.family if parent else 0) * (
            parent != leaf.path[:-1]
        )
        places[leaf.path], parent = right, leaf.path[:-1]
    scale = min(1, (wide - size.leaf - 4) / right) if right else 1
    left, apart = (wide - right * scale) / 2, size.apart * scale
    fork = min(size.fork, (row - size.gap) * 66 / 58)
    is_tight = apart < NARROW
    leaf_side = min(size.leaf, *((2 * apart - 4, (row - 8) / 2) if is_tight else (apart - 2,)))
    spots: dict[Path, Spot] = {}

    def stand(node: Node) -> float:
        """Put a node over its children, and return where its middle is."""
        if node.over:
            x, side = left + places[node.path] * scale, leaf_side
        else:
            xs = [stand(child) for child in node.below]
            x, side = (xs[0] + xs[-1]) / 2, min(fork, apart * len(node.leaves) - 2)
            side = max(side, NARROW - 2)
            x = min(max(x, side / 2 + 1), wide - side / 2 - 1)
        lower = is_tight and node.over and [*places].index(node.path) % 2
        spot = Spot(node, round(x), 0, int(side))
        top = 4 + row * len(node.path) + (leaf_side + 4 if lower else 0)
        spots[node.path] = spot._replace(y=top + spot.high / 2)
        return x

    stand(root)
    middles = {path: spot.x for path, spot in spots.items()}
    ordered = {node.path: spots[node.path] for node in root.walk()}
    links = tuple(_links(scene, ordered, middles, row, size.chip))
    return Drawing(
        width=wide,
        height=8 + row * root.levels + leaf_side * (2 if is_tight else 1) + (4 if is_tight else 0),
        row=row,
        spots=tuple(ordered.values()),
        links=links,
        chips=tuple(
            ValueAt(path, spot.x, spot.foot + size.chip // 2, scene.worth(spot.node))
            for path, spot in ordered.items()
            if spot.node.below
            if scene.worth(spot.node) or scene.standing[path].frame
        ),
        windows=_windows(scene, ordered, links, wide, size),
        room=size.window,
        chip=size.chip,
        stroke=min(26 if wide > MAP else 20, apart * 0.6),
    )


def _windows(
    scene: Scene,
    spots: Mapping[Path, Spot],
    links: Iterable[Edge],
    wide: int,
    size: Size | Numbers,
) -> tuple[Window, ...]:
    """Return where the windows of the nodes on the stack stand; a leaf has none.

    A window stands right of its node, else left, else beside the line from above, or beside who
    chooses there: where the least is in the way, values too that are not known yet, so that no
    window jumps. In the way are also the line itself, and on a desktop the one that leads from the
    sentence to a node.
    """
    lines = {edge.path: edge for edge in links}
    drawn = [spot for spot in spots.values() if spot.side]
    taken = [(3.0, spot.box) for spot in drawn]
    taken += [
        (1.0, spot.below(size.chip))
        for spot in drawn
        if spot.node.below or spot.node.stands is not None
    ]

    def stand(spot: Spot) -> Window:
        path, aside = spot.node.path, spot.side / 2 + 6
        above = spot.top - size.chip / 2 - 3
        parent = spots[path[:-1]].x if path else spot.x
        way = -1 if parent > spot.x else 1
        places = [(spot.x + aside, spot.y, False), (spot.x - aside, spot.y, True)]
        for x, apart in ((spot.x, 5), (spot.x, 24), (parent, 26)):
            places += [(x + off * way, above, off * way < 0) for off in (apart, -apart)]
        lead = Box(-MARGIN, spot.top - LEAD - 1, spot.x - spot.side / 2, spot.top - LEAD + 1)
        mine = [(2.0, lead)] if wide == WIDE and path else []
        if path:
            points = (lines[path].at(t) for t in (0.5, 0.6, 0.7, 0.8, 0.9))
            mine += [(0.4, Box(x, y, x, y)) for x, y in points]

        def in_the_way(window: Window) -> float:
            box = window.box(size.window, size.chip)
            is_out = box.left < -MARGIN or box.right > wide + MARGIN
            return NUMBER * is_out + sum(n for n, other in taken + mine if box.overlaps(other))

        return min((Window(path, *place) for place in places), key=in_the_way)

    on_stack = (spot for path, spot in spots.items() if scene.standing[path].frame)
    return tuple(stand(spot) for spot in on_stack if not spot.node.over)


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
    scene: Scene,
    spots: Mapping[Path, Spot],
    middles: Mapping[Path, float],
    row: int,
    chip: int = CHIP,
) -> Iterator[Edge]:
    """Yield the line to each node but the root; where a sign is cut, a stub of its line."""
    for node in scene.root.walk():
        path = node.path
        above, spot = spots.get(path[:-1]), spots.get(path)
        if not path or not above or (not spot and scene.stage(node) != "cut"):
            continue
        below_chip = chip if scene.worth(above.node) else 1
        y = above.foot + (below_chip if above.side else 0)
        pen = _pen(node, scene)
        if spot:
            yield Edge(path, above.x, y, spot.x, spot.top, pen)
        else:
            x = round(above.x + (middles[path] - above.x) * 0.6)
            yield Edge(path, above.x, y, x, round(above.y + row * 0.6), pen)


def _pen(node: Node, scene: Scene) -> Pen:
    """Return the pen of the line to a node: whether the search took, or may take, that way."""
    if scene.stage(node) == "cut":
        return "cut"
    if scene.stage(node) in ("waiting", "below a cut"):
        return "pale"
    if node.path in scene.line[1:]:
        return "up"
    if scene.here[: len(node.path)] == node.path:
        return "on"
    return "tried" if node.path == scene.tried else "known"
