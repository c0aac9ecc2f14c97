"""The functions of a file compared with the rules, on every board for which each is defined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from engine.position import LINES, SQUARE_NAMES, Mark, O, Position, X
from engine.symmetry import reachable
from teach.check.ask import PythonFile
from teach.check.plans import BOARDS, SIDES, is_course, words
from teach.check.process import EndedError

BATCH = 1000  # boards a request
PATIENCE = 60.0  # seconds for a batch
MOST_WRONG = 0.4  # of the boards that end alike: with more, nobody knows what was meant
SCORES: dict[Mark | None, int] = {X: 1, O: -1, None: 0}
COURSE = ("player", "actions", "result", "winner", "terminal", "utility")
WINS = {"winner", "winners", "won", "win", "wins", "winning", "utility", "evaluate"}
ENDS = {"terminal", "over", "finished", "ended"}
FREE = {"available", "empty", "free", "possible", "legal", "valid", "remaining"}
SQUARES = {"moves", "cells", "squares", "spots", "actions", "spaces", "positions", "indices",
           "places", "fields"}  # fmt: skip


class Wrong(NamedTuple):
    """Tell a wrong function: on how many of its boards, and the first, by marks.

    `says` and `truth` are about that board; `common`, about all of the wrong ones. `through` lists
    the functions that are wrong only through this one.
    """

    name: str
    wrong: int
    of: int
    board: str
    says: str
    truth: str
    common: str = ""
    look: str = ""
    harmless: bool = False
    through: tuple[str, ...] = ()


class Findings(NamedTuple):
    """Hold the functions that are right, and those wrong by themselves, the first to tell first."""

    right: tuple[str, ...] = ()
    wrong: tuple[Wrong, ...] = ()


@cache
def positions() -> tuple[Position, ...]:
    """Return every position, fewest marks first, then read X before O before empty."""
    return tuple(sorted(reachable(), key=lambda position: (position.ply, order(str(position)))))


def order(board: str) -> str:
    """Return a text by which boards are sorted as they are read: X, then O, then empty."""
    return board.translate(str.maketrans("XO-", "012"))


@cache
def unfinished() -> tuple[Position, ...]:
    """Return the positions that go on."""
    return tuple(position for position in positions() if not position.outcome())


def winner(position: Position) -> Mark | None:
    """Return who has won, None if nobody has."""
    outcome = position.outcome()
    return outcome.winner if outcome else None


def compare(player: PythonFile) -> Findings:
    """Compare the functions of a file that are known by name."""
    try:
        if is_course(player.loaded) and player.plan.form["kind"] == "rows":
            return _course(player)
        return _by_name(player)
    finally:
        player.close(0)


# The seven functions of the course


class Kind(NamedTuple):
    """Hold what a function of the course answers, and on which boards."""

    kind: str
    boards: Callable[[], Sequence[Position]]
    truth: Callable[[Position], Any]


TRUTHS: dict[str, Kind] = {
    "player": Kind("mark", unfinished, lambda position: position.turn),
    "actions": Kind("squares", unfinished, lambda position: list(position.legal_moves())),
    "result": Kind(
        "board",
        unfinished,
        lambda position: {str(n): str(child) for n, child in position.children().items()},
    ),
    "winner": Kind("mark", positions, winner),
    "terminal": Kind("value", positions, lambda position: position.outcome() is not None),
    "utility": Kind(
        "value",
        lambda: [position for position in positions() if position.outcome()],
        lambda position: SCORES[winner(position)],
    ),
}


def _course(player: PythonFile) -> Findings:
    """Compare six of the seven functions; the seventh is judged by its games."""
    right, wrong = [], []
    for name in COURSE:
        found = _compared(player, name, {})
        if found is None:
            right.append(name)
        else:
            wrong.append(found)
    own, through = [], []
    for found in wrong:
        tables = {other: _table(other) for other in COURSE if other != found.name}
        alone = found if len(wrong) == 1 else _compared(player, found.name, tables)
        if alone or found.name == wrong[0].name == wrong[-1].name:
            own.append(found)
        else:
            through.append(found.name)
    own = own or wrong[:1]
    own[0:1] = [one._replace(through=tuple(n for n in through if n != one.name)) for one in own[:1]]
    if "result" in right and (lenient := _lenient(player)):
        own.append(lenient)
        right.remove("result")
    return Findings(tuple(right), tuple(own))


@cache
def _table(name: str) -> dict[str, Any]:
    kind = TRUTHS[name]
    return {"kind": kind.kind, "of": {str(one): kind.truth(one) for one in kind.boards()}}


def _compared(player: PythonFile, name: str, right: Mapping[str, Any]) -> Wrong | None:
    """Compare a function with the truth, in the company of right ones; return what is wrong."""
    kind, (x, o) = TRUTHS[name], player.plan.marks[X]
    boards = kind.boards()
    asked: list[list[Any]] = [[str(one)] for one in boards]
    of = list(boards)
    if name == "result":
        asked = [[str(one), n] for one in boards for n in one.legal_moves()]
        of = [one for one in boards for _ in one.legal_moves()]
    results = run(player, name, asked, right, makes=name == "result")
    if results is None:
        return None
    wrong: dict[str, tuple[Position, Any, str]] = {}
    for position, request, result in zip(of, asked, results, strict=True):
        truth = kind.truth(position)
        if kind.kind == "board":
            truth = truth[str(request[1])]
        if says := _differs(kind.kind, truth, result, {X: x, O: o}):
            wrong.setdefault(str(position), (position, truth, says))
    if not wrong:
        return None
    position, truth, says = next(iter(wrong.values()))
    common, look = _common(name, [one for one, *_ in wrong.values()], results)
    return Wrong(
        name, len(wrong), len(boards), str(position), says, _truth(name, position), common, look
    )


def _differs(kind: str, truth: Any, result: Mapping[str, Any], mark: Mapping[str, Any]) -> str:
    """Return what a function says, in words, if that is not the truth; "" if it is."""
    if "raised" in result:
        return f"it raises {result['raised']}"
    value = result["value"]
    if kind == "squares":
        pairs = value if isinstance(value, list) else None
        if pairs is None or not all(isinstance(one, list) and len(one) == 2 for one in pairs):
            return f"it says {value!r}"
        if sorted(3 * a + b for a, b in pairs) != truth or len(pairs) != len(truth):
            return f"it says {', '.join(str(tuple(one)) for one in sorted(pairs)) or 'none'}"
    elif kind == "board":
        if value != truth:
            return "it makes another board" if isinstance(value, str) else f"it makes {value!r}"
        if "after" in result:
            return "it changes the board it was given"
    elif kind == "mark":
        if truth is None and value:
            return f"it says {value}"
        if truth is not None and value != mark[truth]:
            return f"it says {value}"
    elif isinstance(truth, bool):
        if bool(value) != truth:
            return f"it says {value}"
    elif value != truth:
        return f"it says {value}"
    return ""


def _truth(name: str, position: Position) -> str:
    """Return the truth about a board, in words."""
    if name == "player":
        return f"{position.turn} is to move"
    if name == "actions":
        free = ", ".join(str((n // 3, n % 3)) for n in position.legal_moves())
        return f"free are {free}"
    if name == "result":
        return "the new board should have one mark more, and the old one should stay"
    if won := winner(position):
        return f"{won} has won"
    return "it is a draw" if position.outcome() else "the game goes on"


def _lenient(player: PythonFile) -> Wrong | None:
    """Say whether `result` accepts a taken square, or one beyond the board."""
    for what, wanted in (("a taken square", None), ("a square beyond the board", (3, 3))):
        boards = [one for one in unfinished() if one.ply]
        asked: list[list[Any]] = []
        for one in boards:
            taken = next(n for n in range(9) if one.mark_at(n))
            asked.append([str(one), taken if wanted is None else list(wanted)])
        results = run(player, "result", asked, {}, makes=True)
        accepted = [
            one
            for one, result in zip(boards, results or [], strict=bool(results))
            if "raised" not in result
        ]
        if accepted:
            return Wrong(
                "result",
                len(accepted),
                len(boards),
                str(accepted[0]),
                f"it accepts {what}",
                "",
                harmless=True,
                look="It loses no game. Raise an error where the action is not among the actions.",
            )
    return None


# Functions known by name


def _by_name(player: PythonFile) -> Findings:
    """Compare the functions whose names say that they tell a winner, an end or the free squares.

    What a function answers for X, for O, for a draw or while the game goes on is learnt from most
    of its answers; boards are wrong where it gives the answer of another end.
    """
    right, wrong = [], []
    held = player.plan.into[1] if player.plan.into[0] == "global" else ""
    for name, parameters in player.loaded["functions"].items():
        wanted = [one for one, must in parameters if must]
        into = held if held and not (wanted and {*words(wanted[0])} & BOARDS) else ""
        if not into and wanted[:1] and not {*words(wanted[0])} & BOARDS:
            continue
        more = wanted[0 if into else 1 :]
        said = {*words(name)}
        if said & FREE and said & SQUARES and not more:
            kind = "free"
        elif said & WINS and not said & {"move", "moves", "can", "next", "if", "would"}:
            kind = "wins"
        elif said & ENDS and not said & {"draw", "tie", "full", "board"} and not more:
            kind = "ends"
        else:
            continue
        if (len(more) > 1) or (more and not {*words(more[0])} & (SIDES | {"le", "ai"})):
            continue
        if not into and not wanted:
            continue
        found = _learnt(player, name, kind, bool(more), into)
        if found == "right":
            right.append(name)
        elif isinstance(found, Wrong):
            wrong.append(found)
    first = [one for one in wrong if {*words(one.name)} & WINS] or wrong
    return Findings(tuple(right), tuple(first + [one for one in wrong if one not in first]))


def _learnt(player: PythonFile, name: str, kind: str, by_mark: bool, into: str) -> Wrong | str:
    """Compare a function with what it mostly answers; return "" if nobody can say."""
    side = player.plan.sides[0]
    marks = dict(zip((X, O), player.plan.marks[side], strict=True))
    boards = positions() if kind != "free" else unfinished()
    asked: list[list[Any]] = [[str(one)] for one in boards]
    of = list(boards)
    if by_mark:
        asked = [[str(one), mark] for mark in marks.values() for one in boards]
        of = [*boards, *boards]
    results = run(player, name, asked, {}, into=into)
    if results is None:
        return ""
    if kind == "free":
        truths: list[Any] = [list(one.legal_moves()) for one in boards]
        pairs = [
            (truth, _squares(result.get("value"), player))
            for truth, result in zip(truths, results, strict=True)
        ]
        if sum(truth == value for truth, value in pairs) < (1 - MOST_WRONG) * len(pairs):
            return ""
        bad = [n for n, (truth, value) in enumerate(pairs) if truth != value]
        expected = {n: ", ".join(map(str, truths[n])) for n in bad}
    else:
        ends = [
            (winner(one) == {v: k for k, v in marks.items()}[request[1]],)
            if by_mark
            else (winner(one), one.outcome() is not None)
            for one, request in zip(of, asked, strict=True)
        ]
        said = [result["raised"] if "raised" in result else _truthy(result["value"])
                for result in results]  # fmt: skip
        counted: dict[Any, Counter[str]] = {end: Counter() for end in ends}
        for end, one in zip(ends, said, strict=True):
            counted[end][one] += 1
        usual = {end: count.most_common(1)[0][0] for end, count in counted.items()}
        if any(
            count[usual[end]] < (1 - MOST_WRONG) * count.total() for end, count in counted.items()
        ):
            return ""
        goes_on = usual[(False,) if by_mark else (None, False)]
        if {*usual.values()} == {goes_on}:
            return ""
        bad = [n for n, end in enumerate(ends) if said[n] != usual[end]]
        known = {*usual.values(), _truthy(player.plan.form["empty"][0])}
        if any(said[n] not in known and "raised" not in results[n] for n in bad):
            return ""
    if not bad:
        return "right"
    first = min(bad, key=lambda n: positions().index(of[n]))
    result, position = results[first], of[first]
    says = f"it says {_shown(result.get('value'))}"
    if "raised" in result:
        says = f"it raises {result['raised']}"
    if by_mark:
        says += f" to {asked[first][1]}"
    truth = "free are squares " + expected[first] if kind == "free" else _truth("winner", position)
    wrong = [*dict.fromkeys(of[n] for n in sorted(bad, key=lambda n: positions().index(of[n])))]
    common, look = ("", "") if kind == "free" else _common("winner", wrong, results)
    return Wrong(name, len(wrong), len(boards), str(position), says, truth, common, look)


def _shown(value: Any) -> str:
    return str(value["other"] if isinstance(value, dict) and "other" in value else value)


def _truthy(value: Any) -> str:
    """Return a text for a value; what counts as false is all alike."""
    return repr(value) if value else "nothing"


def _squares(value: Any, player: PythonFile) -> list[int] | None:
    """Return the squares in a list of free ones, as the plan reads squares."""
    if not isinstance(value, list):
        return None
    plan = player.plan._replace(reading="square")
    numbers = [plan._number(one) for one in value]
    if None in numbers and plan.form["empty"][0] != plan.form["empty"][1]:
        numbers = [plan._replace(reading="number")._number(one) for one in value]
    return sorted(n for n in numbers if n is not None) if None not in numbers else None


# What wrong boards have in common


def _common(
    name: str, wrong: Sequence[Position], results: Sequence[Mapping[str, Any]]
) -> tuple[str, str]:
    """Return what is true of all wrong boards, and what to look for; "" where nothing is known."""
    on_all = f"On all {len(wrong)}" if len(wrong) > 1 else "There"
    if name == "result" and all("after" in result for result in results):
        return "", (
            "a copy of the list alone: its rows are still the old ones. Copy each row, or deepcopy."
        )
    if name == "player" and len({str(result.get("value")) for result in results}) == 1:
        return f"It says {_shown(results[0].get('value'))} on every board.", (
            "how it counts. On three lists of three, board.count counts rows, not squares."
        )
    if name not in ("winner", "terminal", "utility"):
        return "", ""
    won = [one.outcome() for one in wrong]
    if not all(one and one.winner for one in won):
        return "", ""
    lines = [one.lines for one in won if one]
    texts = [str(one) for one in wrong]
    empty = ((range(3), "row"), (range(3, 6), "column"), (range(6), "row or column"))
    for these, kind in empty:
        if all(any(_alike(text, LINES[n]) for n in these) for text in texts):
            return f"{on_all} an empty {kind} stands beside the line that won.", (
                "a test that returns at the first three alike. Three empty squares are alike, too:"
                " it answers before it comes to the line that won."
            )
    for line in LINES:
        if all(line in one for one in lines):
            squares = "-".join(map(str, line))
            return f"{on_all} the line {squares} is complete.", (
                f"the squares of {squares} ({', '.join(SQUARE_NAMES[n] for n in line)}): left out,"
                " or mistyped?"
            )
    if all("-" not in text for text in texts):
        return f"{on_all} the board is full.", (
            "a full board tested before three in a row: the ninth mark can win."
        )
    if name == "utility":
        sides = {one.winner for one in won if one}
        if len(sides) == 1:
            return f"{on_all} {sides.pop()} has won.", "who has won, not who is to move: X is 1."
    return "", ""


def _alike(text: str, line: Sequence[int]) -> bool:
    return all(text[n] == "-" for n in line)


# A search over the file's own functions


def own_values(player: PythonFile, boards: Iterable[Position]) -> list[dict[int, float] | None]:
    """Return for each board what a right search over the file's functions finds each move worth."""
    form = player.plan.form | {"marks": player.plan.marks[X]}
    try:
        reply = player.request({"own": [str(one) for one in boards], "form": form}, PATIENCE)
    except EndedError:
        reply = None
    if reply is None or "raised" in reply:
        return []
    return [
        None if values is None else {int(square): value for square, value in values.items()}
        for values in reply["values"]
    ]


def run(
    player: PythonFile,
    name: str,
    asked: Sequence[Sequence[Any]],
    right: Mapping[str, Any],
    makes: bool = False,
    into: str = "",
) -> list[Mapping[str, Any]] | None:
    """Return what a function answers to each of many boards, None if it never ends."""
    side = player.plan.sides[0]
    form = player.plan.form | {"marks": player.plan.marks[side]}
    results: list[Mapping[str, Any]] = []
    for start in range(0, len(asked), BATCH):
        request = {"run": name, "form": form, "boards": asked[start : start + BATCH]}
        more = {"right": right, "makes": makes, "into": into, "corners": makes}
        try:
            reply = player.request(request | more, PATIENCE)
        except EndedError:
            return None
        if reply is None or "raised" in reply:
            return None
        results += reply["results"]
    return results
