"""The fourteen screens by number, and the page beside screen 11."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from teach.lesson import boards, machine, trees
from teach.lesson.screen import WORDS, Screen, State, follow

TWICE = "twice"  # the page beside screen 11, on boards met before
MAKERS: Mapping[str, Callable[[State], Screen]] = {
    "1": boards.one_square_wins,
    "2": boards.no_win_yet,
    "3": boards.be_the_other_side,
    "4": trees.who_chooses,
    "5": trees.give_it_numbers,
    "6": trees.on_your_own,
    "7": boards.not_the_odds,
    "8": boards.sooner_is_better,
    "9": machine.losing_last_longest,
    "10": machine.nine_lines,
    "11": machine.how_many_boards,
    "12": trees.what_cannot_matter,
    "13": trees.the_best_first,
    "14": boards.answer_for_the_machine,
    TWICE: trees.the_same_board_twice,
}
MAKE = {name: lru_cache(maxsize=256)(make) for name, make in MAKERS.items()}
LAST = 14
GROUPS = {
    group: [n for n in range(1, LAST + 1) if WORDS[str(n)]["group"] == group]
    for group in ("Play", "Score", "Code", "Speed", "Finish")
}
# The presses that solve a screen, as an address has them: for teachers, and for tests.
SOLVED = {
    "1": "p=4", "2": "p=3&p=2", "3": "p=5&at=2", "4": "p=23&p=35&p=53&p=3", "5": "p=3&p=5&p=top",
    "6": "p=0", "7": "p=1", "8": "seen=1&seen=5&at=turns", "9": "seen=0&seen=2&at=2",
    "10": "p=3&p=4&p=7", "11": "p=500", "12": "p=1&p=-5&p=cut", "13": "p=2&p=3",
    "14": "p=4&p=1&p=6&p=5",
}  # fmt: skip


def screen(name: str, state: State) -> Screen:
    """Return a screen as it is at an address.

    Raises ValueError where no press leads to the address.
    """
    return follow(MAKE[name], state)
