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
    "1": partial(board_screen, boards.TASK_1),
    "2": boards.no_win_yet,
    "3": boards.switch_sides,
    "4": trees.who_chooses,
    "5": trees.put_numbers_on_it,
    "6": trees.on_your_own,
    "7": boards.luck_is_not_a_plan,
    "8": boards.sooner_is_better,
    "9": trees.make_it_last,
    "10": machine.nine_lines,
    "11": machine.how_many_nodes,
    "12": alpha_beta.what_cannot_matter,
    "13": trees.best_move_first,
    "14": partial(board_screen, boards.TASK_14),
}
FIRST_SCREEN, LAST_SCREEN = 1, 14
SCREEN_NUMBERS = range(FIRST_SCREEN, LAST_SCREEN + 1)
# The numbers of the screens, by the heading under which the index lists them.
GROUPS = {
    group: [*numbers]
    for group, numbers in groupby(SCREEN_NUMBERS, lambda n: WORDS[str(n)]["group"])
}
# The first and the last screen of each plan for a class.
PLANS = {
    "short": (FIRST_SCREEN, 6),
    "no_code": (FIRST_SCREEN, GROUPS["Score"][-1]),
    "pruning": (GROUPS["Speed"][0], GROUPS["Speed"][-1]),
}
# For each screen, the query of a state in which it is solved.
SOLVING_QUERIES = {
    "1": "p=4", "2": "p=3&p=2", "3": "p=5&at=2", "4": "p=23&p=35&p=53&p=3", "5": "p=3&p=5&p=top",
    "6": "p=0", "7": "seen=2&p=0", "8": "seen=1&seen=5&at=turns",
    "9": "seen=2&seen=3&seen=5&seen=6&seen=8&p=8", "10": "p=4&p=7&p=3&p=8", "11": "p=500",
    "12": "p=cut&at=other", "13": "p=2&p=3", "14": "p=4&p=1&p=6&p=5",
}  # fmt: skip


def seconds(n: int) -> int:
    """Return how many seconds a screen takes: the mean of the test readers, to the nearest five."""
    return 5 * round(fmean(WORDS["seconds"][str(n)]) / 5)


def total_minutes() -> int:
    """Return how many minutes the whole lesson takes a reader."""
    return round(sum(map(seconds, SCREEN_NUMBERS)) / 60)


@cache
def states(number: str) -> Mapping[State, Screen]:
    """Return a screen in every state that presses lead to; cached, as there are up to 1,200."""
    screens: dict[State, Screen] = {}
    unvisited = [State()]
    while unvisited:
        state = unvisited.pop()
        if state not in screens:
            screens[state] = SCREENS[number](state)
            unvisited += next_states(screens[state])
    return screens


def screen(number: str, state: State) -> Screen:
    """Return a screen in a state.

    Raises KeyError for an unknown screen, and ValueError for a state that no presses lead to.
    """
    if state not in states(number):
        raise ValueError("no press on this screen leads to this address")
    return states(number)[state]
