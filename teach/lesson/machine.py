"""The screens on the search of a machine: the longest way to lose, the code, the cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.notation import to_digits
from engine.position import Position
from engine.results import result
from engine.search import WIN, score
from teach.drawing import Drawing, Scene, Worth, drawn_as_map, worth
from teach.lesson.boards import HEART
from teach.lesson.screen import WORDS, Card, Chip, Link, Screen, State, number, signed
from teach.lesson.trees import Marks, grown
from teach.searches import Node, Path, code, value
from teach.trees import TreeNode, tree

# 9: Losing? Last longest

LOST = Position.parse("-X---XOOX")


class Place(NamedTuple):
    """Hold the place in view in the tree of screen 9, and the presses on boards by their path.

    The boards below are `known` by their values, or only those in `known`.
    """

    path: Path
    presses: tuple[tuple[Path, State], ...]
    known: tuple[Path, ...]


def losing_last_longest(state: State) -> Screen:
    """Return screen 9: a place in a tree of 47 boards."""
    words, path = WORDS["9"], tuple(map(int, state.at))
    below = [(*path, square) for square in LOST.after(path).legal_moves()]
    up = State(state.seen, at=state.at[:-1])
    down = [(to, State(tuple(sorted({*state.seen, str(to[0])})), at=to_digits(to))) for to in below]
    known = below if path else [to for to in below if str(to[0]) in state.seen]
    return Screen(
        say=words["say"],
        cards=(_below(words, path, alone=state.seen == ("2",)),) if path else (),
        done="2" in state.seen and len(state.seen) > 1,
        picture=Place(path, (*down, *([(path[:-1], up)] if path else ())), tuple(known)),
    )


def _below(words: Mapping[str, str], path: Path, alone: bool) -> Card:
    """Return the sentence on a board below the top, `alone` while no other move was seen."""
    position = LOST.after(path)
    worth = value(position, len(path), "depth")
    key = "below" if len(path) > 1 else "late" if path == (2,) else "soon"
    winner = result(score(position), position.turn).winner
    told = {"value": signed(worth), "turns": WIN - abs(worth), "winner": winner}
    compare = words["alone"] if alone and key == "late" else ""
    return Card("", words[key].format(**told) + compare, winner or "")


class View(NamedTuple):
    """Hold the drawn parts of a place: map, node, node above, and the worths by path."""

    map: Drawing
    node: TreeNode
    above: TreeNode | None
    worths: Mapping[Path, Worth | None]


def view(place: Place) -> View:
    """Return the drawn parts of a place in the tree of screen 9."""
    # No line of play is marked at the top: the learner looks for the best.
    root = tree(LOST, merged=False, scoring="depth", here=place.path or (-1,))
    scene = Scene(root, place.path)
    nodes = {node.path: node for node in root.walk()}
    drawn = drawn_as_map(scene, row=25)
    return View(
        map=drawn._replace(chips=tuple(c for c in drawn.chips if c.path and c.path == place.path)),
        node=nodes[place.path],
        above=nodes[place.path[:-1]] if place.path else None,
        worths={path: worth(nodes[path], scene) if path in place.known else None for path in nodes},
    )


# 10: Nine lines


class Line(NamedTuple):
    """Hold a line of the code, to be pressed; the last one pressed is `on`."""

    text: str
    press: State
    on: bool


LOOKS: dict[str, dict[str, dict[str, Any]]] = {
    "1": {"": {"look": "is-here"}},
    "2": {"": {"look": "is-here"}},
    "3": {"2": {"pulse": "chip", "look": "asks"}, "3": {"pulse": "chip", "look": "asks"}},
    "4": {"": {"pulse": "badge"}},
    "5": {"": {"chip": Chip("+∞", "X")}},
    "6": {"2": {"look": "asks"}, "3": {"look": "asks"}},
    "7": {"2": {"edge": "down", "look": "is-here", "new": True}},
    "8": {"3": {"edge": "up O", "look": "picked", "new": True}},
    "9": {"": {"pulse": "chip"}},
}


# Minimax once more: each value is for the side to move, so that both sides take the highest.
def negamax(node: Node) -> float:
    if node.over:
        return node.value if node.is_max else -node.value
    return max(-negamax(child) for child in node.children())


def nine_lines(state: State) -> Screen:
    """Return screen 10: three requests, each answered by pressing a line of the code."""
    words, tree, marks = WORDS["10"], grown(HEART.play(5)), Marks()
    asked = next((n for n in words["asks"] if n not in state.p), "")
    shown = state.tried or next(reversed(state.p), "")
    done = not asked
    if state.p or shown == "3":
        marks.number(tree)
    marks[""] |= {"chip": number(tree.value) if "4" in state.p or shown in ("8", "9") else None}
    for path, look in LOOKS.get(shown, {}).items():
        marks[path] |= look
    said = words["right" if shown in state.p and not state.tried else "does"].get(shown, "")
    title = f"Line {shown}." if shown else ""
    links = tuple(Link(words[place], place=place) for place in ("watch", "write"))
    return Screen(
        say=words["say"] + (words["asks"][asked] if asked else ""),
        tree=marks.on(tree),
        cards=(Card(title, said),) + ((Card(**words["card"], links=links),) if done else ()),
        done=done,
        picture=tuple(
            Line(text, state.press(n) if n == asked else state.attempt(n), n == shown)
            for n, text in ((str(n), text) for n, text in enumerate(code("minimax"), 1))
        ),
    )


# 11: How many boards?

# What the search of the whole game looks at: each way to each board, each board, each up to
# symmetry. A test counts them again.
BOARDS = {"plain": 549_946, "memo": 5_478, "symmetric": 765}
BETS = {"5": "5 thousand", "50": "50 thousand", "500": "500 thousand"}
SIDE = 200  # px: the edge of the square of the largest number


class Square(NamedTuple):
    """Hold a square whose area is in proportion to a number of boards."""

    name: str
    boards: int
    side: float


class Bets(NamedTuple):
    """Hold the bets to press; once placed, the squares and the bet's own."""

    bets: tuple[Link, ...]
    squares: tuple[Square, ...]
    bet: Square | None


def how_many_boards(state: State) -> Screen:
    """Return screen 11: a bet, and the numbers as areas."""
    words, bet = WORDS["11"], next(iter(state.p), "")
    title, text = words["card"]["title"], words["card"]["text"]
    text = text if bet == "500" else f"{words['low']} {text}"
    card = Card(title, text, links=(Link(words["twice"], place="twice"),))
    return Screen(
        say=words["say"],
        cards=(card,) if bet else (),
        done=bool(bet),
        picture=Bets(
            bets=tuple(
                Link(text, State(p=(n,)), look="on" if n == bet else "") for n, text in BETS.items()
            ),
            squares=tuple(_square(words[name], boards) for name, boards in BOARDS.items())
            if bet
            else (),
            bet=_square(BETS[bet], int(bet) * 1000) if bet else None,
        ),
    )


def _square(name: str, boards: int) -> Square:
    return Square(name, boards, round(SIDE * (boards / BOARDS["plain"]) ** 0.5, 1))
