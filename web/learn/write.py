"""The search to put together from pieces: each program has an address, where it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from flask import Blueprint, render_template, request

from engine.notation import signed
from engine.position import OTHER, Mark, Position, Square
from engine.results import Result, result
from engine.search import analyse
from teach.programs import GAPS, LINES, Game, Program, run
from web.site.files import allow_caching
from web.site.forms import number

write = Blueprint("write", __name__)
write.after_request(allow_caching)

OPENING = (2, 2, 1, 1, 1)


@write.get("/learn/write")
def page() -> str:
    """Play the program in the address: say how many games are lost, and the first mistake."""
    given = [number(request.args, f"l{line}", len(gap) - 1) for line, gap in GAPS.items()]
    pieces = zip(given, OPENING, strict=True)
    program = Program(tuple(usual if piece is None else piece for piece, usual in pieces))
    report = run(program)
    game = report.shortest
    return render_template(
        "learn/write.html",
        lines=LINES.splitlines(),
        gaps={line: in_turn(line, gap) for line, gap in GAPS.items()},
        pieces=query(program),
        mistakes=program.mistakes(),
        report=report,
        strip=game and strip(game),
        seen=game and seen(program, game.slip),
        given_up=report.gives_up and seen(program, report.gives_up),
    )


def in_turn(line: int, gap: Sequence[str]) -> list[tuple[int, str]]:
    """Return the numbered pieces of a gap to show: the first is right, so not always first."""
    numbered = [*enumerate(gap)]
    first = line % len(gap)
    return numbered[first:] + numbered[:first]


def strip(game: Game) -> list[tuple[Square, Position]]:
    """Return the moves of a game, each with the board after."""
    boards = [*accumulate(game.moves, Position.play, initial=Position())][1:]
    return [*zip(game.moves, boards, strict=True)]


class Seen(NamedTuple):
    """Hold a board with the square a program plays, its values and the true scores, as drawn.

    `scores` are the highest true score and that of the square played, each with what it says.
    """

    position: Position
    square: Square
    own: dict[Square, tuple[str, Mark | str]]
    true: dict[Square, tuple[str, Mark | str]]
    scores: tuple[tuple[str, Result], ...]


@cache
def seen(program: Program, position: Position) -> Seen:
    """Return how a program sees a board, ready to draw."""
    mark, scores, square = position.turn, analyse(position), program.choose(position)
    return Seen(
        position,
        square,
        own=shown(program.values(position), mark),
        true=shown(scores, mark),
        scores=tuple(
            (signed(score), result(score, mark)) for score in (max(scores.values()), scores[square])
        ),
    )


def shown(values: Mapping[Square, float], mark: Mark) -> dict[Square, tuple[str, Mark | str]]:
    """Return values of `mark` as text, ∞ without its plus, and who gains, "" where neither does."""
    texts = {square: signed(value).replace("+∞", "∞") for square, value in values.items()}
    return {
        square: (texts[square], mark if value > 0 else OTHER[mark] if value else "")
        for square, value in values.items()
    }


def query(program: Program) -> dict[str, int]:
    """Return the query of a program's address: the piece on each line with a gap."""
    return {f"l{line}": piece for line, piece in zip(GAPS, program.pieces, strict=True)}
