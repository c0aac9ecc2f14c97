"""The screens on the search of a machine: the code, and how many boards it looks at."""

from __future__ import annotations

from inspect import getsource

from teach.drawn import UNKNOWN, Chip, Marking, number
from teach.lesson.boards import HEART
from teach.lesson.screen import WORDS, BetScreen, Card, CodeScreen, Link, State
from teach.lesson.trees import Marks, grown
from teach.searches import code
from teach.trees import Node

# 10: Nine lines

CODE = [line.replace(4 * " ", 2 * " ") for line in code("minimax")]  # to stand beside words
# How the tree is drawn while each line is asked for, and in the end: marks of nodes, by path.
SO_FAR = number(1)  # what O has after the first board
SCENES: tuple[dict[str, Marking], ...] = (
    {"2": {"look": "is-here"}, "3": {"chip": UNKNOWN}},
    {"": {"pulse": "badge"}, "3": {"chip": UNKNOWN}},
    {"": {"chip": SO_FAR}, "2": {"edge": "up X"}, "3": {"chip": UNKNOWN, "look": "is-here"}},
    {"": {"chip": SO_FAR}, "2": {"edge": "up X"}, "3": {"pulse": "chip", "new": True}},
    {"": {"chip": number(-1)}, "3": {"edge": "up O", "look": "picked", "new": True}},
)
# How it is drawn once a line of the Python is pressed, by the line.
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
# No line is longer than a phone shows.
# fmt: off
def negamax(node: Node) -> float:
    if node.over:
        sign = 1 if node.is_max else -1
        return sign * node.value
    return max(
        -negamax(child)
        for child in node.children())
# fmt: on


NEGAMAX = tuple(getsource(negamax).splitlines())


def nine_lines(state: State) -> CodeScreen:
    """Return screen 10: nine lines in words, of which four are asked for; then the Python."""
    words, tree = WORDS["10"], grown(HEART.play(5))
    asked = next((n for n in words["asks"] if n not in state.p), "")
    marks = Marks(tree.walk())
    marks[""]["chip"] = UNKNOWN  # its room is there from the start
    in_python = state.at == "python"
    shown = state.tried if in_python else state.last
    scene = LOOKS[shown] if in_python and shown else SCENES[len(state.p)]
    for path, look in scene.items():
        marks[path] |= look
    said = words["does" if state.tried else "right"].get(shown, "")
    if state.tried and asked:
        said = f"{words['no']} {said}"
    return CodeScreen(
        words=words | {"say": words["python"]} if in_python else words,
        tree=marks.on(tree),
        code=tuple(
            Link(text, state.choose(n, n == asked), look="on" if n == shown else "")
            for n, text in zip(LOOKS, CODE if in_python else words["lines"], strict=True)
        ),
        in_words=not in_python,
        asks=words["asks"].get(asked, ""),
        cards=(Card("", said, right=not state.tried),) if shown else (),
        done=in_python,
        on=None if asked or in_python else Link(words["on"], State(p=state.p, at="python")),
        listing=NEGAMAX,
    )


# 11: How many boards?

BETS = {"5": "5,000", "50": "50,000", "500": "500,000"}


def how_many_boards(state: State) -> BetScreen:
    """Return screen 11: a bet, and once it is placed the numbers as areas, the bet's own last."""
    words, bet = WORDS["11"], state.last
    card = words["card"] | {"title": words["right" if bet == "500" else "low"]}
    bets = tuple(Link(text, State(p=(n,)), "on" if n == bet else "") for n, text in BETS.items())
    return BetScreen(
        words=words | {"card": card},
        bets=bets,
        asks="" if bet else words["asks"],
        areas=words["boards"] | {BETS[bet]: int(bet) * 1000} if bet else {},
        done=bool(bet),
    )
