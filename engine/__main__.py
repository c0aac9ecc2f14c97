"""The engine on the command line: `python -m engine X---O----`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from textwrap import fill

from engine.position import SQUARE_NAMES, Outcome, Position
from engine.results import Result, principal_variation, results
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
    wants_json = "--json" in arguments
    # Not argparse: a board may start with "-", which would look like an option.
    boards = [argument for argument in arguments if argument != "--json"]
    try:
        position = Position.parse("".join(boards) if boards else str(Position()))
    except ValueError as error:
        sys.exit(f"{error}\n\n{USAGE}")
    print(json.dumps(to_data(position)) if wants_json else to_text(position))


def to_text(position: Position) -> str:
    """Return the board, a table of all moves, the best moves and the principal variation."""
    text = str(position)
    board = "\n".join(" ".join(text[row : row + 3]) for row in (0, 3, 6))
    if outcome := position.outcome():
        return f"{board}\n\n{_describe_outcome(outcome)}."
    best_names = " or ".join(SQUARE_NAMES[square] for square in best_moves(position))
    best, line = _wrap("Best", best_names), _wrap("Line", _best_line(position))
    return f"{board}\n\n{_move_table(position)}\n\n{best}\n{line}"


def _wrap(label: str, text: str) -> str:
    indent = " " * len("Best: ")  # as long as "Line: "
    return fill(f"{label}: {text}.", 79, subsequent_indent=indent)


def _move_table(position: Position) -> str:
    """Return a line for each legal move, the best first; a star marks the best moves."""
    scores, best = analyze(position), best_moves(position)
    rows = [f"  {position.turn + ' to move':<15} score  result"]
    for square in sorted(scores, key=lambda square: (-scores[square], square not in best)):
        star = "*" if square in best else " "
        result_text = _describe_result(results(position)[square])
        rows.append(f"{star} {SQUARE_NAMES[square]:<15} {scores[square]:>5}  {result_text}")
    return "\n".join(rows)


def _describe_result(result: Result) -> str:
    if not result.winner:
        return "draw"
    return f"{result.winner} wins {'now' if result.turns == 1 else f'in {result.turns}'}"


def _best_line(position: Position) -> str:
    """Return the moves of the principal variation and how the game then ends."""
    moves = []
    for square in principal_variation(position):
        moves.append(f"{position.turn} {SQUARE_NAMES[square]}")
        position = position.play(square)
    outcome = position.outcome()
    assert outcome, "best play must go on to the end"
    return f"{', '.join(moves)}. {_describe_outcome(outcome)}"


def _describe_outcome(outcome: Outcome) -> str:
    return f"{outcome.winner} wins" if outcome.winner else "A draw"


def to_data(position: Position) -> dict[str, object]:
    """Return the same analysis as data that JSON can represent.

    The `winner` and the `turns` of a move are its result with perfect play: null and 0 for a draw.
    Once the game is over, `turn` and `score` are null.
    """
    outcome, scores = position.outcome(), analyze(position)
    return {
        "board": str(position),
        "turn": None if outcome else position.turn,
        "outcome": outcome and outcome._asdict(),
        "score": max(scores.values(), default=None),
        "moves": [
            {
                "square": square,
                "name": SQUARE_NAMES[square],
                "score": scores[square],
                **result._asdict(),
            }
            for square, result in results(position).items()
        ],
        "best": best_moves(position),
        "line": principal_variation(position),
    }


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
        print(end="", flush=True)
    except OSError as error:
        # Otherwise Python would flush the rest at exit, fail again, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):  # e.g. from `| head`
            sys.exit(f"This cannot be written: {error.strerror}.")
