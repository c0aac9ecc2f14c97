"""The engine at the prompt: `python -m engine X---O----`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from textwrap import fill

from engine.position import SQUARE_NAMES, Outcome, Position
from engine.results import principal_variation, results
from engine.search import analyse, best_moves

USAGE = """\
python -m engine [--json] [BOARD]

BOARD is nine of X, O and -, row by row from the top left; left out, the empty board.
Scores are for the side to move: 10 - n wins on turn n, n - 10 loses on turn n, 0 is a draw."""


def main(arguments: Sequence[str]) -> None:
    """Print what the engine makes of a position, in words or as JSON; asked for help, the usage.

    Raises SystemExit, with the reason, for a board that no legal game reaches.
    """
    if {"-h", "--help"} & {*arguments}:
        print(USAGE)
        return
    boards = [argument for argument in arguments if argument != "--json"]  # may begin with -
    try:
        position = Position.parse("".join(boards) if boards else str(Position()))
    except ValueError as error:
        sys.exit(f"{error}\n\n{USAGE}")
    print(in_words(position) if boards == [*arguments] else json.dumps(to_data(position)))


def in_words(position: Position) -> str:
    """Return the board, every move with its result, the best moves and the line of best play."""
    text = str(position)
    board = "\n".join(" ".join(text[row : row + 3]) for row in (0, 3, 6))
    if outcome := position.outcome():
        return f"{board}\n\n{_ending(outcome)}."
    best = " or ".join(SQUARE_NAMES[square] for square in best_moves(position))
    return f"{board}\n\n{_table(position)}\n\n{_wrapped('Best', best)}\n{_line(position)}"


def _wrapped(name: str, text: str) -> str:
    return fill(f"{name}: {text}.", 79, subsequent_indent="      ")


def _table(position: Position) -> str:
    scores, best = analyse(position), best_moves(position)
    rows = [f"  {position.turn + ' to move':<15} score  result"]
    for square in sorted(scores, key=lambda square: (-scores[square], square not in best)):
        winner, turns = results(position)[square]
        says = f"{winner} wins {'now' if turns == 1 else f'in {turns}'}" if winner else "draw"
        star = "*" if square in best else " "
        rows.append(f"{star} {SQUARE_NAMES[square]:<15} {scores[square]:>5}  {says}")
    return "\n".join(rows)


def _line(position: Position) -> str:
    moves = []
    for square in principal_variation(position):
        moves.append(f"{position.turn} {SQUARE_NAMES[square]}")
        position = position.play(square)
    outcome = position.outcome()
    assert outcome, "best play goes on to the end"
    return _wrapped("Line", f"{', '.join(moves)}. {_ending(outcome)}")


def _ending(outcome: Outcome) -> str:
    return f"{outcome.winner} wins" if outcome.winner else "A draw"


def to_data(position: Position) -> dict[str, object]:
    """Return the same as strings, lists and numbers, fit for JSON.

    `winner` and `turns` say what perfect play leads to, null and 0 for a draw. `turn` and `score`
    are null once over.
    """
    outcome, scores = position.outcome(), analyse(position)
    return {
        "board": str(position),
        "turn": None if outcome else position.turn,
        "outcome": outcome and outcome._asdict(),
        "score": max(scores.values(), default=None),
        "moves": [
            {"square": at, "name": SQUARE_NAMES[at], "score": scores[at], **result._asdict()}
            for at, result in results(position).items()
        ],
        "best": best_moves(position),
        "line": principal_variation(position),
    }


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
        print(end="", flush=True)
    except OSError as error:
        # Python would try to write what is left once more as it ends, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):  # as of `| head`, which has read enough
            sys.exit(f"This cannot be written: {error.strerror}.")
