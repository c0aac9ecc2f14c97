"""The engine at the prompt: `python -m engine X---O----`."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from textwrap import fill
from typing import NoReturn

from engine.notation import swapped
from engine.position import OTHER, SQUARE_NAMES, Outcome, Position, Square
from engine.reasons import preference
from engine.results import Result, principal_variation, results, safe_replies
from engine.search import analyse, best_moves, score, sign

# What makes the best moves better than others, by the reason and by how they end.
REASONS = {
    ("only", 1): "nothing else wins",
    ("any", 1): "every move that wins, wins as soon",
    ("turns", 1): "nothing else wins as soon",
    ("only", 0): "everything else loses",
    ("any", 0): "every move that draws is as good",
    ("chance", 0): "no other move that draws beats a random opponent as often",
    ("any", -1): "every move loses, and none is better",
    ("turns", -1): "every move loses, and no other as late",
    ("chance", -1): "every move loses, and of those that lose as late"
    " no other beats a random opponent as often",
}


SAFE = (
    "Of the opponent's `replies` to a move, `safe` keep its best result: the draw after a move"
    " that draws, its win after one that loses; after one that wins, all lose and so all do."
)


class Parser(ArgumentParser):
    """Refuse bad input in one line."""

    def error(self, message: str) -> NoReturn:
        """Print what was wrong on stderr and exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str]) -> None:
    """Print what the engine makes of a position.

    Raises SystemExit, with code 2, for what is no position of a legal game.
    """
    parser = Parser(
        prog="python -m engine",
        description="Solve a tic-tac-toe position.",
        epilog="Scores are for the side to move, if both play perfectly: 10 - n wins on turn n,"
        " n - 10 loses on turn n.",
    )
    parser.add_argument(
        "board",
        nargs="?",
        default="---------",
        help="nine of X, O and -, row by row from the top left; the empty board if left out",
    )
    parser.add_argument("--json", action="store_true", help=f"print JSON, for programs. {SAFE}")
    options = [argument for argument in arguments if argument in ("--json", "-h", "--help")]
    # A board may begin with -, and is no option.
    boards = [argument for argument in arguments if argument not in (*options, "--")]
    settings = parser.parse_args([*options, *(["--", *boards] if boards else [])])
    try:
        position = Position.parse(settings.board)
    except ValueError as error:
        instead = swapped(settings.board)
        parser.error(f"{error}{f'; with the marks swapped it is {instead}' if instead else ''}")
    print(json.dumps(to_data(position)) if settings.json else in_words(position))


def in_words(position: Position) -> str:
    """Return the board, every move with its result, the best moves and the line."""
    text = str(position)
    board = "\n".join(" ".join(text[row : row + 3]) for row in (0, 3, 6))
    if outcome := position.outcome():
        return f"{board}\n\n{_sentence(_ending(outcome))}"
    return f"""{board}

{position.turn} to move is MAX and takes the highest score.

{_table(position)}

{_sentence("Best: " + _best(position))}
{_sentence("Line: " + _line(position))}"""


def _sentence(text: str) -> str:
    return fill(f"{text}.", 79, subsequent_indent="      ")


def _best(position: Position) -> str:
    names = " or ".join(SQUARE_NAMES[square] for square in best_moves(position))
    reason = preference(position)
    return f"{names}: {REASONS[reason, sign(score(position))]}" if reason else names


def _table(position: Position) -> str:
    scores, found, best = analyse(position), results(position), best_moves(position)
    answers = f"{OTHER[position.turn]}'s safe replies" if 0 in scores.values() else ""
    rows = [("  square", "score", "result", answers)]
    for square in sorted(scores, key=lambda square: (-scores[square], square not in best)):
        star = "*" if square in best else " "
        name, number = f"{star} {SQUARE_NAMES[square]}", str(scores[square])
        rows.append((name, number, _result(found[square]), _safe(position, square)))
    return "\n".join(
        f"{name:<15}  {number:>5}  {says:<11}  {safe}".rstrip() for name, number, says, safe in rows
    )


def _result(result: Result) -> str:
    if result.winner is None:
        return "draw"
    return f"{result.winner} wins {'now' if result.turns == 1 else f'in {result.turns}'}"


def _safe(position: Position, square: Square) -> str:
    """Say how many answers keep a draw, where there is a draw to keep and an answer to give."""
    safe, replies = safe_replies(position, square)
    return f"{safe} of {replies}" if replies and analyse(position)[square] == 0 else ""


def _line(position: Position) -> str:
    moves = []
    for square in principal_variation(position):
        moves.append(f"{position.turn} {SQUARE_NAMES[square]}")
        position = position.play(square)
    outcome = position.outcome()
    assert outcome
    return f"{', '.join(moves)}. {_ending(outcome)}"


def _ending(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "A draw"
    lines = (", ".join(SQUARE_NAMES[square] for square in line) for line in outcome.lines)
    return f"{outcome.winner} wins: {' and '.join(lines)}"


def to_data(position: Position) -> dict[str, object]:
    """Return the same as strings, lists and numbers, fit for JSON.

    `winner` and `turns` say what perfect play leads to, null and 0 for a draw. `safe` of the
    opponent's `replies` keep its best result, be that a win, a draw or a loss, as `--help` says.
    `turn` and `score` are null once over.
    """
    outcome, scores, found = position.outcome(), analyse(position), results(position)
    return {
        "board": str(position),
        "turn": None if outcome else position.turn,
        "outcome": outcome and {"winner": outcome.winner, "lines": outcome.lines},
        "score": max(scores.values(), default=None),
        "moves": [
            {
                "square": square,
                "name": SQUARE_NAMES[square],
                "score": scores[square],
                "winner": found[square].winner,
                "turns": found[square].turns,
                "safe": safe,
                "replies": replies,
            }
            for square in scores
            for safe, replies in [safe_replies(position, square)]
        ],
        "best": best_moves(position),
        "line": principal_variation(position),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
