"""Screens 10 and 11: the code of minimax, and how many nodes it searches."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import getsource

from teach.lesson.boards import MAIN_BOARD
from teach.lesson.screen import WORDS, BetScreen, Card, CodeScreen, Line, Link, State
from teach.lesson.trees import Markings, build_tree
from teach.markings import UNKNOWN, Chip, Edge, Marking, score_chip
from teach.searches import code_lines
from teach.trees import Node

# Screen 10: Nine lines

LINE_NUMBERS = "123456789"  # a press on a line is its number
ROOT_BOUND = Chip("≤ +1", "nobody")  # at the root, once its first child has returned +1
# What is marked in the tree, by path, once the learner has found no line, one, two, three, or all
# four.
MARKINGS_BY_FOUND_COUNT: tuple[dict[str, Marking], ...] = (
    {"": {"pulsing_part": "badge"}, "2": {"chip": UNKNOWN}, "3": {"chip": UNKNOWN}},
    {"2": {"chip": UNKNOWN, "pulsing_part": "chip"}, "3": {"chip": UNKNOWN}},
    {"2": {"role": "in view"}, "3": {"chip": UNKNOWN}},
    {
        "": {"chip": ROOT_BOUND},
        "2": {"edge": Edge("backed up", "X")},
        "3": {"pulsing_part": "chip", "is_new": True},
    },
    {
        "": {"chip": score_chip(-1)},
        "3": {"edge": Edge("backed up", "O"), "role": "chosen", "is_new": True},
    },
)


# Minimax again, with values from the point of view of the side to move, so both sides take the
# highest. Learners read this code on phones, so its lines must be short: ruff may not join them.
# fmt: off
def negamax(node: Node) -> float:
    if node.over:
        sign = 1 if node.is_max else -1
        return sign * node.value
    return max(
        -negamax(child)
        for child in node.children())
# fmt: on


NEGAMAX_LINES = tuple(getsource(negamax).splitlines())


def nine_lines(state: State) -> CodeScreen:
    """Return screen 10: minimax in nine lines of words and, once four are found, in Python."""
    words, tree = WORDS["10"], build_tree(MAIN_BOARD.play(5))
    line_to_find = next((line for line in words["questions"] if line not in state.kept_presses), "")
    in_python = state.view == "python"
    if in_python:
        words = words | {"card": words["card"] | {"text": words["python"]}}
        switch = Link(words["to_words"], state._replace(view=""))
    else:
        switch = Link(words["to_python"], state._replace(view="python"))
    markings = Markings(tree.walk())
    markings[""]["chip"] = UNKNOWN  # keeps space for the value of the root
    for path, marking in MARKINGS_BY_FOUND_COUNT[len(state.kept_presses)].items():
        markings[path] |= marking
    return CodeScreen(
        words=words if line_to_find else words | {"intro": words["solved"]},
        tree=markings.on(tree),
        lines=_lines(state, line_to_find, code_lines("minimax") if in_python else words["lines"]),
        in_python=in_python,
        question=words["questions"].get(line_to_find, ""),
        cards=_line_cards(state) if not in_python else (),
        switch=None if line_to_find else switch,
        is_solved=not line_to_find,
        listing=NEGAMAX_LINES,
    )


def _lines(state: State, line_to_find: str, texts: Iterable[str]) -> tuple[Line, ...]:
    """Return the lines of the program, which can be clicked until the last question is answered."""
    lines = []
    for number, text in zip(LINE_NUMBERS, texts, strict=True):
        is_right = number == line_to_find
        next_state = state.choose(number, is_right) if line_to_find else None
        lines.append(Line(text, next_state, is_last_press=number == state.last_press))
    return tuple(lines)


def _line_cards(state: State) -> tuple[Card, ...]:
    """Return the card with the remark on the last line pressed; none before the first press."""
    words, last_line = WORDS["10"], state.last_press
    if not last_line:
        return ()
    if state.wrong_press:
        return (Card("", f"{words['wrong']} {words['purposes'][last_line]}"),)
    return (Card("", words["right"][last_line], is_right=True),)


# Screen 11: How many nodes?

BETS = {"5": "5,000", "50": "50,000", "500": "500,000"}  # by press, which is in thousands
RIGHT_BET = "500"


def how_many_nodes(state: State) -> BetScreen:
    """Return screen 11: bets; once one is placed, also the counts as areas, with the bet last."""
    words, bet = WORDS["11"], state.last_press
    card = words["card"] | {"title": words["right" if bet == RIGHT_BET else "low"]}
    bets = tuple(
        Link(text, State(kept_presses=(press,)), is_current=press == bet)
        for press, text in BETS.items()
    )
    return BetScreen(
        words=words | {"card": card},
        bets=bets,
        question="" if bet else words["question"],
        areas=words["counts"] | {BETS[bet]: int(bet) * 1000} if bet else {},
        is_solved=bool(bet),
    )
