"""The engine on the command line: `python -m engine X---O----`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from textwrap import fill

from engine.position import SQUARE_NAMES, Outcome, Position
from engine.results import principal_variation, results
from engine.search import analyze, best_moves

USAGE = """\
python -m engine [--json] [BOARD]

BOARD is nine of X, O and -, row by row from the top left; left out, the empty board.
Scores are for the side to move: 10 - n wins on turn n, n - 10 loses on turn n, 0 is a draw."""


def main(arguments: Sequence[str]) -> None:
    """Print the analysis of a position, as text or as JSON.

    Raises SystemExit, with the reason, if no legal game reaches the board.
    """
    if {"-h", "--help"} & {*arguments}:
        print(USAGE)
        return
    # Not argparse: a board may start with "-", which would look like an option.
    boards = [argument for argument in arguments if argument != "--json"]
    try:
        position = Position.parse("".join(boards) if boards else str(Position()))
    except ValueError as error:
        sys.exit(f"{error}\n\n{USAGE}")
    print(to_text(position) if boards == [*arguments] else json.dumps(to_data(position)))


def to_text(position: Position) -> str:
    """Return the board, a table of all moves, the best moves and the principal variation."""
    text = str(position)
    board = "\n".join(" ".join(text[row : row + 3]) for row in (0, 3, 6))
    if outcome := position.outcome():
        return f"{board}\n\n{_describe(outcome)}."
    best = " or ".join(SQUARE_NAMES[square] for square in best_moves(position))
    return f"{board}\n\n{_move_table(position)}\n\n{_wrap('Best', best)}\n{_best_line(position)}"


def _wrap(name: str, text: str) -> str:
    return fill(f"{name}: {text}.", 79, subsequent_indent="      ")


def _move_table(position: Position) -> str:
    scores, best = analyze(position), best_moves(position)
    rows = [f"  {position.turn + ' to move':<15} score  result"]
    for square in sorted(scores, key=lambda square: (-scores[square], square not in best)):
        winner, turns = results(position)[square]
        result_text = (
            f"{winner} wins {'now' if turns == 1 else f'in {turns}'}" if winner else "draw"
        )
        star = "*" if square in best else " "
        rows.append(f"{star} {SQUARE_NAMES[square]:<15} {scores[square]:>5}  {result_text}")
    return "\n".join(rows)


def _best_line(position: Position) -> str:
    moves = []
    for square in principal_variation(position):
        moves.append(f"{position.turn} {SQUARE_NAMES[square]}")
        position = position.play(square)
    outcome = position.outcome()
    assert outcome, "best play must go on to the end"
    return _wrap("Line", f"{', '.join(moves)}. {_describe(outcome)}")


def _describe(outcome: Outcome) -> str:
    return f"{outcome.winner} wins" if outcome.winner else "A draw"


def to_data(position: Position) -> dict[str, object]:
    """Return the same analysis as data that JSON can represent.

    A move's `winner` and `turns` are the result of perfect play: null and 0 for a draw. Once the
    game is over, `turn` and `score` are null.
    """
    outcome, scores = position.outcome(), analyze(position)
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
        # At exit, Python would flush the rest again, fail, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):  # e.g. from `| head`
            sys.exit(f"This cannot be written: {error.strerror}.")
