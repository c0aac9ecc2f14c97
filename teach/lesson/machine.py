"""Screens 10 and 11: the code of the search, and how many boards it looks at."""

from __future__ import annotations

from inspect import getsource

from teach.lesson.boards import MAIN_BOARD
from teach.lesson.screen import WORDS, BetScreen, Card, CodeScreen, Line, Link, State
from teach.lesson.trees import Markings, build_tree
from teach.markings import UNKNOWN, Chip, Edge, Marking, score_chip
from teach.searches import code_lines
from teach.trees import Node

# 10: Nine lines

LINE_NUMBERS = "123456789"  # each is also the press on its line
ROOT_BOUND = Chip("≤ +1", "nobody")  # at the root, once its first child has returned
# Markings by path: one table for each line that the reader looks for, then one for the end.
MARKINGS: tuple[dict[str, Marking], ...] = (
    {"": {"pulses": "badge"}, "2": {"chip": UNKNOWN}, "3": {"chip": UNKNOWN}},
    {"2": {"chip": UNKNOWN, "pulses": "chip"}, "3": {"chip": UNKNOWN}},
    {"2": {"role": "in view"}, "3": {"chip": UNKNOWN}},
    {
        "": {"chip": ROOT_BOUND},
        "2": {"edge": Edge("passed up", "X")},
        "3": {"pulses": "chip", "is_new": True},
    },
    {
        "": {"chip": score_chip(-1)},
        "3": {"edge": Edge("passed up", "O"), "role": "chosen", "is_new": True},
    },
)


# Minimax again, with values from the view of the side to move, so both sides take the highest.
# The lines are short, so that a phone shows them whole.
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
    """Return screen 10: minimax in nine lines of words and, once four are found, in Python."""
    words, tree = WORDS["10"], build_tree(MAIN_BOARD.play(5))
    asked_line = next((n for n in words["questions"] if n not in state.kept), "")
    last_line = state.last
    markings = Markings(tree.walk())
    markings[""]["chip"] = UNKNOWN  # so that its value has room from the start
    for path, marking in MARKINGS[len(state.kept)].items():
        markings[path] |= marking
    remark = words["right"].get(last_line, "")
    if state.tried:
        remark = f"{words['wrong']} {words['purposes'][last_line]}"
    in_python = state.at == "python"
    if in_python:
        words = words | {"card": words["card"] | {"text": words["python"]}}
        switch = Link(words["to_words"], state._replace(at=""))
    else:
        switch = Link(words["to_python"], state._replace(at="python"))
    texts = code_lines("minimax") if in_python else words["lines"]
    return CodeScreen(
        words=words if asked_line else words | {"intro": words["solved"]},
        tree=markings.on(tree),
        lines=tuple(
            Line(text, state.choose(n, n == asked_line) if asked_line else None, n == last_line)
            for n, text in zip(LINE_NUMBERS, texts, strict=True)
        ),
        in_python=in_python,
        question=words["questions"].get(asked_line, ""),
        cards=(Card("", remark, is_right=not state.tried),) if last_line and not in_python else (),
        switch=None if asked_line else switch,
        is_solved=not asked_line,
        listing=NEGAMAX,
    )


# 11: How many boards?

BETS = {"5": "5,000", "50": "50,000", "500": "500,000"}


def how_many_boards(state: State) -> BetScreen:
    """Return screen 11: the bets; once one is placed, also numbers as areas, with the bet last."""
    words, bet = WORDS["11"], state.last
    card = words["card"] | {"title": words["right" if bet == "500" else "low"]}
    bets = tuple(
        Link(text, State(kept=(name,)), is_current=name == bet) for name, text in BETS.items()
    )
    return BetScreen(
        words=words | {"card": card},
        bets=bets,
        question="" if bet else words["question"],
        areas=words["boards"] | {BETS[bet]: int(bet) * 1000} if bet else {},
        is_solved=bool(bet),
    )
