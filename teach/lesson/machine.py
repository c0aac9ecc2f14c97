"""The screens on the search of a machine: the longest way to lose, the code, the cost."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import getsource
from typing import NamedTuple

from engine.notation import signed, to_digits
from engine.position import Position, X
from engine.results import result
from engine.search import WIN, score
from teach.drawing import Drawing, drawn_as_map
from teach.lesson.boards import HEART
from teach.lesson.screen import WORDS, Card, Chip, Link, Marking, Screen, State, number
from teach.lesson.trees import Marks, grown
from teach.scenes import Scene, scene_known
from teach.searches import Standing, code
from teach.trees import Node, Path, tree, value

# 9: Losing? Last longest

LOST = Position.parse("-X---XOOX")


class Viewed(NamedTuple):
    """Hold the path of the board in view on screen 9, and the presses by the paths of boards.

    The boards below with a path in `known` show their values.
    """

    path: Path
    presses: tuple[tuple[Path, State], ...]
    known: tuple[Path, ...]

    @property
    def is_open(self) -> bool:
        """Say whether the top is in view, with moves that the learner has not looked at."""
        return not self.path and len(self.known) < len(LOST.legal_moves())

    def view(self) -> tuple[Drawing, Scene]:
        """Return the map of the tree, and the scene without the values not known yet."""
        # No line of play is marked at the top while the learner looks for the best.
        whole = scene_known(tree(LOST), self.path, "depth", self.is_open)
        drawn = drawn_as_map(whole, row=25)
        chips = tuple(chip for chip in drawn.chips if chip.path == self.path and not self.is_open)
        hidden = {
            child.path: Standing("searched")
            for child in whole.root.at(self.path).below
            if child.path not in self.known
        }
        return drawn._replace(chips=chips), whole._replace(standing={**whole.standing, **hidden})


def losing_last_longest(state: State) -> Screen:
    """Return screen 9: a place in a tree of 47 boards."""
    words, path = WORDS["9"], tuple(map(int, state.at))
    below = [(*path, square) for square in LOST.after(path).legal_moves()]
    presses = [(to, state.take_back(str(to[0]))._replace(at=to_digits(to))) for to in below]
    if path:
        presses.append((path[:-1], state._replace(at=state.at[:-1])))
    known = [to for to in below if path or str(to[0]) in state.seen]
    viewed = Viewed(path, tuple(presses), tuple(known))
    done = "2" in state.seen and len(state.seen) > 1
    card = _below(words, path, done) if path else Card("", words["all"], X)
    return Screen(words=words, cards=() if viewed.is_open else (card,), done=done, picture=viewed)


def _below(words: Mapping[str, str], path: Path, done: bool) -> Card:
    """Return the sentence on a board below the top, and the answer once two moves are compared."""
    position = LOST.after(path)
    worth = value(position, len(path), "depth")
    key = "below" if len(path) > 1 else "late" if path == (2,) else "soon"
    winner = result(score(position), position.turn).winner
    told = {"value": signed(worth), "turns": WIN - abs(worth), "winner": winner}
    text = words[key].format(**told)
    if len(path) == 1:
        text += words["best"] if done else words["alone"] if key == "late" else ""
    return Card("", text, winner or "")


# 10: Nine lines

# How the tree is drawn once a line is pressed: marks of nodes, by line and path.
LOOKS: dict[str, dict[str, Marking]] = {
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


NEGAMAX = getsource(negamax).splitlines()


def nine_lines(state: State) -> Screen:
    """Return screen 10: three requests, each answered by pressing a line of the code."""
    words, tree, shown = WORDS["10"], grown(HEART.play(5)), state.last
    asked = next((n for n in words["asks"] if n not in state.p), "")
    marks = Marks(tree.walk() if state.p or shown == "3" else ())
    if "4" in state.p or shown in ("8", "9"):
        marks[""]["chip"] = number(tree.value)
    else:
        marks.pop("", None)
    for path, look in LOOKS.get(shown, {}).items():
        marks[path] |= look
    said = words["does" if state.tried else "right"].get(shown, "")
    if state.tried and asked:
        said = f"{words['no']} {said}"
    title = f"Line {shown}." if shown else ""
    return Screen(
        words=words | {"say": words["say"] + words["asks"].get(asked, "")},
        tree=marks.on(tree),
        cards=(Card(title, said),),
        done=not asked,
        picture=tuple(
            Link(text, state.choose(n, n == asked), look="on" if n == shown else "")
            for n, text in zip(LOOKS, code("minimax"), strict=True)
        ),
    )


# 11: How many boards?

BETS = {"5": "5 thousand", "50": "50 thousand", "500": "500 thousand"}


def how_many_boards(state: State) -> Screen:
    """Return screen 11: a bet, and once it is placed the numbers as areas, the bet's own last."""
    words, bet = WORDS["11"], state.last
    card, boards = words["card"], words["boards"]
    if bet != "500":
        card = card | {"text": f"{words['low']} {card['text']}"}
    shown = boards | {BETS[bet]: int(bet) * 1000} if bet else {}
    bets = tuple(Link(text, State(p=(n,)), "on" if n == bet else "") for n, text in BETS.items())
    return Screen(
        words=words | {"card": card},
        done=bool(bet),
        picture=(bets, shown),
    )
