"""Programs asked for moves: a Python file by a plan that is found first, a command by lines."""

from __future__ import annotations

import json
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Literal, NamedTuple

from engine.position import IllegalMoveError, Mark, O, Position, Square, X
from engine.results import holding_moves
from engine.search import analyse
from engine.symmetry import reachable
from judge import child
from judge.fence import ANYTHING, GRACE, NUMBER, SQUARE, EndedError, NoStart, Process
from judge.plans import (
    CONTRACT,
    PAIRS,
    READINGS,
    Guess,
    Plan,
    Source,
    bound,
    candidates,
    course_plan,
    is_course,
    is_legal,
    is_search,
    played,
)

MOST_TIMEOUTS = 3
LOADING = 20.0  # seconds for a Python file to load in
TRIAL = 10.0  # seconds for a trial, on a board with four free squares or fewer
IDLE = 2.0  # seconds for a command without its program to end
TRIALS = 4  # boards to try a plan on, for each side
MOST_PLANS = 600
LOADS, DEFINES = ["loads"], ["defines"]  # how the far end takes a file
SAID: Sequence[list[str]] = (
    [],
    ["X"],
    ["1"],
    ["y"],
    ["X", "y"],
    ["X", "1"],
)  # to a file's first questions
RUNS = {".js": "node", ".mjs": "node", ".ts": "npx tsx", ".java": "java", ".go": "go run",
        ".rb": "ruby", ".php": "php", ".lua": "lua", ".pl": "perl", ".jl": "julia"}  # fmt: skip
COMPILED = {".c", ".cpp", ".cc", ".rs", ".cs", ".kt", ".swift", ".hs", ".pas"}


class Answer(NamedTuple):
    """Hold the answer of a program, and the seconds before.

    `number` is a legal move if the kind is "square", any number if "illegal", -1 if none came.
    `came` gives the answer, or the reason for none, in words; `left`, the board as the program left
    the board, or a variable of the object asked, where changed.
    """

    kind: Literal["square", "illegal", "errors", "timeouts"]
    number: int
    came: str
    seconds: float
    left: str = ""


class Settings(NamedTuple):
    """Hold how a program is asked, as said at the prompt."""

    timeout: float = 60.0
    memory: float = 2.0
    seed: int = 1
    call: str = ""
    first: int = 0
    anew: bool = False


class Tried(NamedTuple):
    """Hold how many answers of four a plan made legal, and how many right."""

    legal: int
    right: int
    plan: Plan


class Player(ABC):
    """Ask a program for moves, and in the end close everything.

    `given_up` says that three answers timed out, so no more is asked; `anew`, why the
    program is started for each board, if so; `says_more`, of an answer left over; `called`, how a
    file is asked; `sides`, the marks played.
    """

    sides: tuple[Mark, ...] = (X, O)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._process: Process | None = None
        self._timeouts, self.given_up = 0, False
        self.anew, self.says_more, self.called = "", False, ""

    @abstractmethod
    def ask(self, position: Position) -> Answer:
        """Return the answer to a board not yet over. Raises NoStart if no answer can come."""

    def lines(self, wrong: Sequence[str]) -> dict[str, int]:
        """Return the lines of wrong functions, else of the search; none where no source is read."""
        return {}

    def notes(self) -> Iterator[str]:
        """Tell what the source alone shows to be wrong; nothing where no source is read."""
        yield from ()

    def afresh(self) -> None:
        """Forget whatever the program keeps: the next board finds it as it was started."""
        self.close(0)

    def close(self, grace: float = GRACE) -> None:
        """End the program; the next board starts it afresh."""
        if self._process:
            self._process.close(grace)
        self._process = None

    def _late(self, said: str, seconds: float) -> Answer:
        self.close(0)
        self._timeouts += 1
        self.given_up = self._timeouts == MOST_TIMEOUTS
        came = f"no answer in {self.settings.timeout:g} s{but(said)}"
        return Answer("timeouts", -1, came, seconds)


class Command(Player):
    """Ask a command by lines: a board a line in, a square a line out."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        super().__init__(settings)
        self._command, self._waits = command, False
        self.anew = "as --anew asks" if settings.anew else ""

    def ask(self, position: Position) -> Answer:
        """Return the answer to a board not yet over. Raises NoStart if it cannot be asked."""
        process = self._process = self._process or self._start()
        began = monotonic()  # to start is not to think
        try:
            process.send(str(position), last=bool(self.anew))
            line = process.answer(began + self.settings.timeout)
        except EndedError as ended:
            self.close(0)
            if process.answered and not self.anew:
                self.anew = str(ended)
                return self.ask(position)
            self._check_that_it_waits()
            return Answer("errors", -1, f"{ended}{but(process.said)}", monotonic() - began)
        seconds = monotonic() - began
        self.says_more |= process.says_more
        if line is None:
            return self._late(process.said, seconds)
        self._waits = True
        if self.anew:
            self.close(0)
        number = int(line)
        return judged_number(number, str(number), position, seconds)

    def _start(self) -> Process:
        return Process(self._command, NUMBER, self.settings.memory)

    def _check_that_it_waits(self) -> None:
        """Raise NoStart if the program ends without a board; look once."""
        if not self._waits:
            process = self._start()
            try:
                process.answer(monotonic() + IDLE)
            except EndedError as ended:
                raise NoStart(str(ended)) from ended
            finally:
                process.close()
            self._waits = True


class PythonFile(Player):
    """Ask a Python file: find out how, then call the function that picks a move."""

    def __init__(self, path: str, settings: Settings) -> None:
        super().__init__(settings)
        self._path, self._how = path, LOADS
        self.loaded: Mapping[str, Any] = {}
        self._start()
        try:
            self.source = Source(path)
            self.plan = self._find()
        except BaseException:
            self.close(0)
            raise
        self.afresh()
        self.sides, self.called = self.plan.sides, self._called()

    def afresh(self) -> None:
        """Have the far end go on in a copy of the process as it was once the file was loaded."""
        if self._process:
            self.request_or_nothing({}, LOADING)

    def ask(self, position: Position) -> Answer:
        """Return the answer to a board not yet over."""
        began = monotonic()
        try:
            self._start()
            began = monotonic()  # to start is not to think
            reply = self.request(self.plan.request(position), self.settings.timeout)
        except EndedError as ended:
            self.close(0)
            return Answer("errors", -1, str(ended), monotonic() - began)
        seconds = monotonic() - began
        if reply is None:
            return self._late("", seconds)
        return self._answer(reply["came"][0], position, seconds)

    def lines(self, wrong: Sequence[str]) -> dict[str, int]:
        """Return the lines of wrong functions, else of the search."""
        source = self.source
        return source.lines(wrong) if wrong else source.searches(self.plan.call)

    def notes(self) -> Iterator[str]:
        """Tell what the source alone shows to be wrong in the search."""
        return self.source.notes(self.plan.call)

    def request(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the reply to a request, None if late. Raises EndedError at the end."""
        process = self._start()
        process.send(json.dumps(request))
        line = process.answer(monotonic() + seconds)
        if line is None:
            self.close(0)
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply

    def request_or_nothing(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to a request, an empty one if none comes in time."""
        try:
            return self.request(request, seconds) or {}
        except EndedError:
            self.close(0)
            return {}

    def _answer(self, reply: dict[str, Any], position: Position, seconds: float) -> Answer:
        square, after = self.plan.square(reply, position), reply["after"]
        left = "" if after in (None, str(position)) else str(after)  # None: empty is spelt anew
        if square is not None and is_legal(square, position):
            made = after == str(position.play(square))  # the move, on the board, too
            left = "" if made else left or reply["state"]
            return Answer("square", square, reply["shown"], seconds, left)
        if reply["raised"]:
            return Answer("errors", -1, reply["raised"], seconds, left)
        if square is None:
            came = no_number(reply["value"], reply["shown"], self.plan)
            return Answer("illegal", -1, came, seconds, left)
        return judged_number(square, reply["shown"], position, seconds)

    def _start(self) -> Process:
        """Start the program, up to where the file has been loaded. Raises NoStart if it is not."""
        while self._process is None:
            command = [sys.executable, child.__file__, self._path, str(self.settings.seed)]
            command += self._how
            self._process = Process(command, ANYTHING, self.settings.memory)
            try:
                self._load(self._process)
            except BaseException:  # a signal, too, ends it
                self.close(0)
                raise
        return self._process

    def _load(self, process: Process) -> None:
        seconds = LOADING
        try:
            line = process.answer(monotonic() + seconds)
        except EndedError as ended:
            raise NoStart(str(ended)) from ended
        if line is None and self._how == LOADS:
            self._how = DEFINES  # all but its loops
            self.close(0)
            return
        if line is None:
            raise NoStart(f"it does not load in {seconds:g} s")
        self.loaded = json.loads(line)
        if "cannot" in self.loaded:
            raise NoStart(self.loaded["cannot"] + no_python(self._path, self.loaded["no_python"]))

    def _called(self) -> str:
        """Say what was assumed, and where the file was left while loading."""
        told, alone = [self.plan.told()], "definitions alone were judged."
        if "asks" in self.loaded and not self.plan.says:
            told.append(
                f"It asks its user in line {self.loaded['asks']} while it loads: whatever comes"
                " before was judged."
            )
        if self._how == DEFINES:
            told.append(f"It never ends loading: its {alone}")
        if "stopped" in self.loaded:
            told.append(f"While it loads: {self.loaded['stopped']}. Its {alone}")
        return " ".join(told)

    # How to ask

    def _find(self) -> Plan:
        """Return the plan that works. Raises NoStart, with an adapter, if none does."""
        first = bool(self.settings.first)
        if is_course(self.loaded) and not self.settings.call:
            plan = course_plan(self.loaded)._replace(from_1=first)
            known = "initial_state()" in self.loaded["forms"]
            if plan.form["kind"] == "rows" and (known or len(self._replies(plan)) > 2):
                return plan
        calls = [self.settings.call] if self.settings.call else candidates(self.loaded, self.source)
        found: list[Tried] = []
        for call in filter(self._has, calls):
            found += self._tried(call)
            if found and found[-1].legal == TRIALS:
                return found[-1].plan
        if found:
            return max(found, key=lambda one: one[:2]).plan
        if not self.settings.call and (by_questions := self._played()):
            return by_questions
        if self._has("choose"):
            only = Guess(self.loaded, self.source, "choose").plans(first)
            if contract := next(only, None):
                return contract  # wrong answers are told as wrong
        raise NoStart(self._why_not(calls))

    def _has(self, call: str) -> bool:
        owner, _, name = call.rpartition(".")
        if owner:
            return name in self.loaded["classes"].get(owner, {"methods": ()})["methods"]
        return name in self.loaded["functions"]

    def _played(self) -> Plan | None:
        """Return the plan to play through the file's own questions, if there is one."""
        for said in SAID if self.source.has_input else ():
            self._how = ["plays", *said]
            self.close(0)
            try:
                self._start()
            except NoStart:
                break
            for plan in played(self.loaded, self.source):
                replies = ((board, self._came(plan, board)) for board in trials(plan.sides))
                if all(came and is_legal(plan.square(came, one), one) for one, came in replies):
                    return plan
        self._how = LOADS
        return None

    def _tried(self, call: str) -> list[Tried]:
        """Return the best plan to call a function, if any brings legal answers."""
        best: Tried | None = None
        meant, late = None, 0  # a plan whose answers are clear, and wrong: told, not read otherwise
        plans = Guess(self.loaded, self.source, call).plans(bool(self.settings.first))
        for plan in islice(plans, MOST_PLANS):
            if late >= MOST_TIMEOUTS:
                break
            if best and best.legal == TRIALS and not self.source.has(plan.form["empty"]):
                continue  # no board of the file looks so
            replies = self._replies(plan)
            late += not replies
            boards = trials(plan.sides)
            readings = _readings(plan, [reply["value"] for _, reply in replies])
            for reading in readings:
                read = plan._replace(reading=reading)
                squares = [(board, read.square(reply, board)) for board, reply in replies]
                legal = sum(is_legal(square, board) for board, square in squares)
                if reading == "square" and legal < len(boards):
                    if is_search(call.rpartition(".")[2]):
                        continue  # a score, now and then the number of a free square
                    less = [board for board, n in squares if n and is_legal(n - 1, board)]
                    is_clear = readings is PAIRS or (not legal and [*less] == [*boards])
                    meant = meant or (read if is_clear else None)
                right = sum(square in holding_moves(analyse(board)) for board, square in squares)
                tried = Tried(legal * TRIALS // len(boards), right, read)
                if legal and (best is None or tried[:2] > best[:2]):
                    best = tried
            if best and (best[:2] == (TRIALS, len(boards)) or plan.form is CONTRACT):
                break
        if meant and not best:
            best = Tried(TRIALS, 0, meant)
        return [best] if best else []

    def _replies(self, plan: Plan) -> list[tuple[Position, dict[str, Any]]]:
        """Return the replies to the trials of a plan; few, if the first ones raise."""
        replies: list[tuple[Position, dict[str, Any]]] = []
        for board in trials(plan.sides):
            came = self._came(plan, board)
            if not came:
                break
            replies.append((board, came))
            if len(replies) == 2 and all(one["raised"] for _, one in replies):
                break  # nor will others do
        return replies

    def _came(self, plan: Plan, board: Position) -> dict[str, Any]:
        """Return what comes of a plan on a board, nothing if it is late or ends."""
        came: dict[str, Any]
        [came] = self.request_or_nothing(plan.request(board), TRIAL).get("came", [{}])
        return came

    def _why_not(self, calls: Sequence[str]) -> str:
        """Return why a file cannot be asked, and the lines to add."""
        functions, classes = self.loaded["functions"], self.loaded["classes"]
        game_loop = ""
        if "asks" in self.loaded:
            line = self.source.statement_at(self.loaded["asks"])
            game_loop = (
                "\nIt asks its user while it loads: move the game loop under"
                f' if __name__ == "__main__":, line {line}.'
            )
        if "stopped" in self.loaded:
            game_loop = f"\nWhile it loads: {self.loaded['stopped']}."
            if "ModuleNotFoundError" in game_loop:
                return f"{game_loop.strip()} Install that for this Python, and judge again."
        if self.settings.call and not self._has(self.settings.call):
            return f"it has no {self.settings.call}{game_loop}"
        why = "it has no function choose(board), and no other that returned a legal move"
        for call in calls[:1]:
            owner, _, method = call.rpartition(".")
            methods = classes[owner]["methods"] if owner else functions
            missing = bound(methods[method], bool(classes), False)[1]
            if missing:
                why = f"{call} wants {missing}, and nothing says what that is"
        likely = [*calls, *self.source.searches("")]
        return f"{why}{game_loop}\n{adapter(self._path, *likely[:1])}"


def _readings(plan: Plan, values: Sequence[Any]) -> Sequence[str]:
    """Return the ways in which answers may be read."""
    if plan.form is CONTRACT:  # which knows one way to answer
        return READINGS[:1]
    are_pairs = all(
        isinstance(one, list) and plan.number(one, "pair") is not None for one in values
    )
    return PAIRS if values and are_pairs else READINGS


def adapter(path: str, call: str = "my_move") -> str:
    """Return the lines to put into a file of their own, filled in."""
    owner, _, method = call.rpartition(".")
    name, call = (owner, f"{owner}().{method}") if owner else (call, call)
    return f"""
Put this into a file beside yours, and have that judged:

  from {Path(path).stem} import {name}

  def choose(board):                       # nine of X, O and -, row by row
      mine = [" " if mark == "-" else mark for mark in board]  # as yours looks
      return {call}(mine)                  # one number from 0 to 8: 3 * row + column"""


def no_python(path: str, is_wrong: bool) -> str:
    """Return how a file of another language is judged, "" for one of Python."""
    ending = Path(path).suffix.lower()
    if ending in COMPILED:
        return f'\nNo Python? Compile it, then: --run "./{Path(path).stem}"'
    if ending in RUNS:
        return f"\nNo Python? Then: --run {shlex.quote(f'{RUNS[ending]} {path}')}"
    return '\nNo Python? Then by lines: --run "COMMAND"' if is_wrong and ending != ".py" else ""


@cache
def trials(sides: tuple[Mark, ...]) -> tuple[Position, ...]:
    """Return the boards to try a plan on: one square alone keeps the result.

    No free square is followed by another, so a square counted from 1 is taken.
    """
    found: dict[Mark, list[Position]] = {X: [], O: []}
    for position in reachable():
        free = position.legal_moves()
        if (
            2 <= len(free) <= 4
            and len(holding_moves(analyse(position))) == 1
            and not {n + 1 for n in free} & {*free}
        ):
            found[position.turn].append(position)
    step = {mark: max(1, len(found[mark]) // TRIALS) for mark in found}
    return tuple(one for mark in sides for one in found[mark][:: step[mark]][:TRIALS])


def but(said: str) -> str:
    """Return the words of a program that are no answer, ready to follow a reason, and the cure.

    >>> but("move: 0")
    ', only: move: 0 (print the number alone on its line)'
    """
    numbers = len(SQUARE.findall(said))
    alone = " (print the number alone on its line)" if numbers == 1 else ""
    return said and f", only: {said}{alone}"


def judged_number(number: Square, came: str, position: Position, seconds: float) -> Answer:
    """Return an answer that is a number, legal or not."""
    try:
        position.play(number)
    except IllegalMoveError as error:
        return Answer("illegal", number, f"{came}: {error}", seconds)
    return Answer("square", number, came, seconds)


def no_number(value: Any, shown: str, plan: Plan) -> str:
    """Return why an answer is no square, in a line."""
    if plan.reading == "placed":
        return "it placed no mark on a free square"
    if value is None:
        return f"{plan.call.rpartition('.')[2]} returned nothing (None)"
    if isinstance(value, str):
        return f"{shown} is text: return the number"
    if plan.reading == "pair":
        is_score = value in (-1, 0, 1) and not isinstance(value, bool)
        return f"{shown}: a score, not a move?" if is_score else f"{shown} is no (row, column)"
    if isinstance(value, float):
        return f"{shown} is a float: return int({shown})"
    if isinstance(value, list):
        return f"{shown}: return one number, 3 × row + column"
    return f"{shown} is no number from 0 to 8"
