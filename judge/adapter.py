"""The adapter that is offered: a file that asks another, to be completed by whoever knows how."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from judge.boards import Form, spelt

KNOWN = {"board": "mine", "alpha": 'float("-inf")', "beta": 'float("inf")'}


def adapter(
    path: str,
    call: str,
    given: Sequence[tuple[str, str]],
    form: Form | None,
    turns: Sequence[str],
    is_closed: bool,
) -> str:
    """Return a file that asks a function by the contract, `choose(board)`.

    Whatever nobody but the author knows is FILL_IN, a name that is not defined: the file stops
    there, as an adapter that guesses would be judged in place of the program. `given` are the
    parameters, each with "board", "side", "alpha", "beta" or "" for what is known of it.
    """
    owner, _, method = call.rpartition(".")
    stem = Path(path).stem
    asks = [KNOWN.get(kind, f"FILL_IN_{one}") for one, kind in given]
    unknown = [(one, kind) for one, kind in given if kind not in KNOWN]
    made = f"{owner}({'FILL_IN' if is_closed else ''}).{method}" if owner else call or "FILL_IN"
    lines = [
        f'"""Ask {stem}.py for a move, as the judge asks: complete each FILL_IN."""',
        "",
        "import importlib",
        "",
        f"program = importlib.import_module({stem!r})",
        'PLAYS = FILL_IN  # the mark your program plays: "X", "O", or "XO" for whoever is to move',
        "",
        "",
        "def choose(board):  # nine of X, O and -, row by row",
        '    mark = "X" if board.count("X") == board.count("O") else "O"  # who is to move',
        '    other = "O" if mark == "X" else "X"',
        *_board(form),
    ]
    for one, kind in unknown:
        hint = "mark or other" if kind == "side" else "say what that is"
        lines.append(f"    FILL_IN_{one} = FILL_IN  # {one}: {hint}")
    if (given and not any(kind == "board" for _, kind in given)) or not given:
        lines.append("    FILL_IN  # put `mine` where your program looks for its board")
    lines += [
        f"    program.{turn} = FILL_IN  # mark, if that is whose turn it is" for turn in turns
    ]
    lines += [
        f"    answer = program.{made}({', '.join(asks)})",
        "    return FILL_IN  # answer as a number from 0 to 8: of (row, column) 3 * row + column",
        "",
    ]
    return "\n".join(lines)


def _board(form: Form | None) -> list[str]:
    """Return the lines that make the board as the program holds it."""
    if form is None or form.kind == "dict" or form.empty[0] != form.empty[1]:
        return ["    mine = FILL_IN  # your board, with `board` on it"]
    signs = f'{{"X": FILL_IN_X, "O": FILL_IN_O, "-": {spelt(form.empty[0])}}}'
    if isinstance(form.empty[0], str):
        signs = f'{{"X": "X", "O": "O", "-": {spelt(form.empty[0])}}}'
    lines = [f"    sign = {signs}", "    mine = [sign[one] for one in board]"]
    if form.kind == "rows":
        lines.append("    mine = [mine[start : start + 3] for start in (0, 3, 6)]")
    if form.kind == "ten":
        lines.append(f"    mine = [{spelt(form.keys[0])}, *mine]")
    if form.kind == "text":
        lines.append('    mine = "".join(mine)')
    return lines
