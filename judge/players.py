"""Programs asked for moves: a Python file as it was found to be asked, a command by lines."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from engine.position import IllegalMoveError, Mark, O, Position, Square, X
from judge.lines import Fact
from judge.process import ANYTHING, GRACE, NUMBER, SQUARE, EndedError, NoStart, Process
from judge.source import Source

MOST_TIMEOUTS = 3
LOADING = 20.0  # seconds for a Python file to load in
TRIAL = 10.0  # seconds for a guess on all trial boards, each with four free squares or fewer
MOST_LATE = 12  # guesses that come to no end
IDLE = 2.0  # seconds of silence until a command is looked at
TRIALS = (  # boards to try a guess on, six for each side, two of them lost: no score is a square
    "OXO-OX-X- XO-XO-O-X X-XOOX-O- -XO-XOO-X -O-X-OXXO OO-X-OXX- "
    "-OX-X-O-X X-OX-X-O- -XO-O-X-X XO-X-X-O- -X-O-O-XX O-X-O-XX-"
).split()  # no free square is followed by another: a square counted from 1 is taken
LATE = {"why": "late", "call": "it"}  # to find out how it is asked
LOADS, DEFINES = "loads", "defines"  # how the far end takes a file
ROOT = str(Path(__file__).resolve().parent.parent)  # a folder, or one file that holds all
FAR_END = f"import sys; sys.path[0] = {ROOT!r}; from judge.child import begin; begin()"


class Response(NamedTuple):
    """Hold the answer of a program, and the seconds before.

    `number` is a legal move if the kind is "square", any number if "illegal", -1 if none came.
    `came` says why there is no legal move; `left` is the board as the program left the board, where
    changed. `is_random` says whether the program drew a random number, None if nobody can say.
    """

    kind: Literal["square", "illegal", "errors", "timeouts"]
    number: int
    came: Fact
    seconds: float
    left: str = ""
    is_random: bool | None = None


class Settings(NamedTuple):
    """Hold how a program is asked, as said at the prompt."""

    timeout: float = 60.0
    memory: float = 2.0
    seed: int = 1
    call: str = ""
    first: int = 0
    anew: bool = False


class NoCall(NoStart):
    """Raised where a Python file cannot be asked: `why` is as `finding.Cannot` holds it."""

    def __init__(self, why: Mapping[str, Any]) -> None:
        super().__init__(why["why"])
        self.why = why


class Player(ABC):
    """Ask a program for moves, and in the end close everything.

    `given_up` says that three answers timed out, so no more is asked; `anew`, why the program is
    started for each board, if so; `says_more`, of an answer left over; `sides`, the marks played.
    Of a file, `plan` says how it is asked, and `loaded` where it was left while loading.
    """

    sides: tuple[Mark, ...] = (X, O)
    plan: Mapping[str, Any] = MappingProxyType({})
    loaded: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._process: Process | None = None
        self._timeouts, self.given_up = 0, False
        self.anew: Fact = ()
        self.says_more = False

    @abstractmethod
    def ask(self, position: Position) -> Response:
        """Return the answer to a board not yet over. Raises NoStart if no answer can come."""

    def lines(self, wrong: Sequence[str]) -> dict[str, int]:
        """Return the lines of wrong functions, else of the search; none where no source is read."""
        return {}

    def may_search(self) -> bool:
        """Say whether a function calls itself, as far as can be seen."""
        return True

    def notes(self) -> Iterator[Fact]:
        """Yield what the source alone shows to be wrong; nothing where no source is read."""
        yield from ()

    def afresh(self) -> None:
        """Forget whatever the program keeps: the next board finds it as it was started."""
        self.close(0)

    def close(self, grace: float = GRACE) -> None:
        """End the program; the next board starts it afresh."""
        if self._process:
            self._process.close(grace)
        self._process = None

    def _late(self, said: str, seconds: float) -> Response:
        self.close(0)
        self._timeouts += 1
        self.given_up = self._timeouts == MOST_TIMEOUTS
        return Response("timeouts", -1, beside(("late", self.settings.timeout), said), seconds)


class Command(Player):
    """Ask a command by lines: a board a line in, a square a line out."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        super().__init__(settings)
        self._command, self._waits = command, False
        self.anew = ("as asked",) if settings.anew else ()
        self._looked = settings.anew

    def ask(self, position: Position) -> Response:
        """Return the answer to a board not yet over. Raises NoStart if it cannot be asked."""
        process = self._process = self._process or self._start()
        began = monotonic()  # to start is not to think
        try:
            process.send(str(position), last=bool(self.anew))
            line = self._line(process, began)
        except EndedError as ended:
            self.close(0)
            if process.answered and not self.anew:
                self.anew = ended.fact
                return self.ask(position)
            self._check_that_it_waits()
            return Response("errors", -1, beside(ended.fact, process.said), monotonic() - began)
        seconds = monotonic() - began
        self.says_more |= process.says_more
        if line is None:
            return self._late(process.said, seconds)
        self._waits = self._looked = True
        if self.anew:
            self.close(0)
        return judged_number(int(line), str(int(line)), position, seconds)

    def _line(self, process: Process, began: float) -> str | None:
        """Return the answer, None if late; where nothing comes at first, look once at the silence.

        A program that does not flush its output answers once its input is closed, and is silent
        again where the input stays open: such a one is started for each board from then on.
        """
        end = began + self.settings.timeout
        if self._looked or (line := process.answer(min(began + IDLE, end))) is not None:
            return line if not self._looked else process.answer(end)
        self._looked = True
        said = process.said
        process.close_input()
        with suppress(EndedError):  # for it has been told that nothing more comes
            line = process.answer(end)
        process.said = said or process.said
        self.close(0)
        self._process = self._start()
        if line is not None:
            self._process.send(process.sent)
            took = monotonic() - began  # twice as long, and the silence that was looked at
            again = self._process.answer(monotonic() + 2 * took + IDLE)
            self.anew = ("unflushed",) if again is None else ()
            self.close(0)
        return line

    def _start(self) -> Process:
        return Process(self._command, NUMBER, self.settings.memory)

    def _check_that_it_waits(self) -> None:
        """Raise NoStart if the program ends without a board; look once."""
        if not self._waits:
            process = self._start()
            try:
                process.answer(monotonic() + IDLE)
            except EndedError as ended:
                raise NoStart("never reads", ended.fact) from ended
            finally:
                process.close()
            self._waits = True


class PythonFile(Player):
    """Ask a Python file, once the far end has found out how.

    `plan` is what `Plan.facts` returns; `functions`, the parameters of each function and method.
    """

    def __init__(self, path: str, settings: Settings) -> None:
        super().__init__(settings)
        self._path, self._how, self._kept = path, LOADS, ""
        self._late_guesses = list[int]()
        self._times = dict[Position, int]()
        self.functions: Mapping[str, Any] = {}
        self._start()
        self.source = Source(path)
        self.sides = self.plan["sides"]

    def ask(self, position: Position) -> Response:
        """Return the answer to a board not yet over."""
        began = monotonic()
        self._times[position] = self._times.get(position, 0) + 1
        try:
            self._start()
            began = monotonic()  # to start is not to think
            request = {"ask": str(position), "time": self._times[position]}
            reply = self.request(request, self.settings.timeout)
        except EndedError as ended:
            self.close(0)
            return Response("errors", -1, ended.fact, monotonic() - began, is_random=False)
        seconds = monotonic() - began
        if reply is None:
            return self._late("", seconds)
        return self._answer(reply, position, seconds)

    def lines(self, wrong: Sequence[str]) -> dict[str, int]:
        """Return the lines of wrong functions, else of the search."""
        source = self.source
        return source.lines(wrong) if wrong else source.searches(self.plan["call"])

    def may_search(self) -> bool:
        """Say whether a function calls itself; of one in another file nobody can say."""
        others = {*self.source.imports} - sys.stdlib_module_names
        return bool(others or self.lines([]))

    def notes(self) -> Iterator[Fact]:
        """Yield what the source alone shows to be wrong in the search."""
        return self.source.notes(self.plan["call"])

    def request(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the reply to a request, None if late. Raises EndedError at the end."""
        process = self._start()
        process.send(json.dumps(request))
        return self._reply(process, seconds)

    def request_or_nothing(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to a request, an empty one if none comes in time."""
        try:
            return self.request(request, seconds) or {}
        except EndedError:
            self.close(0)
            return {}

    def _reply(self, process: Process, seconds: float) -> dict[str, Any] | None:
        """Return what the far end writes next, None if late. Raises EndedError at the end."""
        line = process.answer(monotonic() + seconds)
        if line is None:
            self.close(0)
            return None
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            self.close(0)
            raise EndedError("written")
        return reply

    def _answer(self, reply: dict[str, Any], position: Position, seconds: float) -> Response:
        try:
            square, after, raised = reply["square"], reply["after"], str(reply["raised"])
            shown, value = str(reply["shown"]), reply["value"]
            is_random = bool(reply["random"])
        except KeyError:
            self.close(0)
            return Response("errors", -1, ("written",), seconds, is_random=False)
        left = "" if after in (None, str(position)) else str(after)  # None: empty is spelt anew
        if self.settings.first and self.plan["reading"] == "square" and square is not None:
            square -= 1
        if isinstance(square, int) and square in position.legal_moves():
            made = after == str(position.play(square))  # the move, on the board, too
            return Response("square", square, (), seconds, "" if made else left, is_random)
        if raised:
            is_memory = raised.startswith("MemoryError")
            came = ("memory", raised, self.settings.memory) if is_memory else ("raised", raised)
            return Response("errors", -1, came, seconds, left, is_random)
        if not isinstance(square, int):
            came = (
                no_number(value, self.plan["reading"]),
                shown,
                self.plan["call"].rpartition(".")[2],
            )
            return Response("illegal", -1, came, seconds, left, is_random)
        return judged_number(square, shown, position, seconds, left, is_random)

    def _start(self) -> Process:
        """Start the program, up to where it can be asked. Raises NoStart if it cannot be."""
        while self._process is None:
            self._process = Process(
                [sys.executable, "-c", FAR_END, self._path, str(self.settings.seed), self._how,
                 self._kept],
                ANYTHING,
                self.settings.memory,
                {"PYTHONHASHSEED": str(self.settings.seed),
                 "PYTHONIOENCODING": "utf-8:backslashreplace"},  # as at a prompt, on Windows, too
            )  # fmt: skip
            try:
                self._load(self._process)
            except BaseException:  # a signal, too, ends it
                self.close(0)
                raise
        return self._process

    def _load(self, process: Process) -> None:
        """Have the file loaded, and the way to ask it found. Raises NoStart where either fails."""
        try:
            loaded = self._reply(process, LOADING)
        except EndedError as ended:
            raise NoStart(*ended.fact) from ended
        if loaded is None:
            if self._how == DEFINES:
                raise NoCall({"why": "never loads", "came": f"{LOADING:g}"})
            self._how = DEFINES  # all but its loops
        elif "cannot" in loaded:
            raise NoCall(loaded["cannot"])
        elif not self._kept:
            self.loaded = loaded | {"how": self._how}
            self._find(process)

    def _find(self, process: Process) -> None:
        """Have the way to ask found, and let another process begin, in which no guess was tried.

        A guess that is late, or ends the process, is passed over by the next.
        """
        late, tries, found = self._late_guesses, -1, None
        try:
            process.send(json.dumps({"boards": TRIALS, "late": late, "call": self.settings.call}))
            while (found := self._reply(process, TRIAL)) and "tries" in found:
                tries = found["tries"]
        except EndedError:
            self.close(0)
            found = None
        if found is None and len(late) < MOST_LATE:
            late.append(tries)
        elif found is None or "cannot" in found:
            raise NoCall({**self.loaded, **(found["cannot"] if found else LATE)})
        elif "plan" not in found:
            raise NoStart("written")
        else:
            self.plan, self.functions = found["plan"], found["functions"]
            self._kept = found["kept"]
            if self._kept:  # else a mark is of this process alone
                self.close(0)


def beside(fact: Fact, printed: str) -> Fact:
    """Return a fact with what a program printed in place of an answer, if anything."""
    name = "only number" if len(SQUARE.findall(printed)) == 1 else "only"
    return (name, fact, printed) if printed else fact


def judged_number(
    number: Square, shown: str, position: Position, seconds: float, *more: Any
) -> Response:
    """Return an answer that is a number, legal or not."""
    try:
        position.play(number)
    except IllegalMoveError as error:
        return Response("illegal", number, ("taken", shown, str(error)), seconds, *more)
    return Response("square", number, (), seconds, *more)


def no_number(value: Any, reading: str) -> str:
    """Return the name of the fact that an answer is no square."""
    if reading == "placed":
        return "placed none"
    if "pair" in reading and isinstance(value, (int, float)):
        return "score" if value in (-1, 0, 1) and not isinstance(value, bool) else "pair"
    kinds = {type(None): "nothing", str: "text", float: "float", list: "list"}
    return kinds.get(type(value), "pair" if "pair" in reading else "no number")
