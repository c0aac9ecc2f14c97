"""The fourteen screens by number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import groupby
from statistics import fmean

from teach.lesson import alpha_beta, boards, machine, trees
from teach.lesson.boards import board_screen
from teach.lesson.screen import WORDS, Screen, State, next_states

SCREENS: Mapping[str, Callable[[State], Screen]] = {
    "1": partial(board_screen, boards.ONE),
    "2": boards.no_win_yet,
    "3": boards.be_the_other_side,
    "4": trees.who_chooses,
    "5": trees.give_it_numbers,
    "6": trees.on_your_own,
    "7": boards.luck_is_no_plan,
    "8": boards.sooner_is_better,
    "9": trees.losing_last_longest,
    "10": machine.nine_lines,
    "11": machine.how_many_boards,
    "12": alpha_beta.what_cannot_matter,
    "13": trees.the_best_first,
    "14": partial(board_screen, boards.FOURTEEN),
}
FIRST, LAST = 1, 14
GROUPS = {
    group: [*screens]
    for group, screens in groupby(range(FIRST, LAST + 1), lambda n: WORDS[str(n)]["group"])
}
# For each plan for a class, its first and its last screen.
PLANS = {
    "short": (FIRST, 6),
    "no_code": (FIRST, GROUPS["Score"][-1]),
    "pruning": (GROUPS["Speed"][0], GROUPS["Speed"][-1]),
}
# For each screen, a query that solves it.
SOLVED = {
    "1": "p=4", "2": "p=3&p=2", "3": "p=5&at=2", "4": "p=23&p=35&p=53&p=3", "5": "p=3&p=5&p=top",
    "6": "p=0", "7": "seen=2&p=0", "8": "seen=1&seen=5&at=turns",
    "9": "seen=2&seen=3&seen=5&seen=6&seen=8&p=8", "10": "p=4&p=7&p=3&p=8", "11": "p=500",
    "12": "p=cut&at=other", "13": "p=2&p=3", "14": "p=4&p=1&p=6&p=5",
}  # fmt: skip


def seconds(n: int) -> int:
    """Return how many seconds test readers took for a screen: the mean, to the nearest five."""
    return 5 * round(fmean(WORDS["seconds"][str(n)]) / 5)


def total_minutes() -> int:
    """Return how many minutes the whole lesson takes a reader."""
    return round(sum(map(seconds, range(FIRST, LAST + 1))) / 60)


@cache
def states(name: str) -> Mapping[State, Screen]:
    """Return a screen in every state that presses lead to; there are thousands, so it is cached."""
    screens: dict[State, Screen] = {}
    stack = [State()]
    while stack:
        state = stack.pop()
        if state not in screens:
            screens[state] = SCREENS[name](state)
            stack += next_states(screens[state])
    return screens


def screen(name: str, state: State) -> Screen:
    """Return a screen in a state. Raises ValueError if no presses lead to that state."""
    if state not in states(name):
        raise ValueError("no press on this screen leads to this address")
    return states(name)[state]
