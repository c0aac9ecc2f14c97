"""The words of reports: what is said of each thing that is found.

Whoever finds a thing hands on a fact: a name from `SAID`, and values. `said` makes it a sentence.
The names of mistakes stand in mistakes.py, as the table of docs/check.md is made from it.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.position import SQUARE_NAMES, Position, Square, X
from engine.results import sound_moves
from engine.search import analyze, score
from judge.lines import Fact
from teach.counts import cost

SAID = {
    # what a process did in place of an answer
    "code": "it ended with code {0}{1}",
    "signal": "it was ended by signal {0} ({1}){2}",
    "stopped": "it was stopped by signal {0}",
    "closed": "it closed its output",
    "shut": "it closed the pipe that its replies go through",
    "printed": "it printed more than {0} MB for an answer",
    "written": "it wrote into the pipe that its replies go through",
    "forged": "it wrote a reply of its own",
    "no command": "{0}: {1}",
    "never reads": "{0}. It ended while its input was open and no board was sent: it never waits"
                   " for a line. By lines a program reads a board, prints a square, and goes on"
                   " until its input ends",
    # answers that are no move
    "only": "{0}, only: {1}",
    "only number": "{0}, only: {1} (print the number alone on its line)",
    "late": "no answer in {0:g} s",
    "raised": "{0}",
    "memory": "{0}: it may take {1:g} GB of memory",
    "taken": "{0}: {1}",
    "placed none": "it placed no mark on a free square",
    "nothing": "{1} returned nothing (None)",
    "text": "{0} is text: return the number",
    "score": "{0}: a score, not a move?",
    "pair": "{0} is no (row, column)",
    "float": "{0} is a float: return int({0})",
    "list": "{0}: return one number, 3 × row + column",
    "no number": "{0} is no number from 0 to 8",
    # why a command is started for each board
    "unflushed": "it keeps its answers until its input is closed. Flush your output",
    "as asked": "as --anew asks",
    # what a function says, and the truth
    "raises": "it raises {0}",
    "says": "it says {0}",
    "raises to": "it raises {0} to {1}",
    "says to": "it says {0} to {1}",
    "makes another": "it makes another board",
    "makes": "it makes {0}",
    "changes": "it changes the board it was given",
    "to move": "{0} is to move",
    "free": "free are {0}",
    "free squares": "free are squares {0}",
    "one more": "the new board should have one mark more, and the old one should stay",
    "won": "{0} has won",
    "drawn": "it is a draw",
    "goes on": "the game goes on",
    # what is seen in the answers, without a guess
    "afresh": "Started afresh for each, it is right on {0} boards where it went wrong: it keeps"
              " something from before.",
    "afresh on one": "Started afresh for each, it is right on the board where it went wrong: it"
                     " keeps something from before.",
    "always": "It answers {0} on every board.",
    "scores": "On {0} of {1} boards the answer looks like a score, -1, 0 or 1, not like a move:"
              " return the move that brought the score.",
    "read as places": "Read as a place among the free squares, each answer keeps the result; as"
                      " they stand, they do not.",
    "read as pairs": "Read as (column, row), each answer keeps the result; as they stand, they do"
                     " not.",
    "board changed": "The board it was given comes back changed on {1} of {2} boards: {3} as {0}."
                     " Each mark that a search sets must be taken back.",
    "first free": "It takes the first free square on all {0} boards: every move seems worth the"
                  " same, or none but the first is looked at.",
    "never completes": "On {0} of {1} boards where it could, it did not complete a line of its"
                       " own, though it closes each line of the other where it can.",
    "never closes": "On {0} of {1} boards where it could, it did not close the other's line,"
                    " though it completes each line of its own where it can.",
    "line not seen": "On none of {0} boards with two on {1} did it complete or close that line,"
                     " although that alone kept the result.",
    "looks ahead": "Where it loses a result, the end is {0} turns away or more: nothing nearer is"
                   " ever missed. How far does it look?",
    "random": "Asked again it answers otherwise, and not among equals only.",
    "random among equals": "Asked again it answers otherwise, among squares with the same result"
                           " only, which is fine.",
    # what the source alone shows
    "no copy": "In {0} (line {1}) {2} = {3} makes no copy, so the marks that deeper calls set stay"
               " on the board. Copy the list, or take each mark back.",
    "cut": "In {0} (line {1}) `if {2}` in line {3} ends the loop while alpha is below beta, that"
           " is, nearly always: cut where alpha >= beta.",
    "mark kept": "{0} (line {1}) places {2} and hands {2} on as it came, so one side moves on and"
                 " on: hand on the other's mark.",
    "global": "{0} is global in {1} (line {2})",
    "shared bounds": "{0}: a bound that one call finds holds for all others. Hand bounds down as"
                     " arguments.",
    # rows of a class
    "judge ended": "its judge was ended: {0}",
    "total over": "not judged: --total {0:g} s were over",
}  # fmt: skip
COMMON = {  # what all boards have in common on which a function is wrong, and what to look for
    "": ("", ""),
    "rows kept": ("", "a copy of the list alone: its rows are still the old ones. Copy each row, or"
                      " deepcopy."),
    "one mark": ("It says {1} on every board.",
                 "how it counts. On three lists of three, board.count counts rows, not squares."),
    "empty line": ("{0} an empty {1} stands beside the line that won.",
                   "a test that returns at the first three alike. Three empty squares are alike,"
                   " too: it answers before it comes to the line that won."),
    "line": ("{0} the line {1} is complete.", "the squares of {1} ({2}): left out, or mistyped?"),
    "full": ("{0} the board is full.",
             "a full board tested before three in a row: the ninth mark can win."),
    "won by": ("{0} {1} has won.",
               "what it returns where {1} has won: {2}, whoever is to move."),
    "alike": ("{0} the {2} and the {3} of a {1} are alike.",
              "a {1} of which one square is compared with itself, and another with none."),
}  # fmt: skip
NO_CALL = {
    "no such function": "it has no {call}",
    "two ways": "{call} can be asked in two ways, which answer otherwise:\n- {came}\n- {board}",
    "unknown": "{call} wants {came}, and nothing says what that is",
    "score": "{call} returned {came}: a score, not a move? Return the move that brought it",
    "late": "{call} ended, or did not answer in time, on boards with four free squares or fewer",
    "no board": "{call} takes no board, and none was found in a global or in self",
    "raised": "{call} raised {came}, on {board}",
    "illegal": "{call} returned {came}, on {board}: no move there",
    "closed": "{call} is a method of {came}, which is not made without arguments",
    "unmade": "{call} is a method of {board}, which raised {came} when it was made",
    "no function": "none of its functions has a name that says it picks a move",
    "own object": "{call} wants an object of the class {came}, not a board",
    "other object": "{call} wants an object with {came}, of a class that lies in another file",
    "empty": "it holds no code",
    "notebook": "it is a notebook: save it as a script, such as by `jupyter nbconvert --to script`",
    "window": "it opens a window with {came}, and has no function that picks a move on a board",
    "fill in": "complete each FILL_IN first: {came}",
    "never loads": "it does not load in {came} s",
    "unread": "{came}",
}
BOARDS = {
    "text": "nine characters",
    "list": "a list of nine",
    "tuple": "a tuple of nine",
    "rows": "three lists of three",
    "ten": "a list of ten, the first unused",
    "dict": "a dict of nine",
}
ENDS = {"won", "drawn", "lost"}
TROUBLES = {"illegal": "Illegal answers", "errors": "Errors", "timeouts": "Time-outs"}
FAULTS = {
    "missed_wins": "Missed wins (from won to not won)",
    "slow_wins": "Slow wins (won later than could be)",
    "lost_draws": "Lost draws (from drawn to lost)",
    "early_losses": "Early losses (in lost positions, met or not: sooner than need be)",
}
SLOWER = {
    "missed_wins": "it lets a win go on {} board{}",
    "slow_wins": "it wins later than it could on {} board{}",
    "early_losses": "it loses sooner than it must on {} lost board{}",
}
AWAY = {
    "missed_wins": "{} let{} a win go",
    "lost_draws": "{} give{} a draw away",
    "slow_wins": "{} win{} later than could be",
    "early_losses": "{} lose{} sooner than must be",
}
STOPS = {"illegal": "an illegal answer", "errors": "an error", "timeouts": "a time-out"}
NO_SINGLE = "its moves tell of no single mistake"
GO_BY = "Its moves tell of no single mistake: go by the boards below, and by docs/check.md."
BY_LINES_ASKED = "asked by lines."
RUNS = {".js": "node", ".mjs": "node", ".ts": "npx tsx", ".java": "java", ".go": "go run",
        ".rb": "ruby", ".php": "php", ".lua": "lua", ".pl": "perl", ".jl": "julia"}  # fmt: skip
COMPILED = {".c", ".cpp", ".cc", ".rs", ".cs", ".kt", ".swift", ".hs", ".pas"}
BY_LINES = "By lines a program reads each board from its input, and prints a square"

Report = Mapping[str, Any]


def said(fact: Fact) -> str:
    """Return a fact in words; facts may be values of a fact.

    >>> said(("only", ("late", 2.0), "your turn:"))
    'no answer in 2 s, only: your turn:'
    """
    return SAID[fact[0]].format(*map(_value, fact[1:]))


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return listed([*map(said, value)])
    return said(value) if isinstance(value, tuple) else value


def upper(text: str) -> str:
    """Return a text that begins with a capital."""
    return f"{text[0].upper()}{text[1:]}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words.

    >>> listed(["player", "actions", "result"])
    'player, actions and result'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def spelt_out(square: Square) -> str:
    """Return a square by name and number."""
    return f"{SQUARE_NAMES[square]} ({square})"


# How a program is asked


def asked_with(plan: Report) -> str:
    """Return a call, the board and the marks."""
    at = {"global": " in {1}", "self": " in self.{1}"}
    place = at[plan["place"][0]].format(*plan["place"]) if plan["place"] else ""
    empty = plan["empty"] or "its number"
    words = f"{plan['shown']} with {BOARDS[plan['kind']]}{place}, {empty} on empty squares"
    if plan["marks"]:
        of = "X and O" if plan["is_fixed"] else "its own marks and the other's"
        words += f", {' and '.join(plan['marks'])} for {of}"
    return words


def how_asked(plan: Report) -> str:
    """Say how a file is asked."""
    only = f" It plays {plan['sides'][0]} only." if len(plan["sides"]) == 1 else ""
    read = {"placed": " Its answer is the mark it places.", "made": " It returns a board."}
    counts = " Squares are counted from 1." if plan["counts_from_1"] else ""
    return f"Called {asked_with(plan)}.{only}{read.get(plan['reading'], '')}{counts}"


def how_loaded(loaded: Report, was: str = "judged") -> Iterator[str]:
    """Say where a file was left while loading."""
    alone = f"its definitions alone were {was}."
    if "asks" in loaded:
        yield f"It asks its user in line {loaded['asks']} while it loads: {alone}"
    if loaded.get("how") == "defines":
        yield f"It never ends loading: {alone}"
    if "stopped" in loaded:
        yield f"While it loads: {loaded['stopped']}. {upper(alone)}"


def not_asked(path: str, why: Report) -> str:
    """Return why a file cannot be asked, as `finding.Cannot` holds it, and what to do."""
    return "\n".join(_not_asked(path, why["why"], why))


def _not_asked(path: str, name: str, why: Report) -> Iterator[str]:
    known = defaultdict(str, why)
    plans = why.get("plans", ())
    if name == "two ways":
        known["came"], known["board"] = map(_way, plans)
    elif plans:
        known["call"] = asked_with(plans[0])
    yield NO_CALL[name].format_map(known)
    yield from how_loaded(why, "looked at")
    if "asks" in why:
        yield 'A game loop belongs under `if __name__ == "__main__":`.'
    if "ModuleNotFoundError" in why.get("stopped", ""):
        yield "Install that module, if need be."
    if name == "unread" and "SyntaxError" in why["came"]:
        yield from _other_language(path)
    if name == "two ways":
        yield 'Say which by a whole call, such as --call "best_move(board, mark)".'
    elif why.get("call") and name != "no such function":
        yield (
            'If another call picks the move: --call "NAME", or a whole call, such as --call'
            ' "best_move(board, mark)".'
        )
    if why.get("adapter"):
        yield f"Or --adapter writes {Path(path).stem}_adapter.py beside it, to complete."


def _way(plan: Report) -> str:
    return f"{how_asked(plan)} ({', '.join((*plan['values'], 'read as ' + plan['reading']))})"


def _other_language(path: str) -> Iterator[str]:
    """Yield how a file of another language is judged."""
    ending = Path(path).suffix.lower()
    if ending in COMPILED:
        yield f'No Python? Compile it, then: --run "./{Path(path).stem}". {BY_LINES}.'
    elif ending in RUNS:
        yield f"No Python? Then: --run {shlex.quote(f'{RUNS[ending]} {path}')}. {BY_LINES}."
    elif ending != ".py":
        yield f'No Python? Then by lines: --run "COMMAND". {BY_LINES}.'


# What is wrong in functions


def wrong(found: Report) -> dict[str, Any]:
    """Return a wrong function in words, as `functions.Wrong` holds one in facts."""
    name, *values = found["common"]
    many = f"On all {found['wrong']:,}" if found["wrong"] > 1 else "There"
    common, look = (text.format(many, *values) for text in COMMON[name])
    truth = {"says": said(found["says"]), "truth": said(found["truth"])}
    return {**found, **truth, "common": common, "look": look}


def functions(report: Report) -> str:
    """Say which functions are right, and which are wrong."""
    right = report["right"]
    words = [f"{listed(right)} {'are' if len(right) > 1 else 'is'} right."] if right else []
    words += [
        f"{one}, too: that loses no game. Raise an error where the action is not among the actions."
        for one in accepts(report)
    ]
    for one in report["wrong"]:
        also, are = listed(one["through"]), "are" if len(one["through"]) > 1 else "is"
        words.append(f"{wrong_function(one)}{f', and so {are} {also}' if also else ''}.")
    return " ".join(words)


def accepts(report: Report) -> Iterator[str]:
    """Say what a right `result` accepts, and need not."""
    if report["accepts"]:
        yield f"result accepts {report['accepts']}"


def wrong_function(found: Report) -> str:
    """Say on how many boards a function is wrong."""
    return f"{found['name']} is wrong on {found['wrong']:,} of {found['of']:,} boards"


def first_wrong(found: Report) -> str:
    """Say what a function says on the first board where it is wrong."""
    return f"The first: {found['says']}; {found['truth']}. {found['common']}".strip()


# Games


def games(name: str, report: Report) -> str:
    """Return the games lost, and how all end; a game that stopped is no game survived."""
    finished, stopped = sum(report[end] for end in ENDS), report["stopped"]
    if not finished:
        first = STOPS[next(each["kind"] for each in report["found"] if each["kind"] in STOPS)]
        stops = f"all {stopped}" if stopped > 1 else "its only one"
        return f"{name} finishes no game: {stops} stopped, the first at {first}"
    others = ", ".join(f"{report[end]} {end}" for end in ("won", "drawn") if report[end])
    ends = f" ({others})" if others else ""
    of, stops = f"{finished} games", ""
    if stopped:
        of = f"the {finished} game{'s' if finished > 1 else ''} it finished"
        stops = f"; {stopped} stopped"
    return f"{name} loses {report['lost'] or 'none'} of {of}{ends}{stops}"


def sides(report: Report) -> str:
    """Return the games lost as X, and as O, if it finishes some on both sides."""
    words = [
        f"{side['lost'] or 'none'} of {finished} as {mark}"
        for mark, side in report["sides"].items()
        if (finished := sum(side[end] for end in ENDS))
    ]
    return f" {upper(', '.join(words))}." if len(words) > 1 else ""


def slower(report: Report) -> str:
    """Return where a program that loses nothing could do better."""
    words = [
        text.format(boards, "s" * (boards > 1))
        for kind, text in SLOWER.items()
        if (boards := report[kind])
    ]
    if not words:
        return (
            "Perfect. It never lets a win or a draw go, wins as soon as it can, and where it is"
            " lost, it lasts as long as it can."
        )
    return f"It gives no draw away; {', '.join(words)}."


def given_away(report: Report) -> str:
    """Return how many answers fall short, of a program that loses games."""
    words = [
        text.format(boards, "s" * (boards == 1))
        for kind, text in AWAY.items()
        if (boards := report[kind])
    ]
    return f"Of its answers, each board once, {listed(words)}."


def better(square: Square, best: Sequence[Square]) -> str:
    """Return a move, and the moves that score highest.

    >>> better(8, (2,))
    'bottom right (8); better: top right (2)'
    """
    return f"{spelt_out(square)}; better: {', '.join(map(spelt_out, best))}"


# What is out of the ordinary, and what the program plays as


def remarks(report: Report) -> Iterator[str]:
    """Yield how the program answers, where that is out of the ordinary."""
    if report["counts_from_1"]:
        yield (
            "each answer less one is a legal move: it counts squares from 1, not from 0. Return"
            " one less, or judge it with --from 1."
        )
    if report["says_more"]:
        yield "it printed more than one number for a board: answers may be mixed up."
    yield from started(report)
    if report["given_up"]:
        yield "it was given up after three time-outs: what was left has not been asked."
    if report["leaves_running"]:
        yield "it starts processes that go on once it has answered."


def started(report: Report) -> Iterator[str]:
    """Say why a program was started for each board."""
    if report["started_anew"]:
        yield f"it was started for each board: {report['started_anew']}."


def mistakes(report: Report) -> Iterator[str]:
    """Yield the mistakes with a name, of both sides or of each side."""
    parts = [("", report)] + [(f"As {mark} ", side) for mark, side in report["sides"].items()]
    for side, of in parts:
        if ways := of["plays_as"]:
            names = ", or in which ".join(" and ".join(way["name"]) for way in ways)
            boards = f"on all {ways[0]['of']} boards where squares differ"
            yield upper(f"{side}it plays as a minimax in which {names}, {boards}.")


def look_for(look: str, lines: Mapping[str, int]) -> str:
    """Say what to look for, and in which lines.

    >>> look_for("", {"winner": 3})
    'Look in winner (line 3).'
    """
    where = f"{listed([f'{name} (line {line})' for name, line in lines.items()])}."
    if look:
        return f"Look for: {look}{f' In {where}' * bool(lines)}"
    return f"Look in {where}" if lines else ""


def more(left: int) -> list[str]:
    """Say how many boards are not shown."""
    return [f"  and {left} more, which --json tells"] if left else []


# The shortest lost game


def shortest(game: str, loser: str) -> str:
    """Announce the shortest lost game."""
    return f"The shortest, as {loser} (on the site: /study/{game}?you={loser}):"


def turned(position: Position, square: Square) -> str:
    """Say how a move gave the game away."""
    mark = position.turn
    best = [SQUARE_NAMES[n] for n in sound_moves(analyze(position))]
    one = len(best) == 1
    wins, keeps = ("wins", "keeps the draw") if one else ("win", "keep the draw")
    return (
        f"Move {position.ply + 1} was wrong. +1 is a win for X, -1 a win for O, 0 a draw;"
        f" {mark} needs the {'highest' if mark == X else 'lowest'}. Your program took"
        f" {SQUARE_NAMES[square]} [ ]; {'only ' * one}{listed(best)}"
        f" {wins if score(position) > 0 else keeps}."
    )


# The end of a report


def how_often(report: Report) -> str:
    """Say how often a program was asked, and how long that took."""
    return (
        f"It was asked in {report['asked']} position{'s' * (report['asked'] > 1)} of its games"
        f" and in {report['asked_beside']} lost positions outside them. A move took"
        f" {_time(report['median_seconds'])} (the median), {_time(report['longest_seconds'])} at"
        " most. It ran with your rights."
    )


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.3g} ms"


def next_step() -> str:
    """Ask what a program without faults may look at next."""
    of = cost(Position(), "depth")
    return (
        "Next: how many boards does it enter for its first move as X? Minimax enters"
        f" {of.plain:,}, alpha-beta in the order of the squares {of.alpha_beta:,}, best first"
        f" {of.best_first:,}."
    )
