"""The search to put together from pieces: each program has an address, where it is played."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, render_template, request

from engine.position import OTHER, Mark, Position, Square
from engine.search import WIN
from teach.programs import GAPS, LINES, Game, Moment, Program, read, run, table, ways
from web.site.forms import number, one, parsed
from web.study.routes import allow_caching

write = Blueprint("write", __name__)
write.after_request(allow_caching)

OPENING = (2, 2, 1, 1, 1)

# By square, a value as text and the mark that gains by it, "" where neither does.
Shown = dict[Square, tuple[str, Mark | str]]


@write.get("/learn/write")
def page() -> str:
    """Play the program in the address: say how many games are lost, and the first mistake."""
    given = [number(request.args, f"l{line}", len(gap) - 1) for line, gap in GAPS.items()]
    pieces = [
        usual if piece is None else piece for piece, usual in zip(given, OPENING, strict=True)
    ]
    program = read("".join(map(str, pieces)))
    report = run(program)
    return render_template(
        "learn/write.html",
        lines=LINES.splitlines(),
        gaps=GAPS,
        pieces=dict(zip(GAPS, program.pieces, strict=True)),
        code=program.code,
        mistakes=program.mistakes(),
        report=report,
        strip=report.shortest and strip(report.shortest),
        seen=report.slip and seen(report.slip),
        given_up=report.gives_up and seen(report.gives_up),
    )


class Tile(NamedTuple):
    """Hold a board of a game, the square played last and the squares of winning lines."""

    position: Position
    square: Square
    wins: frozenset[Square]


def strip(game: Game) -> list[Tile]:
    """Return the board after each move of a game."""
    tiles = []
    position = Position()
    for square in game.moves:
        position = position.play(square)
        outcome = position.outcome()
        wins = frozenset().union(*outcome.lines) if outcome else frozenset()
        tiles.append(Tile(position, square, wins))
    return tiles


class Score(NamedTuple):
    """Hold a score as text, whether it wins, and the turns until it does or loses; 0 if neither."""

    text: str
    wins: bool
    turns: int


class Seen(NamedTuple):
    """Hold a board with a program's values and the true scores, ready to draw.

    `scores` holds the highest true score and that of the square played.
    """

    position: Position
    square: Square
    own: Shown
    true: Shown
    scores: tuple[Score, Score]


def seen(moment: Moment) -> Seen:
    """Return a moment of a game, ready to draw."""
    mark = moment.position.turn
    own, true = shown(moment.values, mark), shown(moment.scores, mark)
    best, played = max(moment.scores.values()), moment.scores[moment.square]
    return Seen(moment.position, moment.square, own, true, (explained(best), explained(played)))


def explained(score: int) -> Score:
    """Return a score with what it says.

    >>> explained(-4)
    Score(text='−4', wins=False, turns=6)
    """
    return Score(signed(score), score > 0, WIN - abs(score) if score else 0)


def shown(values: Mapping[Square, float], mark: Mark) -> Shown:
    """Return values of `mark` as text, with a real minus."""
    return {
        square: (signed(value), mark if value > 0 else OTHER[mark] if value else "")
        for square, value in values.items()
    }


def signed(value: float) -> str:
    """Return a value with its sign.

    >>> [signed(value) for value in (9, 0, -6, float("-inf"))]
    ['+9', '0', '−6', '−∞']
    """
    text = f"{value:+g}" if value else "0"
    return text.replace("+inf", "∞").replace("inf", "∞").replace("-", "−")


@write.get("/learn/write/all")
def every_program() -> str:
    """List the losses of each program, by the number of wrong pieces, and mark the one named."""
    code = one(request.args, "program")
    rows = groupby(table(), lambda row: len(row.program.mistakes()))
    return render_template(
        "learn/programs.html",
        rows={wrong: list(group) for wrong, group in rows},
        ways=len(ways()),
        of=len(table()),
        yours=code and parsed(read, code),
        query=query,
    )


def query(program: Program) -> dict[str, int]:
    """Return the query of a program's address: the piece on each line with a gap."""
    return {f"l{line}": piece for line, piece in zip(GAPS, program.pieces, strict=True)}
