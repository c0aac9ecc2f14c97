"""How a Python file can be asked for a move: guessed from its names, tried, and confirmed.

All of it runs in the program's own process, on its own objects. A guess is confirmed where each
trial answer is a legal move, and where the marks which the program puts on its boards are those of
the side that was asked. Where two guesses are confirmed and answer otherwise, neither is believed.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import product
from typing import Any, NamedTuple

from judge.adapter import adapter
from judge.boards import LABELS, Form
from judge.lines import reason, shown
from judge.names import (
    BEGINS,
    BOARDS,
    BY_PROGRAM,
    EMPTY,
    TURNS,
    WEAK,
    bound,
    is_search,
    kind_of,
    plain,
    rank_of,
    words,
)
from judge.plans import (
    LEAVES,
    Names,
    Plan,
    Trial,
    Trials,
    asked,
    code_of,
    distinct,
    for_both,
    legal_readings,
    settled,
    squares_read,
    turn_of,
)
from judge.shape import Shape
from judge.source import Source

MOST = 300  # guesses tried for a function
MOST_LATE = 3  # guesses that may come to no end
EMPTIES = (None, " ", "-", "_", ".", "", 0)
PAIRS = (("X", "O"), ("x", "o"), (1, -1), (1, 2))
SURELY, FEW, AGAIN = 3, 2, 2
KNOWN = 7  # parts of a plan that are known before an answer is read
FILL_IN = "name 'FILL_IN'"
LACKS = re.compile(r"AttributeError: '\w+' object has no attribute '(\w+)'")
WHOLE = {"pair", "pair from 1", "square", "square from 1", "label", "key", "made", "placed"}

InTime = Callable[[Callable[[], Any]], Any]  # what work brings, None if that is late


class Cannot(NamedTuple):
    """Say why a file cannot be asked: `why` is a name that `words.NO_CALL` has words for.

    `call`, or the first of `plans`, was tried on `board`, and `came` is what came of it; `adapter`
    is a file to complete.
    """

    why: str
    call: str = ""
    came: str = ""
    board: str = ""
    adapter: str = ""
    plans: tuple[Mapping[str, Any], ...] = ()  # as `Plan.facts` returns them


class Confirmed(NamedTuple):
    """Hold a plan that was confirmed, the squares answered, and how sure the marks are.

    `sure` is SURELY where both marks were seen; else 1 for one that was, 1 if they are in the file.
    """

    plan: Plan
    answers: Mapping[str, int]
    sure: int


def candidates(shape: Shape, source: Source) -> list[str]:
    """Return the functions and methods that may pick a move, the likeliest first."""
    found: list[tuple[int, int, str]] = []
    for place, call in enumerate(shape.functions):
        owner, _, name = call.rpartition(".")
        rank, weak = rank_of(name, owner), bool({*words(owner)} & WEAK)
        if rank < 9 and not source.asks(call):
            found.append((rank + 4 * weak - bool({*words(owner)} & BY_PROGRAM), place, call))
    return [call for *_, call in sorted(found)]


class Search:
    """Search for the way to ask one function."""

    def __init__(
        self, call: str, shape: Shape, names: Names, source: Source, folder: str,
        trials: Sequence[str], in_time: InTime,
    ) -> None:  # fmt: skip
        self.call, self._shape, self._names, self._source = call, shape, names, source
        self._folder, self._trials, self._in_time = folder, trials, in_time
        self._code = code_of(call)
        self.late = 0
        self.unknown = ""
        self.confirmed: list[Confirmed] = []
        self.meant: Plan | None = None  # a plan whose call is sure, and whose answers are wrong
        self.is_understood = False  # the marks are sure, though no answer is a square
        self.score: str = ""  # the answers of a function that returns a score
        self.failed: tuple[Plan, Trials] | None = None  # the likeliest guess

    def try_guesses(self) -> None:
        """Try the guesses, board by board, until the marks on one kind of board are sure."""
        tried = 0
        for form, place in self._boards():
            for plan in self._plans(form, place):
                tried += 1
                if self.late >= MOST_LATE or tried > MOST:
                    return
                sure = [one.plan.marks for one in self.confirmed if one.sure == SURELY]
                if not sure or plan.marks in sure:
                    self._try(plan)
            if self.meant or self.is_understood or any(one.sure >= 2 for one in self.confirmed):
                return

    @property
    def best(self) -> list[Plan]:
        """Return the surest plan that was confirmed; two, if another answers otherwise."""
        sure = max((one.sure for one in self.confirmed), default=0)
        of = [one for one in self.confirmed if one.sure == sure]
        most = max((len(one.plan.sides) for one in of), default=0)
        of = [one for one in of if len(one.plan.sides) == most]
        for other in of[1:]:
            common = of[0].answers.keys() & other.answers.keys()
            if any(of[0].answers[text] != other.answers[text] for text in common):
                return [of[0].plan, other.plan]
        return [one.plan for one in of[:1]]

    # What to try

    def _boards(self) -> Iterator[tuple[Form, tuple[str, ...]]]:
        """Yield each form of a board and the place for it, the likeliest first."""
        owner = "" if self._code else self.call.rpartition(".")[0]
        used = self._source.names(self.call)
        if self._code:
            used = {*self._code.co_names}.union(*map(self._source.names, self._code.co_names))
            is_given = is_named = "board" in self._code.co_names
        else:
            is_named = any({*words(name)} & BOARDS for name, _ in self._shape.functions[self.call])
            wanted, self.unknown = self._values(False)
            is_given = ("board",) in wanted
        if is_given:
            yield from ((form, ()) for form in self._forms())
        for place, form in self._shape.boards.items() if not is_named else ():
            is_own = place[:2] == ("self", owner)
            if is_own or (place[0] == "global" and place[-1] in used):
                yield form, (place[0], place[-1])

    def _values(self, is_held: bool) -> tuple[list[tuple[str, ...]], str]:
        given = self._shape.functions[self.call]
        return bound(given, is_held, self._source, self.call)

    def _forms(self) -> list[Form]:
        """Return how boards may look, the likeliest first: like the boards of the file, if any."""
        owner = self.call.rpartition(".")[0]
        known = sorted(self._shape.boards, key=lambda place: place[1] != owner)
        boards = [self._shape.boards[at] for at in known if {*words(at[-1])} & (BOARDS | BEGINS)]
        if boards := distinct([*self._shape.begun.values(), *boards]):
            return boards
        source, members = self._source, [one for one in self._shape.constants.values()
                                         if isinstance(one, Enum)]  # fmt: skip
        empties: list[Any] = [one for one in members if plain(one.name) in EMPTY]
        empties += sorted(
            EMPTIES, key=lambda one: (repr(one) not in source.written, not source.has(one))
        )
        labels = sorted(LABELS, key=lambda one: not source.holds("".join(map(str, one))))
        squares = [(one,) * 9 for one in empties] + [*map(tuple, labels)]
        kinds = ["rows", "list"] if source.is_nested else ["list", "text", "tuple", "rows"]
        kinds = ["ten", *kinds, "dict"] if source.takes_ninth else [*kinds, "ten", "dict"]
        forms = [Form(kind, empty) for kind in kinds for empty in squares]
        keys = {"dict": tuple(range(1, 10))}
        return [
            form._replace(keys=form.empty[:1] if form.kind == "ten" else keys.get(form.kind, ()))
            for form in forms
            if form.kind != "text" or all(isinstance(one, str) and one for one in form.empty)
        ]

    def _pairs(self, form: Form) -> list[tuple[Any, Any]]:
        """Return what may stand for X and O, the likeliest first."""
        named = {plain(name): value for name, value in self._shape.constants.items()}
        pairs: list[tuple[Any, Any]] = [
            (named[x], named[o])
            for x, o in (("x", "o"), ("playerx", "playero"), ("cross", "nought"))
            if x in named and o in named
        ]
        kinds: dict[type, list[Any]] = {}
        for value in self._shape.constants.values():
            if isinstance(value, Enum) and value not in form.empty:
                kinds.setdefault(type(value), []).append(value)
        pairs += [(of[0], of[1]) for of in kinds.values() if len(of) > 1]
        empty = form.empty[0]
        by_type = [pair for pair in PAIRS if isinstance(pair[0], str) or not isinstance(empty, str)]
        is_number = empty == 0 and form.empty[1] == 0
        pairs += sorted(
            by_type,
            key=lambda pair: (
                isinstance(pair[0], str) == is_number,
                not all(map(self._source.has, pair)),
            ),
        )
        return [pair for pair in distinct(pairs) if not any(one in form.empty for one in pair)]

    def _plans(self, form: Form, place: tuple[str, ...]) -> Iterator[Plan]:
        """Yield the ways to call the function on a board, the likeliest first."""
        values: list[tuple[str, ...]] = []
        if not self._code:
            values, self.unknown = self._values(bool(place))
            if self.unknown:
                return
        for given in product(*values):
            for x, o in self._pairs(form):
                if not all(isinstance(one, str) for one in (x, o)) and form.kind == "text":
                    continue
                letters = all(isinstance(one, str) for one in (x, o))
                if any("letter" in one for one in given) and letters:
                    continue  # which is the mark itself
                yield Plan(
                    self.call,
                    form,
                    for_both(x, o),
                    place,
                    given,
                    tuple(self._turns(place)),
                    shown=self._shown(len(values)),
                    code=self._code,
                )

    def _shown(self, given: int) -> str:
        if self._code:
            return self.call
        names = ", ".join(name for name, _ in self._shape.functions[self.call][:given])
        return f"{self.call}({names})"

    def _turns(self, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Yield the variables that hold the side to move."""
        owner = self.call.rpartition(".")[0]
        for at, value in self._shape.variables.items():
            is_near = at[0] == "global" or (at[1] == owner and place[:1] == ("self",))
            is_player = plain(at[-1]) == "player" and at[0] == "self"
            is_mark = any(value in pair for pair in PAIRS) or isinstance(value, Enum)
            is_turn = plain(at[-1]) in TURNS or is_player
            if is_near and is_mark and is_turn and not isinstance(value, bool):
                yield at[0], at[-1]

    # Trying

    def _try(self, plan: Plan, times: int = AGAIN) -> None:
        """Try a plan, and again with the marks and sides that were seen; keep what comes of it."""
        if any(one.plan[:KNOWN] == plan[:KNOWN] for one in self.confirmed):
            return
        trials = self.tried(plan)
        if is_late(trials):
            self.late += 1
            self.failed = (plan, trials) if trials else self.failed
            return
        better = settled(plan, trials)
        if better is None or better == plan or not times:
            self._judge(plan, trials, better == plan)
        else:
            self._try(better, times - 1)

    def tried(self, plan: Plan) -> Trials:
        """Return what comes of a plan; nothing if that is late."""
        return self._in_time(lambda: self._tried(plan)) or []

    def _tried(self, plan: Plan) -> list[Trial]:
        """Return what comes of a plan on the trial boards; for each side, of two if both raise."""
        found: list[Trial] = []
        for text in self._trials:
            near = [one for one in found if turn_of(one.text) == turn_of(text)]
            if len(near) == FEW and all(one.raised for one in near):
                continue  # nor will others do
            random.seed(text)
            came = asked(plan, self._names, text, self._folder)
            squares = squares_read(plan, came, text)
            is_raised = came.raised is not None and not isinstance(came.raised, LEAVES)
            raised = reason(came.raised) if is_raised and came.raised else ""
            is_none = came.value is None and not is_raised
            found.append(
                Trial(text, squares, shown(came.value), raised, came.first, came.found, came.deep,
                      is_none)
            )  # fmt: skip
        return found

    def _judge(self, plan: Plan, trials: Trials, agrees: bool) -> None:
        """Keep a plan that is confirmed, or whose call is sure though its answers are wrong."""
        is_search_alone = is_search(self.call) and not self._code
        readings = legal_readings(trials, plan.sides, 1)
        if whole := [one for one in readings if one in WHOLE]:
            readings = whole
        if is_search_alone:
            readings = [one for one in readings if one not in ("square", "square from 1")]
        seen = distinct([mark for one in trials for mark in one.found])
        pair = [*plan.marks["X"].values()]
        is_label = plan.form.is_numbered
        stands = all(map(self._source.has, (*pair, *plan.form.empty[: not is_label])))
        # Numbers stand in every file: they are marks beside a number alone.
        stands &= not isinstance(pair[0], int) or isinstance(plan.form.empty[0], int)
        sure = SURELY if len(seen) == 2 else bool(seen) + stands
        for side in plan.sides if seen and not readings and len(plan.sides) == 2 else ():
            others = [one for one in trials if turn_of(one.text) != side]
            if (
                readings := legal_readings(trials, side, 1)
                if all(one.raised for one in others)
                else []
            ):
                plan = plan._replace(sides=(side,))
                break
        of = [text for text in self._trials if turn_of(text) in plan.sides]
        if agrees and {*of} <= {one.text for one in trials}:
            for reading in readings:
                answers = {one.text: one.squares[reading] for one in trials
                           if turn_of(one.text) in plan.sides}  # fmt: skip
                read = plan._replace(reading=reading)
                self.confirmed.append(Confirmed(read, answers, sure))
            if not readings and seen:
                self.is_understood = len(seen) == 2
                self._mean(plan, trials, is_search_alone)
        is_further = self.failed is None or (
            any(one.raised for one in self.failed[1]) and not any(one.raised for one in trials)
        )
        if is_further and not readings:
            self.failed = plan, trials

    def _mean(self, plan: Plan, trials: Trials, is_search_alone: bool) -> None:
        """Keep a plan that puts the right marks, though an answer is missing or illegal."""
        of = [one for one in trials if turn_of(one.text) in plan.sides]
        numbers = {one.squares["square"] for one in of if "square" in one.squares}
        if is_search_alone or (numbers and (min(numbers) < 0 or max(numbers) > 9)):
            self.score = ", ".join(map(str, sorted(numbers)))
            return
        some = [*legal_readings(trials, plan.sides, 0.5), *(["square"] if numbers else [])]
        some += [reading for one in of for reading in one.squares]
        if self.meant is None and some:
            self.meant = plan._replace(reading=some[0])


def is_late(trials: Trials) -> bool:
    """Say whether a plan has come to no end, or to the end of the memory."""
    return not trials or any(one.raised.startswith("MemoryError") for one in trials)


# The file


def find(
    names: Names, source: Source, path: str, trials: Sequence[str], call: str, in_time: InTime
) -> Plan | Cannot:
    """Return how a file is asked for a move, or why it cannot be."""
    folder = os.path.dirname(os.path.abspath(path))
    shape = Shape(names, folder)
    only = str(names.get("PLAYS"))
    sides = (only,) if only in ("X", "O") else ("X", "O")

    def tried(plan: Plan) -> Trials:
        return Search(plan.call, shape, names, source, folder, trials, in_time).tried(plan)

    if call and "(" not in call and call not in shape.functions:
        return Cannot("no such function", call)
    if shape.is_course and not call:
        plan = course_plan(shape)
        known = "initial_state()" in shape.begun
        if plan.form.kind == "rows" and (known or len(tried(plan)) == len(trials)):
            return plan
    wanted = [name for name, must in shape.functions.get("choose", ()) if must]
    contract = Plan("choose", sides=sides, shown=f"choose({', '.join(wanted)})")
    is_contract = len(wanted) == 1 and call in ("", "choose")
    if is_contract:
        trials_of = tried(contract)  # none where it is late; a square from 1 is judged as wrong
        if unfilled := [one.raised for one in trials_of if FILL_IN in one.raised]:
            return Cannot("fill in", came=unfilled[0])
        if is_late(trials_of) or {"square", "square from 1"} & {
            *legal_readings(trials_of, sides, 1)
        }:
            return contract
    calls = [call] if call else candidates(shape, source)
    searched: list[Search] = []
    closed = ""  # the likeliest method, if of a class that wants arguments
    for one in calls:
        if one.rpartition(".")[0] in shape.closed and "(" not in one:
            closed = closed or (one if not searched else "")
            continue
        search = Search(one, shape, names, source, folder, trials, in_time)
        search.try_guesses()
        if len(search.best) > 1:
            return Cannot("two ways", one, plans=tuple(plan.facts() for plan in search.best))
        if search.best:
            return search.best[0]
        if search.meant:
            return search.meant
        searched.append(search)
    if is_contract:
        return contract  # wrong answers are judged as wrong
    return _why_not(closed, searched, shape, source, path)


def course_plan(shape: Shape) -> Plan:
    """Return how the seven functions of the course are asked."""
    x, o = (shape.constants.get(name, name) for name in ("X", "O"))
    rows = Form("rows", (shape.constants.get("EMPTY"),) * 9)
    form = shape.begun.get("initial_state()", rows)
    return Plan("minimax", form, for_both(x, o), reading="pair", shown="minimax(board)")


def _why_not(
    closed: str, searched: Sequence[Search], shape: Shape, source: Source, path: str
) -> Cannot:
    """Return why none of the functions can be asked, with an adapter for the likeliest."""
    if closed:
        owner = closed.rpartition(".")[0]
        raised = shape.closed[owner]
        why = "unmade" if raised else "closed"
        return Cannot(why, closed, raised or owner, owner, _adapter(closed, shape, path))
    for search in searched[:1]:
        lines = _adapter(search.call, shape, path)
        if search.unknown:
            return Cannot("unknown", search.call, search.unknown, "", lines)
        if search.score:
            return Cannot("score", search.call, search.score, "", lines)
        if not search.failed:
            return Cannot("late" if search.late else "no board", search.call, "", "", lines)
        plan, trials = search.failed
        plans = (plan._replace(sides=("X", "O")).facts(),)
        for one in trials:
            if lacking := LACKS.match(one.raised):
                owners = [call for call in source.defs if call.endswith(f".{lacking[1]}")]
                why = "own object" if owners else "other object"
                lacks = owners[0].partition(".")[0] if owners else lacking[1]
                return Cannot(why, search.call, lacks, one.text, lines)
            if one.raised:
                return Cannot("raised", search.call, one.raised, one.text, lines, plans)
        taken = [one for one in trials if one.text[one.squares.get("square", 0) % 9] != "-"]
        wrong = [*taken, *trials][0]
        return Cannot("illegal", search.call, wrong.shown, wrong.text, lines, plans)
    if why := source.nature or (source.window and "window"):
        return Cannot(why, came=source.window)
    likely = next((one for one in source.searches("") if one in shape.functions), "")
    return Cannot("no function", likely, adapter=_adapter(likely, shape, path))


def _adapter(call: str, shape: Shape, path: str) -> str:
    """Return the lines of an adapter for a function: see `adapter`."""
    owner = call.rpartition(".")[0]
    near = [form for place, form in shape.boards.items() if place[1] in (owner, place[-1])]
    forms = distinct([*shape.begun.values(), *near])
    turns = [place[-1] for place in shape.variables if plain(place[-1]) in TURNS]
    given = [name for name, must in shape.functions.get(call, ()) if must]
    kinds = [kind_of(name) for name in given]
    form = forms[0] if len(forms) == 1 else None
    return adapter(
        path, call, [*zip(given, kinds, strict=True)], form, turns, owner in shape.closed
    )
