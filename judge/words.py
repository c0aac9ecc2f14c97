"""The text of reports.

Code that finds something returns a fact: a key of `FACT_TEXTS` and the values for its text, which
`fact_text` puts together. The names of mistakes are in mistakes.py, which also makes the manual's
table of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.position import SQUARE_NAMES, Position, Square, X
from engine.results import sound_moves
from engine.search import analyze, score
from judge.call_guess import guess_call
from judge.lines import Fact
from judge.process import UntestableError

FACT_TEXTS = {
    # what a process did instead of answering, with its last error message if it ended
    "code": "it exited with code {0}{1}",
    "signal": "it was killed by signal {0} ({1}){2}",
    "closed": "it closed its output",
    "too much output": "it printed more than {0} MB for an answer",
    "reply pipe": "it wrote into the pipe that its replies go through",
    # why a command cannot be tested
    "no command": "{0}: {1}",
    "never reads": "{0}. It ended before any board was sent, so it never waits for input. The"
                   " program must read a board, print a square, and go on until its input ends",
    # why a file cannot be tested
    "no file": "{0} is not a plain file",
    "large": "the file is larger than {0} MB",
    "unread": "{0}",
    "python 2": "it is written in Python 2 (line {0}). Convert it to Python 3: print(...) needs"
                " parentheses, and raw_input is now input",
    "never loads": "it doesn't finish loading within {0:g} s",
    "late call": "no call returned, even on boards with four empty squares or fewer",
    "no such name": "the file defines nothing named {0}",
    "no marks": "--marks {0}: {1}",
    "no call": "it is unclear which function picks a move",
    "two calls": "both {0} and {1} return legal moves: say which one to test",
    "two kinds of marks": "{0} returns legal moves if its board holds {1} (for X, O and empty), but"
                          ' also if it holds {2}: say which, such as --marks "{1}"',
    "notebook": "it is a notebook. Save it as a script: jupyter nbconvert --to script {0}",
    "empty": "the file has no code",
    "lacks": "it imports {0}, which is not installed. Install it: python -m pip install {0}",
    # answers that are not a move
    "only": "{0}; it printed only: {1}",
    "only number": "{0}; it printed only: {1} (print the number alone on its line)",
    "late": "no answer in {0:g} s",
    "raised": "{0}",
    "memory": "{0}: it may use at most {1:g} GB of memory",
    "illegal": "{0} is illegal ({1})",
    "nothing": "{1} returned nothing (None)",
    "text": "{0} is a string: return the number",
    "score": "{0}: a score, not a move?",
    "pair": "{0} is not a (row, column)",
    "float": "{0} is a float: return int({0})",
    "list": "{0} is a list: return one number, 3 × row + column",
    "no number": "{0} is not a number from 0 to 8",
    # why a command is started for each board
    "unflushed": "it answers only once its input is closed. Flush the output after each answer",
    "as asked": "as --restart asks",
    # why a program is asked about no more boards
    "three timeouts": "stopped after three timeouts; the remaining boards were not tried",
    "over limit": "stopped once its moves had taken {0:g} s (--limit); the remaining boards were"
                  " not tried",
    # what a function did, and what is right
    "raised an error": "raised {0}",
    "returned": "returned {0}",
    "raised for": "raised {0} for {1}",
    "returned for": "returned {0} for {1}",
    "another board": "returned a different board",
    "changed the board": "changed the board it was given",
    "to move": "{0} is to move",
    "free": "the empty squares are {0}",
    "one more mark": "it should return a new board with one more mark, and leave the old one"
                     " unchanged",
    "won": "{0} has won",
    "drawn": "it is a draw",
    "not over": "the game is not over",
    "utility of": "the value is {0}: {1}",
    # what the answers show, without a guess
    "carries over": "On {0} boards, it was wrong at first but right after a restart: it carries"
                    " something over from board to board.",
    "carries over on one": "On one board, it was wrong at first but right after a restart: it"
                           " carries something over from board to board.",
    "always": "It returned {0} for every board.",
    "scores": "On {0} of {1} boards, the answer looks like a score (-1, 0 or 1), not a move. Return"
              " the move that has the score.",
    "read as indices": "Its answers make sense as indices into the empty squares: read that way,"
                      " none gives away a win or a draw. Return the square at that index.",
    "read as pairs": "Its answers make sense as (column, row): read that way, none gives away a win"
                     " or a draw. Return (row, column).",
    "board changed": "On {1} of {2} boards, it changed the board it was given: {3} became {0}. Undo"
                     " every mark the search makes.",
    "first free": "It took the first empty square on all {0} boards: either every move gets the"
                  " same score, or only the first is searched.",
    "never completes": "On {0} of {1} boards where it could complete its own line, it did not,"
                       " though it always blocks the opponent's.",
    "never blocks": "On {0} of {1} boards where it could block the opponent's line, it did not,"
                    " though it always completes its own.",
    "line not seen": "On {0} boards with two equal marks on {1}, only a move on that line was"
                     " right. It never made that move.",
    "looks ahead": "Its mistakes are all {0} or more moves before the end of the game. How deep"
                   " does it search?",
    "random": "Asked again, it gave different answers. Some of its answers are mistakes.",
    "random among equals": "Asked again, it gave different answers. None gives away a win or a"
                           " draw, so that is fine.",
    # what the source shows
    "no copy": "In {0} (line {1}), `{2} = {3}` does not copy, so marks made by deeper calls stay on"
               " the board. Copy the list, or undo each mark.",
    "wrong cutoff": "In {0} (line {1}), `if {2}` on line {3} ends the loop while alpha is below"
                    " beta, which is nearly always. Prune when alpha >= beta.",
    "mark kept": "{0} (line {1}) places {2} and passes on {2} unchanged, so one side makes all the"
                 " moves. Pass on the opponent's mark.",
    "global": "{0} is global in {1} (line {2})",
    "shared bounds": "{0}: a bound found in one call leaks into all others. Pass bounds as"
                     " arguments.",
    "zero": "Line {0} has '0', a zero, but boards hold the letter O.",
    # in the table of several programs
    "judge failed": "the tester failed: {0}",
}  # fmt: skip
# Some of these facts in a few words, as the cause that the first line of a report names.
CAUSE_TEXTS = {
    "carries over": "it carries something over from board to board",
    "carries over on one": "it carries something over from board to board",
    "always": "it returned {0} for every board",
    "scores": "some answers are scores, not moves",
    "read as indices": "it returns an index into the empty squares",
    "read as pairs": "it returns (column, row)",
    "board changed": "its search leaves marks on the board",
    "first free": "it takes the first empty square",
    "never completes": "it does not complete its own lines",
    "never blocks": "it does not block",
    "line not seen": "it does not see the line {1}",
    "looks ahead": "it goes wrong {0} or more moves before the end",
    "no copy": "`{2} = {3}` does not copy ({0}, line {1})",
    "wrong cutoff": "`if {2}` prunes too much (line {3})",
    "mark kept": "one side makes all the moves ({0}, line {1})",
    "shared bounds": "{0}",
    "zero": "a zero in place of the letter O (line {0})",
}
# By the name of a fact on the boards that a function gets wrong: a sentence on what they have in
# common, and what to look for; "" if there is nothing to say. {0} says on how many boards, as in
# "On both boards it gets wrong,"; the other numbers stand for the values of the fact.
COMMON_TEXTS = {
    "": ("", ""),
    "rows kept": ("", "a copy of only the outer list: its rows are still the old ones. Copy each"
                      " row, or use copy.deepcopy."),
    "one mark": ("It returned {1} for every board.",
                 "the way it counts marks. On a list of three rows, board.count counts rows, not"
                 " squares."),
    "empty line": ("{0} there is an empty {1}.",
                   "a test that stops at the first three equal squares. Three empty squares are"
                   " equal, too, so it never reaches the line that won."),
    "line": ("{0} the line {1} is complete.", "the line {1} ({2}). Is it missing or mistyped?"),
    "full": ("{0} no square is empty.",
             "a test for a full board before the test for three in a row. The ninth mark can win."),
    "won by": ("{0} {1} has won.",
               "what it returns when {1} has won. It should be {2}, no matter whose turn it is."),
    "equal squares": ("{0} the {2} and the {3} square of a {1} are equal.",
              "a {1} in which one square is compared with itself, and another is not compared."),
    "feature": ("{0} {1}.", ""),
}  # fmt: skip
GAME_RESULTS = ("won", "drawn", "lost")
# By the kind of an answer that is not a legal move: the heading of the boards that got one.
TROUBLES = {"illegal": "Illegal answers", "errors": "Errors", "timeouts": "Timeouts"}
# By the kind of a move that could be better: the heading of the boards that got one.
MOVE_FAULTS = {
    "missed_wins": "Missed wins (a won position is no longer won)",
    "slow_wins": "Slow wins (a faster win was possible)",
    "lost_draws": "Lost draws (a drawn position is now lost)",
    "early_losses": "Early losses (in a lost position, a move that lasts longer was possible)",
}
# The text of a count, by the same kinds. It is filled in with the number of moves and the ending of
# the verb, which is "s" for one move.
MOVE_FAULT_COUNT_TEXTS = {
    "missed_wins": "{} give{} away a win",
    "lost_draws": "{} give{} away a draw",
    "slow_wins": "{} win{} later than possible",
    "early_losses": "{} lose{} sooner than necessary",
}
NO_KNOWN_MISTAKE = (
    "No single known mistake explains its moves. Start from the boards above; --manual lists common"
    " mistakes."
)
# Why no call was found; there may be a deeper reason.
NO_CALL_FACTS = ("no call", "no such name", "late call")
# How to run a program in another language, by the suffix of its file.
RUN_COMMANDS = {".js": "node", ".mjs": "node", ".ts": "npx tsx", ".java": "java", ".go": "go run",
        ".rb": "ruby", ".php": "php", ".lua": "lua", ".pl": "perl", ".jl": "julia"}  # fmt: skip
COMPILED_SUFFIXES = {".c", ".cpp", ".cc", ".rs", ".cs", ".kt", ".swift", ".hs", ".pas"}
LINE_PROTOCOL = "The program reads each board from its input and prints a square"

Report = Mapping[str, Any]


def fact_text(fact: Fact) -> str:
    """Return a fact as text; its values may also be facts.

    >>> fact_text(("only", ("late", 2.0), "your turn:"))
    'no answer in 2 s; it printed only: your turn:'
    """
    return FACT_TEXTS[fact[0]].format(*map(_value_text, fact[1:]))


def cause_text(fact: Fact) -> str:
    """Return a fact in a few words, or "" if it is not a cause."""
    return CAUSE_TEXTS.get(fact[0], "").format(*map(_value_text, fact[1:]))


def _value_text(value: Any) -> Any:
    """Return the text of a fact or of a list of facts; return any other value unchanged."""
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
    """Return the number and the name of a square.

    >>> name_and_number(6)
    '6 (bottom left)'
    """
    return f"{square} ({SQUARE_NAMES[square]})"


def join_squares(squares: Sequence[Square]) -> str:
    """Return squares with their numbers and names.

    >>> join_squares([0, 4])
    'squares 0 (top left) and 4 (center)'
    """
    return f"square{'s' * (len(squares) > 1)} {join_names([*map(name_and_number, squares)])}"


# How a program is called, and why it cannot be


def call_sentence(call: Report) -> str:
    """Return the sentence that says how a file was called, for a call that was found by trying.

    >>> call_sentence({"expression": "best_move(rows)", "marks": ["'X'", "'O'", "None"]})
    'Called best_move(board) with three rows, None for empty.'
    """
    shape = "three rows" if "(rows" in call["expression"] else "a list of nine"
    x, o, empty = call["marks"]
    marks = f"{x} for X, {o} for O and " if (x, o) != ("'X'", "'O'") else ""
    expression = call["expression"].replace("rows", "board")
    return f"Called {expression} with {shape}, {marks}{empty} for empty."


def one_side_sentence(sides: Sequence[str]) -> str:
    """Return the sentence on a program whose marks show that it plays only one side."""
    return f"It only ever places {sides[0]}, so it was tested only as {sides[0]}."


def loading_problems(load_result: Report) -> Iterator[str]:
    """Yield what kept a file from loading to its end; nothing if it did load."""
    consequence = "so only its functions were tested."
    if "asks" in load_result:
        yield (
            f"It asks for input on line {load_result['asks']} while loading, {consequence} Put the"
            ' game loop under `if __name__ == "__main__":`.'
        )
    if load_result.get("how") == "defines":
        yield f"It doesn't finish loading, {consequence}"
    if "stopped" in load_result:
        yield f"While loading, it raises {load_result['stopped']}, {consequence}"


def untestable_lines(path: str, error: UntestableError) -> Iterator[str]:
    """Yield why a program cannot be tested, and what to do about it, line by line."""
    fact, source, load_result = error.fact, error.source, error.load_result
    if source and fact[0] in NO_CALL_FACTS:
        # There may be a deeper reason: the file did not load, or has no code.
        if "lacks" in load_result:
            fact = "lacks", load_result["lacks"]
        elif "old" in load_result:
            fact = "python 2", load_result["old"]
        elif source.lack_of_code:
            fact = source.lack_of_code, path
    yield f"Cannot be tested: {fact_text(fact)}."
    if fact[0] != "lacks":
        yield from loading_problems(load_result)
    if fact[0] in ("unread", "no file"):
        yield from _other_language(path)
    if source and fact[0] in (*NO_CALL_FACTS, "two calls"):
        functions = source.signatures()
        if not functions:
            yield (
                "It has no function to call. Move the code that picks a square into choose(board)."
            )
            return
        call = fact[2] if fact[0] == "two calls" else guess_call(source)
        example = f', for example: --call "{call}"' if call else " with --call"
        yield f"Its functions: {', '.join(functions)}."
        yield f"Say how to call it{example}"
        yield "--manual explains --call, with an example for each kind of board."


def _other_language(path: str) -> Iterator[str]:
    """Yield how to test a file in another language."""
    suffix = Path(path).suffix.lower()
    if suffix == ".ipynb":
        yield f"A notebook? Save it as a script: jupyter nbconvert --to script {shlex.quote(path)}"
    elif suffix in COMPILED_SUFFIXES:
        yield f'Not Python? Compile it, then use --run "./{Path(path).stem}". {LINE_PROTOCOL}.'
    elif suffix in RUN_COMMANDS:
        command = shlex.quote(f"{RUN_COMMANDS[suffix]} {path}")
        yield f"Not Python? Use --run {command}. {LINE_PROTOCOL}."
    elif suffix != ".py":
        yield f'Not Python? Use --run "COMMAND". {LINE_PROTOCOL}.'


# The first line


def result_sentence(report: Report) -> str:
    """Return the result as one sentence."""
    games = counted(sum(report[result] for result in GAME_RESULTS), "game")
    has_troubles = any(report[kind] for kind in TROUBLES)
    cause = f": {report['cause']}" if report["cause"] else ""
    if report["unwritten"]:
        return f"Not written yet: {', '.join(report['unwritten'])}."
    if report["unplayable"]:
        return f"No legal move on {report['troubled']} of {report['boards']} boards{cause}."
    if report["given_up"] and not has_troubles:
        return f"Not finished: {report['given_up']}."
    if report["lost"]:
        stopped = f", and {report['stopped']} more stop early" if report["stopped"] else ""
        return f"Loses {report['lost']:,} of {games}{stopped}{cause}."
    if has_troubles:
        return f"No legal move on {report['troubled']} of {report['boards']} boards{cause}."
    if report["wrong"]:
        return f"Loses none of {games}, but {report['cause']}."
    return f"Correct: loses none of {games}."


def counted(number: int, noun: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1.

    >>> counted(1234, "game"), counted(1, "game")
    ('1,234 games', '1 game')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def slowness_sentence(report: Report) -> str:
    """Return the sentence that says whether a correct program could win sooner or lose later."""
    board_count = sum(report[kind] for kind in MOVE_FAULTS)
    if board_count:
        return f"On {counted(board_count, 'board')}, it could win sooner or lose later."
    return "It always wins as fast as possible and, in a lost position, lasts as long as possible."


# What is wrong in functions


def wrong_function_texts(function: Report) -> dict[str, Any]:
    """Return the fields of a `functions.WrongFunction`, facts as text, and what to look for."""
    fact_name, *values = function["common"]
    count = function["wrong_count"]
    on_few_boards = {1: "On that board,", 2: "On both boards it gets wrong,"}
    boards = on_few_boards.get(count, f"On all {count:,} boards it gets wrong,")
    common, look = (text.format(boards, *values) for text in COMMON_TEXTS[fact_name])
    answers = {"answer": fact_text(function["answer"]), "correct": fact_text(function["correct"])}
    return {**function, **answers, "common": common, "look": look}


def functions_text(report: Report) -> str:
    """Return which functions are right and which are wrong; "" if none was compared."""
    sentences = []
    if right := report["right"]:
        sentences.append(f"{join_names(right)} {'are' if len(right) > 1 else 'is'} right.")
    if report["accepts"]:
        sentences.append(accepted_action_text(report))
    for function in report["wrong"]:
        wrong_count, board_count = function["wrong_count"], function["board_count"]
        sentences.append(
            f"{function['name']} is wrong on {wrong_count:,} of {board_count:,} boards."
        )
        if affected := function["affected"]:
            are, use = ("are", "they use") if len(affected) > 1 else ("is", "it uses")
            used = function["name"] if len(report["wrong"]) == 1 else "a wrong function"
            sentences.append(f"{join_names(affected)} {are} wrong only because {use} {used}.")
    return " ".join(sentences)


def accepted_action_text(report: Report) -> str:
    """Return the sentence on an illegal action that the `result` of a program accepts."""
    return (
        f"result also accepts {report['accepts']}. That loses no game, but it should raise an"
        " error for an illegal action."
    )


def first_wrong_board_text(function: Report) -> str:
    """Return what a function did on the first board where it is wrong, and what is right."""
    return (
        f"For this board, {function['name']} {function['answer']}, but {function['correct']}."
        f" {function['common']}"
    ).strip()


# Games


def games_by_side(report: Report) -> str:
    """Return how the games end, by side."""
    parts = []
    for mark, side in report["sides"].items():
        counts = [f"{side[end]:,} {end}" for end in (*GAME_RESULTS, "stopped") if side[end]]
        parts.append(f"As {mark}: {', '.join(counts) or 'no game'}.")
    return " ".join(parts)


def improvable_moves(report: Report) -> str:
    """Return how many moves could be better, by kind, or "" if none could."""
    parts: list[str] = []
    for kind, text in MOVE_FAULT_COUNT_TEXTS.items():
        if count := report[kind]:
            moves = str(count) if parts else counted(count, "move")
            parts.append(text.format(moves, "s" * (count == 1)))
    return f"Counting each board once: {join_names(parts)}." if parts else ""


def move_and_best_moves(square: Square, best_squares: Sequence[Square]) -> str:
    """Return a move and the moves that score highest, as text.

    >>> move_and_best_moves(8, (2,))
    'square 8 (bottom right); better: square 2 (top right)'
    """
    return f"{join_squares([square])}; better: {join_squares(best_squares)}"


# What is unusual, and which mistakes the program plays like


def remarks(report: Report) -> Iterator[str]:
    """Yield what is unusual about the way a program answers."""
    if report["counts_from_1"]:
        yield (
            "Every answer minus 1 is a legal move: it numbers squares from 1, not 0. Return one"
            ' less, or subtract 1 in --call, such as --call "choose(text) - 1".'
        )
    if report["has_extra_answers"]:
        yield "It printed more than one number for a board, so answers may be mixed up."
    if report["restarted"]:
        yield f"It was restarted for each board: {report['restarted']}."
    if report["given_up"]:
        yield f"{capitalize_first(report['given_up'])}."


def known_mistake_sentences(report: Report) -> Iterator[str]:
    """Yield the sentence on the mistakes that explain all moves, or a sentence for each side."""
    parts = [("", report)] + [(f" as {mark}", side) for mark, side in report["sides"].items()]
    for as_side, part in parts:
        if ways := part["plays_as"]:
            names = "; or: ".join(way["name"] for way in ways)
            yield (
                f"On all {counted(ways[0]['of'], 'board')} where the choice matters, it"
                f" plays{as_side} like a minimax with this mistake: {names}."
            )


def look_for(target: str, function_lines: Mapping[str, int]) -> str:
    """Return what to look for and in which functions, or "" if there is nothing.

    >>> look_for("", {"winner": 3})
    'Look in winner (line 3).'
    """
    where = join_names([f"{name} (line {line})" for name, line in function_lines.items()])
    if target:
        return f"Look {f'in {where} ' if where else ''}for {target}"
    return f"Look in {where}." if where else ""


def more_lines(hidden_count: int) -> list[str]:
    """Return a line that says how many boards are not shown; empty if all are."""
    return [f"  and {hidden_count} more (--json lists them)"] if hidden_count else []


# The shortest lost game


def shortest_loss_heading(loser: str) -> str:
    """Return the heading of the shortest lost game."""
    return f"The shortest game it loses, as {loser}:"


def board_link(moves: str, site: str) -> str:
    """Return the line with the address of the board before the last of these moves.

    >>> board_link("8475", "https://example.org")
    'Open the board before the mistake: https://example.org/study/8475?at=3&view=squares'
    """
    address = f"{site}/study/{moves}?at={len(moves) - 1}&view=squares"
    return f"Open the board before the mistake: {address}"


def losing_move_text(position: Position, square: Square) -> str:
    """Return which move was the mistake, which moves were better and how to read the values."""
    mark, better = position.turn, sound_moves(analyze(position))
    is_only_one = len(better) == 1
    wins, keeps = ("wins", "keeps the draw") if is_only_one else ("win", "keep the draw")
    player, wanted = ("MAX", "highest") if mark == X else ("MIN", "lowest")
    return (
        f"Move {position.ply + 1} was the mistake. Your program played {join_squares([square])};"
        f" {'only ' * is_only_one}{join_squares(better)} {wins if score(position) > 0 else keeps}."
        f" In the values below, +1 means X wins, -1 means O wins and 0 is a draw; {mark} is"
        f" {player} and wants the {wanted}."
    )


# The end of a report


def move_times(report: Report) -> str:
    """Return the median and the longest time of a move."""
    return (
        f"Time per move: median {_time_text(report['median_seconds'])}, longest"
        f" {_time_text(report['longest_seconds'])}."
    )


def _time_text(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def missing_limits_sentence(limits: Sequence[str]) -> str:
    """Return the sentence on the limits that the system cannot set.

    >>> missing_limits_sentence(["memory", "processes"])
    'This system cannot limit memory and processes.'
    """
    return f"This system cannot limit {join_names(limits)}."
