"""The text of reports.

Code that finds something returns a fact: a key of `FACT_TEXTS` and its values, of which `fact_text`
makes a text. The names of mistakes are in mistakes.py, as the table of manual.md is made from it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.position import SQUARE_NAMES, Position, Square, X
from engine.results import sound_moves
from engine.search import analyze, score
from judge.lines import Fact
from judge.process import UntestableError

FACT_TEXTS = {
    # what a process did instead of answering
    "code": "it ended with code {0}{1}",
    "signal": "it was ended by signal {0} ({1}){2}",
    "closed": "it closed its output",
    "printed": "it printed more than {0} MB for an answer",
    "written": "it wrote into the pipe that its replies go through",
    "no command": "{0}: {1}",
    "never reads": "{0}. It ended while its input was open and no board was sent: it never waits"
                   " for a line. By lines a program reads a board, prints a square, and goes on"
                   " until its input ends",
    # why a file cannot be tested
    "no file": "{0} is not a plain file",
    "large": "the file is larger than {0} MB",
    "unread": "{0}",
    "python 2": "it is written in Python 2 (line {0}). Convert it to Python 3: print(...) has"
                " parentheses, raw_input is input",
    "never loads": "it doesn't load within {0:g} s",
    "late call": "no call ended on boards with four empty squares or fewer",
    "no such name": "the file defines nothing named {0}",
    "no marks": "--marks {0}: {1}",
    "no call": "none of its functions is certain to be the one that picks a move",
    "two calls": "both {0} and {1} answer with legal moves: say which one to test",
    "two kinds of marks": "{0} answers with legal moves if its board holds {1} (X, O and empty),"
                          ' and also if it holds {2}: say which, such as --marks "{1}"',
    "notebook": "it is a notebook. Save it as a script: jupyter nbconvert --to script {0}",
    "empty": "it holds no code",
    "lacks": "it imports {0}, which this Python does not have. Install it: python -m pip install"
             " {0}",
    # answers that are not a move
    "only": "{0}, only: {1}",
    "only number": "{0}, only: {1} (print the number alone on its line)",
    "late": "no answer in {0:g} s",
    "raised": "{0}",
    "memory": "{0}: it may use at most {1:g} GB of memory",
    "taken": "{0}: {1}",
    "nothing": "{1} returned nothing (None)",
    "text": "{0} is text: return the number",
    "score": "{0}: a score, not a move?",
    "pair": "{0} isn't a (row, column)",
    "float": "{0} is a float: return int({0})",
    "list": "{0}: return one number, 3 × row + column",
    "no number": "{0} isn't a number from 0 to 8",
    # why a command is started for each board
    "unflushed": "it keeps its answers until its input is closed. Flush your output",
    "as asked": "as --restart asks",
    # why no more boards are asked
    "three time-outs": "stopped after three time-outs; the remaining boards were not tried",
    "over limit": "stopped once its moves had taken {0:g} s (--limit); the remaining boards were"
                  " not tried",
    # what a function says, and the correct value
    "raises": "it raises {0}",
    "says": "it says {0}",
    "raises to": "it raises {0} to {1}",
    "says to": "it says {0} to {1}",
    "makes another": "it makes another board",
    "makes": "it makes {0}",
    "changes": "it changes the board it was given",
    "to move": "{0} is to move",
    "free": "{0} are empty",
    "free squares": "squares {0} are empty",
    "one more": "the new board should have one more mark, and the old one should stay as it was",
    "won": "{0} has won",
    "drawn": "it is a draw",
    "goes on": "the game is not over",
    # what the answers show, without a guess
    "carries over": "Restarted for each board, it is right on {0} boards it got wrong before: it"
                    " carries something over.",
    "carries over on one": "Restarted for it, it is right on the board it got wrong before: it"
                           " carries something over.",
    "always": "It answers {0} on every board.",
    "scores": "On {0} of {1} boards the answer looks like a score (-1, 0 or 1), not a move. Return"
              " the move that got the score.",
    "read as places": "Read as an index into the empty squares, every answer keeps the result; read"
                      " as squares, they don't.",
    "read as pairs": "Read as (column, row), every answer keeps the result; read as (row, column),"
                     " they don't.",
    "board changed": "The board it was given comes back changed on {1} of {2} boards: {3} as {0}."
                     " Undo every mark the search makes.",
    "first free": "It takes the first empty square on all {0} boards: either every move scores the"
                  " same, or only the first is searched.",
    "never completes": "On {0} of {1} boards where it could, it did not complete its own line,"
                       " though it always blocks the opponent's.",
    "never blocks": "On {0} of {1} boards where it could, it did not block the opponent's line,"
                    " though it completes its own whenever it can.",
    "line not seen": "On none of {0} boards with two marks on {1} did it complete or block that"
                     " line, though nothing else kept the result.",
    "looks ahead": "It goes wrong only when the end is {0} or more turns away, never nearer. How"
                   " deep does it search?",
    "random": "Asked again, it answers differently, and not only among equally good squares.",
    "random among equals": "Asked again, it answers differently, but only among equally good"
                           " squares, which is fine.",
    # what the source shows
    "no copy": "In {0} (line {1}) {2} = {3} does not copy, so marks made by deeper calls stay on"
               " the board. Copy the list, or undo each mark.",
    "wrong cutoff": "In {0} (line {1}) `if {2}` in line {3} ends the loop while alpha is below"
                    " beta, which is nearly always. Prune when alpha >= beta.",
    "mark kept": "{0} (line {1}) places {2} and passes {2} on unchanged, so one side keeps moving."
                 " Pass the opponent's mark.",
    "global": "{0} is global in {1} (line {2})",
    "shared bounds": "{0}: a bound found in one call leaks into all the others. Pass bounds as"
                     " arguments.",
    "zero": "Line {0} writes '0', a zero; boards hold the letter O.",
    # rows of a class
    "judge failed": "the tester failed: {0}",
}  # fmt: skip
CAUSES = {  # the same in a few words, for the first line
    "carries over": "it carries something over from board to board",
    "carries over on one": "it carries something over from board to board",
    "always": "it answers {0} on every board",
    "scores": "some answers are scores, not moves",
    "read as places": "it returns an index into the empty squares",
    "read as pairs": "it returns (column, row)",
    "board changed": "its search leaves marks on the board",
    "first free": "it takes the first empty square",
    "never completes": "it does not complete its own lines",
    "never blocks": "it does not block",
    "line not seen": "it does not see the line {1}",
    "looks ahead": "it goes wrong {0} or more turns before the end",
    "no copy": "{2} = {3} does not copy ({0}, line {1})",
    "wrong cutoff": "`if {2}` prunes too much (line {3})",
    "mark kept": "one side keeps moving ({0}, line {1})",
    "shared bounds": "{0}",
    "zero": "a zero in place of the letter O (line {0})",
}
COMMON = {  # what all boards on which a function is wrong share, and what to look for
    "": ("", ""),
    "rows kept": ("", "a copy of the outer list only: its rows are still the old ones. Copy each"
                      " row, or deepcopy."),
    "one mark": ("It says {1} on every board.",
                 "how it counts. On three lists of three, board.count counts rows, not squares."),
    "empty line": ("{0} an empty {1} is beside the line that won.",
                   "a test that returns at the first three alike. Three empty squares are alike,"
                   " too: it answers before it reaches the line that won."),
    "line": ("{0} the line {1} is complete.", "the squares of {1} ({2}): left out, or mistyped?"),
    "full": ("{0} the board is full.",
             "a full board tested before three in a row: the ninth mark can win."),
    "won by": ("{0} {1} has won.",
               "what it returns when {1} has won: it should be {2}, no matter whose turn it is."),
    "alike": ("{0} the {2} and the {3} of a {1} are alike.",
              "a {1} of which one square is compared with itself, and another with none."),
    "is": ("{0} {1}.", ""),
}  # fmt: skip
ENDS = {"won", "drawn", "lost"}
TROUBLES = {"illegal": "Illegal answers", "errors": "Errors", "timeouts": "Time-outs"}
FAULTS = {
    "missed_wins": "Missed wins (a won board, no longer won)",
    "slow_wins": "Slow wins (won later than possible)",
    "lost_draws": "Lost draws (a drawn board, now lost)",
    "early_losses": "Early losses (lost boards, reached or not, lost sooner than necessary)",
}
AWAY = {
    "missed_wins": "{} throw{} a win away",
    "lost_draws": "{} give{} a draw away",
    "slow_wins": "{} win{} later than {} could",
    "early_losses": "{} lose{} sooner than {} must",
}
NO_SINGLE = "No single mistake explains its moves. Work from the boards above and from --manual."
RUN_COMMANDS = {".js": "node", ".mjs": "node", ".ts": "npx tsx", ".java": "java", ".go": "go run",
        ".rb": "ruby", ".php": "php", ".lua": "lua", ".pl": "perl", ".jl": "julia"}  # fmt: skip
COMPILED = {".c", ".cpp", ".cc", ".rs", ".cs", ".kt", ".swift", ".hs", ".pas"}
BY_LINES = "By lines a program reads each board from its input, and prints a square"

Report = Mapping[str, Any]


def fact_text(fact: Fact) -> str:
    """Return a fact as text; its values may also be facts.

    >>> fact_text(("only", ("late", 2.0), "your turn:"))
    'no answer in 2 s, only: your turn:'
    """
    return FACT_TEXTS[fact[0]].format(*map(_value, fact[1:]))


def cause_text(fact: Fact) -> str:
    """Return a fact in a few words, or "" if it is not a cause."""
    return CAUSES.get(fact[0], "").format(*map(_value, fact[1:]))


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return join_names([*map(fact_text, value)])
    return fact_text(value) if isinstance(value, tuple) else value


def capitalize_first(text: str) -> str:
    """Return a text with its first letter capitalized."""
    return f"{text[0].upper()}{text[1:]}"


def join_names(names: Sequence[str]) -> str:
    """Return names joined by commas and "and".

    >>> join_names(["player", "actions", "result"])
    'player, actions and result'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def name_and_number(square: Square) -> str:
    """Return the name and the number of a square as text."""
    return f"{SQUARE_NAMES[square]} ({square})"


# How a program is called, and why it cannot be


def how_called(call: Report) -> str:
    """Return how a file was called, for a call that was found by trying.

    >>> how_called({"expression": "best_move(rows)", "marks": ["'X'", "'O'", "None"]})
    'Called best_move(board) with three rows, None for empty.'
    """
    shape = "three rows" if "(rows" in call["expression"] else "a list of nine"
    x, o, empty = call["marks"]
    own = f"{x} for X, {o} for O and " if (x, o) != ("'X'", "'O'") else ""
    name = call["expression"].replace("rows", "board")
    return f"Called {name} with {shape}, {own}{empty} for empty."


def plays_one(sides: Sequence[str]) -> str:
    """Return the sentence on a program whose marks show that it plays only one side."""
    return f"It only places {sides[0]}, so it was tested as {sides[0]}."


def how_loaded(loaded: Report) -> Iterator[str]:
    """Yield what kept a file from loading to its end; nothing if it did load."""
    only = "so only its definitions were tested."
    if "asks" in loaded:
        yield (
            f"It asks for input in line {loaded['asks']} while loading, {only} A game loop belongs"
            ' under `if __name__ == "__main__":`.'
        )
    if loaded.get("how") == "defines":
        yield f"It never finishes loading, {only}"
    if "stopped" in loaded:
        yield f"While loading it raises {loaded['stopped']}, {only}"


def untestable(path: str, why: UntestableError) -> Iterator[str]:
    """Yield why a program cannot be tested, and what to do about it."""
    fact, source, loaded = why.fact, why.source, why.loaded
    if fact[0] in ("no call", "no such name", "late call") and source:
        if "lacks" in loaded:
            fact = "lacks", loaded["lacks"]
        elif "old" in loaded:
            fact = "python 2", loaded["old"]
        elif source.kind:
            fact = source.kind, path
    yield f"Cannot be tested: {fact_text(fact)}."
    if fact[0] != "lacks":
        yield from how_loaded(loaded)
    if fact[0] in ("unread", "no file"):
        yield from _other_language(path)
    if source and fact[0] in ("no call", "no such name", "late call", "two calls"):
        functions = source.signatures()
        if not functions:
            yield "It has no function to call: move what picks a square into one, choose(board)."
            return
        line = fact[2] if fact[0] == "two calls" else source.likely_call()
        such = f', such as: --call "{line}"' if line else " with --call"
        yield f"Its functions: {', '.join(functions)}."
        yield f"Say how to call it{such}"
        yield "--manual says what a call may use, with a line for each kind of board."


def _other_language(path: str) -> Iterator[str]:
    """Yield how to test a file in another language."""
    ending = Path(path).suffix.lower()
    if ending == ".ipynb":
        yield f"A notebook? Save it as a script: jupyter nbconvert --to script {shlex.quote(path)}"
    elif ending in COMPILED:
        yield f'Not Python? Compile it, then: --run "./{Path(path).stem}". {BY_LINES}.'
    elif ending in RUN_COMMANDS:
        command = shlex.quote(f"{RUN_COMMANDS[ending]} {path}")
        yield f"Not Python? Then: --run {command}. {BY_LINES}."
    elif ending != ".py":
        yield f'Not Python? Then by lines: --run "COMMAND". {BY_LINES}.'


# The first line


def result(report: Report) -> str:
    """Return the result as one sentence."""
    finished = sum(report[end] for end in ENDS)
    troubles = sum(report[kind] for kind in TROUBLES)
    cause = f": {report['cause']}" if report["cause"] else ""
    if report["unwritten"]:
        return f"Not written yet: {', '.join(report['unwritten'])}."
    if report["muddled"]:
        return f"No legal move on {report['troubled']} of {report['boards']} boards{cause}."
    if report["given_up"] and not troubles:
        return f"Not finished: {report['given_up']}."
    if report["lost"]:
        stops = f", and {report['stopped']} more stop" if report["stopped"] else ""
        return f"Loses {report['lost']:,} of {counted(finished, 'game')}{stops}{cause}."
    if troubles:
        return f"No legal move on {report['troubled']} of {report['boards']} boards{cause}."
    if report["wrong"]:
        return f"Never loses, {counted(finished, 'game')}, but {report['cause']} is wrong."
    return f"Correct: never loses, {counted(finished, 'game')}."


def counted(number: int, noun: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1.

    >>> counted(1234, "game"), counted(1, "game")
    ('1,234 games', '1 game')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def slower(report: Report) -> str:
    """Return on how many boards a program that never loses could do better."""
    boards = sum(report[kind] for kind in FAULTS)
    if boards:
        return f"On {counted(boards, 'board')} it could win sooner or lose later."
    return "It always wins as soon as it can and, when lost, lasts as long as it can."


# What is wrong in functions


def wrong(found: Report) -> dict[str, Any]:
    """Return the fields of a `functions.WrongFunction` with its facts as text."""
    name, *values = found["common"]
    many = f"On all {found['wrong']:,}" if found["wrong"] > 1 else "There"
    common, look = (text.format(many, *values) for text in COMMON[name])
    truth = {"says": fact_text(found["says"]), "truth": fact_text(found["truth"])}
    return {**found, **truth, "common": common, "look": look}


def functions(report: Report) -> str:
    """Return which functions are right and which are wrong."""
    right = report["right"]
    words = [f"{join_names(right)} {'are' if len(right) > 1 else 'is'} right."] if right else []
    words += [
        f"result also accepts {report['accepts']}. That loses no game, but it should raise an error"
        " for an illegal action."
    ] * bool(report["accepts"])
    for one in report["wrong"]:
        also, are = join_names(one["through"]), "are" if len(one["through"]) > 1 else "is"
        words.append(f"{wrong_function(one)}{f', and so {are} {also}' if also else ''}.")
    return " ".join(words)


def wrong_function(found: Report) -> str:
    """Return on how many boards a function is wrong."""
    return f"{found['name']} is wrong on {found['wrong']:,} of {found['of']:,} boards"


def first_wrong(found: Report) -> str:
    """Return what a function says on the first board where it is wrong."""
    return f"The first: {found['says']}; {found['truth']}. {found['common']}".strip()


# Games


def sides(report: Report) -> str:
    """Return how the games end, by side."""
    parts = []
    for mark, side in report["sides"].items():
        ends = [f"{side[end]:,} {end}" for end in ("won", "drawn", "lost") if side[end]]
        stops = [f"{side['stopped']:,} stopped"] * bool(side["stopped"])
        parts.append(f"As {mark}: {', '.join([*ends, *stops]) or 'no game'}.")
    return " ".join(parts)


def given_away(report: Report) -> str:
    """Return on how many boards a program that loses games falls short, or ""."""
    words: list[str] = []
    for kind, text in AWAY.items():
        if count := report[kind]:
            moves = str(count) if words else f"{count} of its moves"
            words.append(text.format(moves, "s" * (count == 1), "it" if count == 1 else "they"))
    return f"Counting each board once, {join_names(words)}." if words else ""


def better(square: Square, best: Sequence[Square]) -> str:
    """Return a move and the moves that score highest, as text.

    >>> better(8, (2,))
    'bottom right (8); better: top right (2)'
    """
    return f"{name_and_number(square)}; better: {', '.join(map(name_and_number, best))}"


# What is unusual, and which mistakes the program plays like


def remarks(report: Report) -> Iterator[str]:
    """Yield what is unusual about the way a program answers."""
    if report["counts_from_1"]:
        yield (
            "Subtract one and every answer is legal: it numbers squares from 1, not 0. Return one"
            ' less, or subtract one in --call, such as --call "choose(text) - 1".'
        )
    if report["says_more"]:
        yield "It printed more than one number for a board: answers may be mixed up."
    if report["restarted"]:
        yield f"It was restarted for each board: {report['restarted']}."
    if report["given_up"]:
        yield f"{capitalize_first(report['given_up'])}."


def mistakes(report: Report) -> Iterator[str]:
    """Yield the named mistakes of both sides together, or of each side."""
    parts = [("", report)] + [(f"as {mark}, ", side) for mark, side in report["sides"].items()]
    for side, of in parts:
        if ways := of["plays_as"]:
            names = "; or: ".join(way["name"] for way in ways)
            yield (
                f"On all {counted(ways[0]['of'], 'board')} where the choice matters, {side}it plays"
                f" like a minimax with this mistake: {names}."
            )


def look_for(look: str, lines: Mapping[str, int]) -> str:
    """Return what to look for and in which lines, or "" if there is nothing.

    >>> look_for("", {"winner": 3})
    'Look in winner (line 3).'
    """
    where = f"{join_names([f'{name} (line {line})' for name, line in lines.items()])}."
    if look:
        return f"Look for: {look}{f' In {where}' * bool(lines)}"
    return f"Look in {where}" if lines else ""


def more_lines(left: int) -> list[str]:
    """Return a line that says how many boards are not shown; empty if all are."""
    return [f"  and {left} more (--json lists them)"] if left else []


# The shortest lost game


def shortest_heading(loser: str) -> str:
    """Return the heading of the shortest lost game."""
    return f"Its shortest loss, as {loser}:"


def board_link(moves: str, site: str) -> str:
    """Return the line with the address of the board before the last of these moves.

    >>> board_link("8475", "https://example.org")
    'Open the board before the mistake: https://example.org/study/8475?at=3&view=squares'
    """
    address = f"{site}/study/{moves}?at={len(moves) - 1}&view=squares"
    return f"Open the board before the mistake: {address}"


def mistake_sentence(position: Position, square: Square) -> str:
    """Return which move gave the game away, and what was better."""
    mark = position.turn
    best = [_the(n) for n in sound_moves(analyze(position))]
    one = len(best) == 1
    wins, keeps = ("wins", "keeps the draw") if one else ("win", "keep the draw")
    return (
        f"Move {position.ply + 1} was the mistake. +1 means X wins, -1 O wins, 0 a draw; {mark}"
        f" wants the {'highest' if mark == X else 'lowest'}. Your program played"
        f" {_the(square)} [ ]; {'only ' * one}{join_names(best)}"
        f" {wins if score(position) > 0 else keeps}."
    )


def _the(square: Square) -> str:
    """Return the name of a square in a sentence: "the center", but "top left"."""
    name = SQUARE_NAMES[square]
    return f"the {name}" if name == "center" else name


# The end of a report


def move_times(report: Report) -> str:
    """Return the median and the longest time of a move."""
    return (
        f"Time per move: median {_time(report['median_seconds'])}, longest"
        f" {_time(report['longest_seconds'])}."
    )


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def missing_limits(limits: Sequence[str]) -> str:
    """Return which limits the system cannot set.

    >>> missing_limits(["memory", "processes"])
    'This system sets no limit of memory and processes.'
    """
    return f"This system sets no limit of {join_names(limits)}."
