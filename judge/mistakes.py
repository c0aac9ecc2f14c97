"""The table of mistakes: each with a name, what to look for, and the change that plays so.

A change is of the text of a printed minimax, so that nothing is named which no program is. The
manual shows the same table, as `table` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

PRINTED = """\
def value(mine, theirs, is_max, turns):
    if won(mine):
        return WIN - turns
    if won(theirs):
        return turns - WIN
    if not free(mine, theirs):
        return 0
    pick = max if is_max else min
    best = -inf if pick is max else inf
    for square, child in children(mine, theirs, is_max):
        below = value(*child, not is_max, turns + 1)
        best = pick(best, below)
    return best


def at_the_top(mine, theirs):
    found = {}
    for square, child in children(mine, theirs, True):
        found[square] = value(*child, False, 1)
    return found
"""
ENDS = PRINTED[PRINTED.index("    if won(mine)") : PRINTED.index("    pick")]
WON = ENDS[: ENDS.index("    if not free")]
ENDS_OF_TWO = re.sub("(return .*)", r"\1, None", ENDS)

OVERWRITTEN = f"""\
def value(mine, theirs, is_max, turns):
{ENDS_OF_TWO}\
    best, written = -inf if is_max else inf, None
    for square, child in children(mine, theirs, is_max):
        below, deeper = value(*child, not is_max, turns + 1)
        written = written if deeper is None else deeper
        if below > best if is_max else below < best:
            best, written = below, square
    return best, written


def at_the_top(mine, theirs):
    _, last = value(mine, theirs, True, 0)
    return {{square: square == last for square, _ in children(mine, theirs, True)}}
"""  # what is written is one variable in such a program; here it goes up with the value
OVERWRITTEN_BY_MAX = OVERWRITTEN.replace("below, square", "below, square if is_max else written")

BOUNDS = f"""\
def value(mine, theirs, is_max, turns, alpha, beta):
{ENDS}\
    best = -inf if is_max else inf
    for square, child in children(mine, theirs, is_max):
        below = value(*child, not is_max, turns + 1, alpha, beta)
        best = max(best, below) if is_max else min(best, below)
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def at_the_top(mine, theirs):
    best, found = -inf, {{}}
    for square, child in children(mine, theirs, True):
        found[square] = value(*child, False, 1, best, inf)
        best = max(best, found[square])
    return found
"""  # with > for >= in its cut it is right: then an equal value is one
HARD_BOUNDS = BOUNDS.replace("return best", "return alpha if is_max else beta")
LATE_BOUNDS = HARD_BOUNDS.replace("alpha >= beta", "alpha > beta")

Change = Mapping[str, str]  # a text of the printed minimax, and what stands there instead
FLAT: Change = {"WIN - turns": "1", "turns - WIN": "-1"}  # no mistake: turns are not counted
TOP, BEST, PICK = "value(*child, False, 1)", "-inf if pick is max else inf", "pick(best, below)"
SIDES = "max if is_max else min"
UPDATE = f"        best = {PICK}\n"
BELOW, FULL = "children(mine, theirs, is_max)", "if not free(mine, theirs)"
FIRST_END, IS_X = "    if won(mine)", "is_x(mine, theirs, is_max)"


def _returned(test: str) -> Change:
    """Return the change that leaves the loop with the best so far."""
    return {UPDATE: f"{UPDATE}        if {test}:\n            return best\n"}


class Mistake(NamedTuple):
    """Hold a mistake: `changes` are the ways to make it, the first the plainest."""

    name: str
    look: str
    changes: tuple[Change, ...]


LATER = Mistake(
    "a later win counts for more", "turns added where they are taken off, or the other way round",
    ({"WIN - turns": "WIN + turns", "turns - WIN": "-WIN - turns"},),
)  # fmt: skip
MISTAKES = (
    Mistake("both sides maximise", "max on the opponent's boards, too", ({SIDES: "max"},)),
    Mistake(
        "MAX takes the lowest and MIN the highest", "the two the wrong way round",
        ({SIDES: "min if is_max else max"},),
    ),
    Mistake(
        "the best starts at 0", "best = 0 where −∞ belongs, and ∞ for the opponent",
        ({BEST: "0"}, {BEST: "-inf if is_max else 0"}, {BEST: "0 if is_max else inf"}),
    ),
    Mistake("the best starts at −inf for MIN, too", "one −∞ for both sides", ({BEST: "-inf"},)),
    Mistake(
        "every value is turned round", "a minus that is there once too often, or too seldom",
        ({"value(*": "-value(*"},),
    ),
    Mistake(
        "the last value is kept", "best = value without a comparison",
        ({PICK: "below"}, {PICK: f"{PICK} if is_max else below"},
         {PICK: f"below if is_max else {PICK}"}),
    ),
    Mistake(
        "every win is counted for X", "a score that asks whether X has won, not the program",
        ({FIRST_END: f"    x, o = (mine, theirs) if {IS_X} else (theirs, mine)\n    if won(x)",
          "won(theirs)": "won(o)"},),
    ),
    Mistake(
        "every win is counted as its own", "a score that asks whether somebody has won, not who",
        ({"turns - WIN": "WIN - turns"},),
    ),
    Mistake(
        "a loss counts as little as a draw",
        "a score that knows wins alone, or one score for draws and losses",
        ({"turns - WIN": "0"},),
    ),
    Mistake(
        "a win counts as a loss, and a loss as a win",
        "the sign of the score; or min and max the wrong way round, at the top, too",
        ({"won(mine)": "won(theirs)", "won(theirs)": "won(mine)"},),
    ),
    Mistake(
        "an end counts the same, whoever is to move",
        "a negamax that scores an end for one side alone: score it for the side to move, -1 if the"
        " other has just won",
        tuple({WON: f"    if won(mine) or won(theirs):\n        return {score}\n"} for score in (
            f"WIN - turns if {IS_X} else turns - WIN", f"turns - WIN if {IS_X} else WIN - turns")),
    ),
    LATER,
    Mistake(
        "a win counts on a full board alone", "a search that plays on where somebody has won",
        ({"if won": "if not free(mine, theirs) and won"},),
    ),
    Mistake(
        "a draw is tested before a win", "“full” before “three in a row”: the ninth mark can win",
        ({FIRST_END: f"    {FULL}:\n        return 0\n{FIRST_END}"},),
    ),
    Mistake(
        "the first value is returned",
        "a `return` inside the loop: it belongs after the loop; or alpha and beta the wrong way"
        " round, which ends each loop at once",
        (_returned("not is_max"), _returned("is_max"), _returned("True")),
    ),
    Mistake(
        "the values of all replies are added up",
        "sum where max or min belongs: whoever is to move takes one reply, the best for that side",
        ({BEST: "0", PICK: "best + below"},),
    ),
    Mistake(
        "the opponent's replies are averaged",
        "an average where min belongs: the opponent takes one reply, the best for that side",
        ({BEST: "-inf if is_max else 0", PICK: "max(best, below) if is_max else best + below",
          "return best": "return best if is_max else best / free(mine, theirs)"},
         {BEST: "0", PICK: "best + below", "return best": "return best / free(mine, theirs)"}),
    ),
    Mistake(
        "a win found first ends the loop, for MIN, too",
        "a `return` at the highest value there is, on the opponent's boards, too",
        (_returned("not is_max and best > 0"),),
    ),
    Mistake(
        "after its own move it moves again",
        "the side handed on at the top: after the program's move the opponent is to move",
        ({TOP: "value(*child, True, 1)"},),
    ),
    Mistake(
        "every mark in the search is its own", "a side that is never handed on: X, then O, then X",
        ({BELOW: "children(mine, theirs, True)"},),
    ),
    Mistake(
        "deeper calls overwrite its move",
        "one variable for the best move, set at every level: set it at the top alone",
        ({PRINTED: OVERWRITTEN}, {PRINTED: OVERWRITTEN_BY_MAX}),
    ),
    Mistake(
        "one side moves on alone", "the same side handed to both calls: X, then O, then X",
        ({"not is_max": "is_max"}, {"not is_max": "True"},
         {"not is_max": "is_max", TOP: "value(*child, True, 1)"}),
    ),
    Mistake(
        "a comparison stands the wrong way round",
        "“more than” where “less than” belongs, or the other way round: the best stays what it"
        " starts with",
        ({PICK: f"{PICK} if is_max else best"}, {PICK: f"best if is_max else {PICK}"}),
    ),
    Mistake(
        "a value of 0 counts as none yet",
        "`if not best`, which is true of 0, too: ask whether `best is None`",
        ({BEST: "None", PICK: f"{PICK} if best else below", "return best": "return best or 0"},),
    ),
    Mistake(
        "below its own move it never looks at the last square",
        "range(8), where the squares are 0 to 8",
        ({FULL: "if not free(mine, theirs | 1 << 8)",
          f"in {BELOW}:": f"in {BELOW}:\n        if square == 8:\n            continue"},),
    ),
    Mistake(
        "it picks among bounds",
        "alpha-beta that keeps the last of equal values at the top, or all of them: beside the"
        " best, an equal value is a bound, no value. Only a strictly better value may replace the"
        " move; or search each move with the full window",
        ({PRINTED: BOUNDS}, {PRINTED: HARD_BOUNDS}, {PRINTED: LATE_BOUNDS}),
    ),
    Mistake(
        "it looks {n} ahead", "a limit of depth: nine turns are all there are",
        tuple({FULL: f"{FULL} or turns == {most}"} for most in range(1, 9)),
    ),
    Mistake(
        "as O, too, it takes the best move for X",
        "max over the moves, whoever is to move. Take max as X and min as O",
        ({TOP: f"{TOP} * (1 if is_x(mine, theirs, True) else -1)"},),
    ),
    Mistake(
        "it takes the best move for the other side",
        "a minus left out at the top: the value that comes back is the opponent's; or min where max"
        " belongs there",
        ({TOP: f"-{TOP}"},),
    ),
    Mistake(
        "as X, too, it takes the best move for O",
        "a program that plays O only: judge it with --as O",
        ({TOP: f"{TOP} * (-1 if is_x(mine, theirs, True) else 1)"},),
    ),
    Mistake(
        "it takes a win, else the first free square", "a search that stops after one move",
        ({FULL: "if True"},),
    ),
)  # fmt: skip

# Two in one program, each in its plainest form: all that play otherwise than either does alone.
TWO = """
every win is counted for X: the last value is kept
every win is counted for X: every value is turned round
every win is counted for X: both sides maximise
every win is counted for X: MAX takes the lowest and MIN the highest
every win is counted for X: the best starts at 0
the last value is kept: every value is turned round
every value is turned round: both sides maximise
every value is turned round: MAX takes the lowest and MIN the highest
every value is turned round: the best starts at 0
both sides maximise: the best starts at 0
MAX takes the lowest and MIN the highest: the best starts at −inf for MIN, too
""".strip().splitlines()


def every() -> Iterator[tuple[tuple[str, ...], Change]]:
    """Yield the names of the mistakes of each way to play, and the change that plays so.

    >>> next(every())
    (('both sides maximise',), {'max if is_max else min': 'max'})
    """
    for mistake in MISTAKES:
        for n, change in enumerate(mistake.changes, 1):
            yield (mistake.name.replace("{n}", f"{n} turn{'s' * (n > 1)}"),), change
    plainest = {mistake.name: mistake.changes[0] for mistake in MISTAKES}
    for line in TWO:
        one, other = line.split(": ")
        yield (one, other), {**plainest[one], **plainest[other]}


def changed(text: str, change: Change) -> str:
    """Return a text with a change, made everywhere at once.

    >>> changed("max or min", {"max": "min", "min": "max"})
    'min or max'
    """
    return re.sub("|".join(map(re.escape, change)), lambda found: change[found[0]], text)


def look(name: str) -> str:
    """Return what to look for, for a mistake as named."""
    by_name = {mistake.name: mistake.look for mistake in MISTAKES}
    return by_name[re.sub(r"\d+ turns?", "{n}", name)]


def table() -> str:
    """Return how the table of the manual begins: what a report says, and what to look for."""
    rows = [(mistake.name.replace("{n}", "2 turns"), mistake.look) for mistake in MISTAKES]
    lines = [("In the report", "Look for"), *rows]
    head, *body = [f"| {name} | {look} |\n" for name, look in lines]
    return "".join([head, "|---|---|\n", *body])
