"""The table of mistakes: the name of each, what to look for, and the changes that make it.

A change replaces text in the source of a minimax, so that an actual program makes each mistake. The
manual shows the same table, as `manual_table` returns it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

# A minimax that plays as MAX. `mine` and `theirs` are the marks of MAX and of MIN, as bits; `turns`
# counts the moves from the root. ways.py runs it and provides the functions that it calls.
MINIMAX_SOURCE = """\
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
        child_value = value(*child, not is_max, turns + 1)
        best = pick(best, child_value)
    return best


def root_values(mine, theirs):
    values = {}
    for square, child in children(mine, theirs, True):
        values[square] = value(*child, False, 1)
    return values
"""
END_TESTS = MINIMAX_SOURCE[
    MINIMAX_SOURCE.index("    if won(mine)") : MINIMAX_SOURCE.index("    pick")
]
WIN_TESTS = END_TESTS[: END_TESTS.index("    if not free")]
END_TESTS_WITH_MOVE = re.sub("(return .*)", r"\1, None", END_TESTS)

# A program whose deeper calls overwrite its move has one variable for it, set at every depth. Here
# the calls return what that variable holds, together with the value.
OVERWRITTEN_MOVE = f"""\
def value(mine, theirs, is_max, turns):
{END_TESTS_WITH_MOVE}\
    best, shared_move = -inf if is_max else inf, None
    for square, child in children(mine, theirs, is_max):
        child_value, deeper_move = value(*child, not is_max, turns + 1)
        shared_move = shared_move if deeper_move is None else deeper_move
        if child_value > best if is_max else child_value < best:
            best, shared_move = child_value, square
    return best, shared_move


def root_values(mine, theirs):
    _, last = value(mine, theirs, True, 0)
    return {{square: square == last for square, _ in children(mine, theirs, True)}}
"""
OVERWRITTEN_MOVE_OF_MAX = OVERWRITTEN_MOVE.replace(
    "child_value, square", "child_value, square if is_max else shared_move"
)

# The root searches each move with the best value so far as alpha, so the value of a worse move may
# be a bound that equals the best. A program that takes an equal value, as here, may take that move.
ALPHA_BETA = f"""\
def value(mine, theirs, is_max, turns, alpha, beta):
{END_TESTS}\
    best = -inf if is_max else inf
    for square, child in children(mine, theirs, is_max):
        child_value = value(*child, not is_max, turns + 1, alpha, beta)
        best = max(best, child_value) if is_max else min(best, child_value)
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def root_values(mine, theirs):
    best, values = -inf, {{}}
    for square, child in children(mine, theirs, True):
        values[square] = value(*child, False, 1, best, inf)
        best = max(best, values[square])
    return values
"""
FAIL_HARD = ALPHA_BETA.replace("return best", "return alpha if is_max else beta")
LATE_CUTOFF = FAIL_HARD.replace("alpha >= beta", "alpha > beta")

# The memo is cleared at each root. Otherwise the values would depend on the boards searched before.
MEMO = """\
memo = {}


def value(mine, theirs, *more):
    if (mine, theirs) not in memo:
        memo[mine, theirs] = search(mine, theirs, *more)
    return memo[mine, theirs]


""" + ALPHA_BETA.replace("def value", "def search").replace(
    "best, values =", "memo.clear()\n    best, values ="
)
FULL_WINDOW_MEMO = MEMO.replace("False, 1, best, inf", "False, 1, -inf, inf")

MOVE_AS_VALUE = f"""\
def value(mine, theirs, is_max, turns):
{END_TESTS}\
    best, move = -inf if is_max else inf, None
    for square, child in children(mine, theirs, is_max):
        child_value = value(*child, not is_max, turns + 1)
        if child_value > best if is_max else child_value < best:
            best, move = child_value, square
    return move


{MINIMAX_SOURCE[MINIMAX_SOURCE.index("def root_values") :]}"""

Change = Mapping[str, str]  # from a text in the source to its replacement
# This change is not a mistake: a program need not count turns.
IGNORE_TURNS: Change = {"WIN - turns": "1", "turns - WIN": "-1"}
# The parts of MINIMAX_SOURCE that changes replace or use.
ROOT_CALL = "value(*child, False, 1)"
FIRST_BEST, PICKED = "-inf if pick is max else inf", "pick(best, child_value)"
MAX_OR_MIN = "max if is_max else min"
UPDATE_BEST = f"        best = {PICKED}\n"
CHILDREN, IF_FULL = "children(mine, theirs, is_max)", "if not free(mine, theirs)"
FIRST_WIN_TEST = "    if won(mine)"
MAX_IS_X = "is_x(mine, theirs, is_max)"  # not in MINIMAX_SOURCE, but in some replacements


def _early_return(test: str) -> Change:
    """Return a change that makes the loop return early, with the best so far, if `test` is true."""
    return {UPDATE_BEST: f"{UPDATE_BEST}        if {test}:\n            return best\n"}


class Mistake(NamedTuple):
    """A mistake, and the changes of which each makes it."""

    name: str  # {n} becomes "1 move" for the first change, "2 moves" for the second
    advice: str  # what to look for
    changes: tuple[Change, ...]


LATER_WIN = Mistake(
    "a later win counts for more", "depth added where it should be subtracted, or vice versa",
    ({"WIN - turns": "WIN + turns", "turns - WIN": "-WIN - turns"},),
)  # fmt: skip
MISTAKES = (
    Mistake("both sides maximize", "max on the opponent's boards as well", ({MAX_OR_MIN: "max"},)),
    Mistake(
        "MAX takes the lowest value and MIN the highest", "max and min swapped",
        ({MAX_OR_MIN: "min if is_max else max"},),
    ),
    Mistake(
        "the best value starts at 0", "best = 0 where −∞ belongs (∞ for MIN)",
        ({FIRST_BEST: "0"}, {FIRST_BEST: "-inf if is_max else 0"},
         {FIRST_BEST: "0 if is_max else inf"}),
    ),
    Mistake(
        "the sign of every value is flipped", "a missing minus sign, or one too many",
        ({"value(*": "-value(*"},),
    ),
    Mistake(
        "the last value is kept, not the best", "best = value without a comparison",
        ({PICKED: "child_value"}, {PICKED: f"{PICKED} if is_max else child_value"},
         {PICKED: f"child_value if is_max else {PICKED}"}),
    ),
    Mistake(
        "the score is X's, even when the program plays O",
        "a score that asks whether X has won, not whether the program has",
        ({FIRST_WIN_TEST:
              f"    x, o = (mine, theirs) if {MAX_IS_X} else (theirs, mine)\n    if won(x)",
          "won(theirs)": "won(o)"},),
    ),
    Mistake(
        "every win counts as the program's own",
        "a score that asks whether anyone has won, not who",
        ({"turns - WIN": "WIN - turns"},),
    ),
    Mistake(
        "a loss counts the same as a draw",
        "a score for wins only, or the same score for draws and losses",
        ({"turns - WIN": "0"},),
    ),
    Mistake(
        "a win counts as a loss, and a loss as a win",
        "the sign of the score; or max and min swapped, at the root as well",
        ({"won(mine)": "won(theirs)", "won(theirs)": "won(mine)"},),
    ),
    Mistake(
        "a finished game scores the same, no matter whose turn it is",
        "a negamax that scores finished games for one fixed side. Score them for the side to move:"
        " -1 if the other side has just won",
        tuple({WIN_TESTS: f"    if won(mine) or won(theirs):\n        return {score}\n"}
              for score in (f"WIN - turns if {MAX_IS_X} else turns - WIN",
                            f"turns - WIN if {MAX_IS_X} else WIN - turns")),
    ),
    LATER_WIN,
    Mistake(
        "a win counts only on a full board", "a search that plays on after a win",
        ({"if won": "if not free(mine, theirs) and won"},),
    ),
    Mistake(
        "a draw is tested before a win",
        "a test for a full board before the test for three in a row. The ninth mark can win",
        ({FIRST_WIN_TEST: f"    {IF_FULL}:\n        return 0\n{FIRST_WIN_TEST}"},),
    ),
    Mistake(
        "the first value is returned",
        "a `return` inside the loop that belongs after it; or alpha and beta swapped, which ends"
        " each loop at once",
        (_early_return("not is_max"), _early_return("is_max"), _early_return("True")),
    ),
    Mistake(
        "the values of all replies are added up",
        "a sum where max or min belongs. The side to move makes one move, its best",
        ({FIRST_BEST: "0", PICKED: "best + child_value"},),
    ),
    Mistake(
        "the opponent's replies are averaged",
        "an average where min belongs. The opponent makes one reply, its best",
        ({FIRST_BEST: "-inf if is_max else 0",
          PICKED: "max(best, child_value) if is_max else best + child_value",
          "return best": "return best if is_max else best / free(mine, theirs)"},
         {FIRST_BEST: "0", PICKED: "best + child_value",
          "return best": "return best / free(mine, theirs)"}),
    ),
    Mistake(
        "a win for MAX ends the loop, even when MIN is to move",
        "a `return` as soon as a value is a win for MAX, in MIN's loop as well. MIN must look at"
        " every move",
        (_early_return("not is_max and best > 0"),),
    ),
    Mistake(
        "after its own move, it moves again",
        "the same side passed at the root. After the program's move, the opponent is to move",
        ({ROOT_CALL: "value(*child, True, 1)"},),
    ),
    Mistake(
        "deeper calls overwrite its move",
        "one variable for the best move, set at every depth. Set it only at the root",
        ({MINIMAX_SOURCE: OVERWRITTEN_MOVE}, {MINIMAX_SOURCE: OVERWRITTEN_MOVE_OF_MAX}),
    ),
    Mistake(
        "one side makes all the moves",
        "the same side passed to every call. It should alternate: X, O, X",
        ({"not is_max": "is_max"}, {"not is_max": "True"},
         {"not is_max": "is_max", ROOT_CALL: "value(*child, True, 1)"}),
    ),
    Mistake(
        "a comparison is reversed",
        "> where < belongs, or vice versa. The best value never changes",
        ({PICKED: f"{PICKED} if is_max else best"}, {PICKED: f"best if is_max else {PICKED}"}),
    ),
    Mistake(
        "a value of 0 is treated as no value",
        "`if not best`, which is also true of 0. Write `if best is None`",
        ({FIRST_BEST: "None", PICKED: f"{PICKED} if best else child_value",
          "return best": "return best or 0"},),
    ),
    Mistake(
        "after its own move, it never looks at the last square",
        "range(8) where range(9) belongs: the squares are 0 to 8",
        ({IF_FULL: "if not free(mine, theirs | 1 << 8)",
          f"in {CHILDREN}:": f"in {CHILDREN}:\n        if square == 8:\n            continue"},),
    ),
    Mistake(
        "it picks a move whose value is only a bound",
        "alpha-beta that keeps the last of equal values at the root, or all of them. A value equal"
        " to the best so far is only a bound: the move may be worse. Replace the move only for a"
        " strictly better value, or search each move with the full window",
        ({MINIMAX_SOURCE: ALPHA_BETA}, {MINIMAX_SOURCE: FAIL_HARD},
         {MINIMAX_SOURCE: LATE_CUTOFF}),
    ),
    Mistake(
        "a memo keeps bounds as exact values",
        "alpha-beta with a memo. After a cutoff, the value is only a bound. Store with it whether"
        " it is exact, or store nothing after a cutoff",
        ({MINIMAX_SOURCE: MEMO}, {MINIMAX_SOURCE: FULL_WINDOW_MEMO}),
    ),
    Mistake(
        "a move is returned where a value belongs",
        "one function for both the score and the move. Below the root, it returns a square, which"
        " is then compared as a score. Return both, or use two functions",
        ({MINIMAX_SOURCE: MOVE_AS_VALUE},),
    ),
    Mistake(
        "the side to move is tested for a win, not the side that just moved",
        "a win tested for the player whose turn it is. Only the side that just moved can have won",
        ({"if won(mine)": "if is_max and won(mine)",
          "if won(theirs)": "if not is_max and won(theirs)"},),
    ),
    Mistake(
        "it looks only {n} ahead", "a depth limit. A game has up to nine moves",
        tuple({IF_FULL: f"{IF_FULL} or turns == {depth}"} for depth in range(1, 9)),
    ),
    Mistake(
        "even as O, it takes X's best move",
        "max over the moves for both sides. Take max as X and min as O",
        ({ROOT_CALL: f"{ROOT_CALL} * (1 if is_x(mine, theirs, True) else -1)"},),
    ),
    Mistake(
        "it takes the best move for the other side",
        "a missing minus sign at the root, where the value that comes back is the opponent's; or"
        " min where max belongs",
        ({ROOT_CALL: f"-{ROOT_CALL}"},),
    ),
    Mistake(
        "even as X, it takes O's best move",
        "a program that plays only O. Test it with --as O",
        ({ROOT_CALL: f"{ROOT_CALL} * (-1 if is_x(mine, theirs, True) else 1)"},),
    ),
)  # fmt: skip


def all_changes() -> Iterator[tuple[str, Change]]:
    """Yield the name and the change of each way to make each mistake.

    >>> next(all_changes())
    ('both sides maximize', {'max if is_max else min': 'max'})
    """
    for mistake in MISTAKES:
        for number, change in enumerate(mistake.changes, 1):
            depth = f"{number} move{'s' * (number > 1)}"
            yield mistake.name.replace("{n}", depth), change


def apply_change(text: str, change: Change) -> str:
    """Return a text with all replacements of a change made at once.

    >>> apply_change("max or min", {"max": "min", "min": "max"})
    'min or max'
    """
    return re.sub("|".join(map(re.escape, change)), lambda match: change[match[0]], text)


def advice(name: str) -> str:
    """Return what to look for, given the name of a mistake as `all_changes` yields it."""
    by_name = {mistake.name: mistake.advice for mistake in MISTAKES}
    return by_name[re.sub(r"\d+ moves?", "{n}", name)]


def manual_table() -> str:
    """Return the start of the manual's table: what a report says, and what to look for."""
    rows = [(mistake.name.replace("{n}", "2 moves"), mistake.advice) for mistake in MISTAKES]
    lines = [f"| {name} | {advice} |\n" for name, advice in rows]
    return "".join(["| In the report | Look for |\n", "|---|---|\n", *lines])
