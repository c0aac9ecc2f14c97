"""Nine lines to repair: each program has an address, where it is played.

The lines are shown in the words of screen 10, or in Python. Line 3 has no gap, but a switch:
without turns `node.value` is +1, 0 or -1, as on screen 10.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any, NamedTuple

from flask import Blueprint, abort, render_template, request, url_for

from engine.notation import parse_squares, signed
from engine.position import OTHER, Mark, O, Position, Square, X
from engine.results import Result, result
from engine.search import analyze, best_moves, sign
from teach.lesson.screen import WORDS
from teach.programs import GAPS, Mistake, Program, report_on
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_choice, get_number, get_single, parse_or_refuse
from web.view.figures import game_field
from web.view.return_links import back, left
from web.view.squares import cells_of

write = Blueprint("write", __name__)
write.after_request(allow_caching)

# By level: the lines with a gap; other lines are right.
LEVELS: Mapping[str, Sequence[int]] = {"1": (4,), "2": (4, 5), "3": (4, 5, 7, 8)}

# What is shown of a run: all its games, or the shortest that is lost, and there the wrong line.
RUNS = {"run": ("on", "loss"), "look": ("on",)}

# Whether turns are counted, and whether the lines are shown in Python.
SWITCHES = {"turns": ("on",), "at": ("python",)}

PROGRAM = ("level", *(f"l{line}" for line in LEVELS["3"]), *SWITCHES)  # as an address names one


class Asked(NamedTuple):
    """Hold the level, the pieces in an address by their lines, and two switches."""

    level: str
    pieces: Mapping[int, int]
    turns: bool = False
    in_python: bool = False

    @property
    def gaps(self) -> Sequence[int]:
        """Return the lines with a gap."""
        return LEVELS[self.level]

    @property
    def query(self) -> dict[str, Any]:
        """Return the query of the address."""
        return {
            "level": self.level,
            **{f"l{line}": piece for line, piece in self.pieces.items()},
            "turns": "on" if self.turns else None,
            "at": "python" if self.in_python else None,
        }

    @property
    def is_whole(self) -> bool:
        """Say whether each gap has its piece."""
        return self.pieces.keys() >= {*self.gaps}

    @property
    def program(self) -> Program:
        """Return the program; for a piece that is missing, with the right one."""
        first = 0 if self.turns else 1
        return Program((first, *(self.pieces.get(line, 0) for line in [*GAPS][1:])))

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Return the wrong pieces, first the one to tell; not to count turns is none here."""
        return tuple(each for each in self.program.mistakes() if each.line in self.gaps)


def asked() -> Asked:
    """Read the level and the pieces; a piece of a line without a gap on level 1 means level 3."""
    given = {
        line: get_number(request.args, f"l{line}", len(GAPS[line]) - 1) for line in LEVELS["3"]
    }
    pieces = {line: piece for line, piece in given.items() if piece is not None}
    is_whole = any(line not in LEVELS["1"] for line in pieces)
    level = get_choice(request.args, "level", (*LEVELS,)) or ("3" if is_whole else "1")
    for line in pieces:
        if line not in LEVELS[level]:
            abort(400, f"l{line} is no gap of level {level}.")
    switches = (get_choice(request.args, name, on) for name, on in SWITCHES.items())
    return Asked(level, pieces, *map(bool, switches))


@write.get("/learn/write")
@takes(*PROGRAM, *RUNS, "lesson")
def page() -> str:
    """Show the program in the address; once it is run, how all its games end, or its first mistake.

    Until then nothing tells a right piece from a wrong one, and with an empty gap it does not run.
    The line to look at is said when asked for.
    """
    at = asked()
    ran, looks = (get_choice(request.args, name, choices) for name, choices in RUNS.items())
    place = left(request.args)
    way_back = back(place) if place else url_for("learn.lesson_page")
    shared: dict[str, Any] = {"at": at, "lesson": place, "back": way_back}
    if ran and at.is_whole:
        report = report_on(at.program)
        shared["report"] = report
        if ran == "on":
            across, games = game_field(
                {"won": report.won, "drawn": report.drawn, "lost": report.lost}
            )
            return render_template("learn/verdict.html", across=across, games=games, **shared)
        if game := report.shortest:
            board = seen(at.program, game.slip)
            shared |= {"strip": strip(game.moves), "seen": board, "looks": looks}
    return render_template(
        "learn/write.html",
        **shared,
        levels={level: len(gaps) for level, gaps in LEVELS.items()},
        lines=gapped(at.gaps),
    )


@write.get("/learn/write/play")
@takes(*PROGRAM, "you", "moves", "lesson")
def play_page() -> str:
    """Play on a large board against the program in the address; `moves` are the human's."""
    at = asked()
    if not at.is_whole:
        abort(400, "There is a gap: choose a piece.")
    you = get_choice(request.args, "you", OTHER) or X
    mine = get_single(request.args, "moves") or ""
    moves = parse_or_refuse(
        partial(game_against, at.program, you), parse_or_refuse(parse_squares, mine)
    )
    position = Position().after(moves)
    url = partial(url_for, ".play_page", **at.query, you=you, lesson=left(request.args))
    free = position.legal_moves()
    return render_template(
        "learn/write_play.html",
        at=at,
        you=you,
        position=position,
        outcome=position.outcome(),
        is_right=not at.mistakes,
        has_begun=bool(mine),
        cells=[
            cell._replace(
                url=url(moves=f"{mine}{cell.square}"), hovers=you, says=f": play {you} here"
            )
            if cell.square in free
            else cell
            for cell in cells_of(position, moves[-1] if moves else None)
        ],
        again=url(),
        turned=url_for(".play_page", **at.query, you=OTHER[you], lesson=left(request.args)),
        program=url_for(".page", **at.query, lesson=left(request.args)),
    )


def game_against(program: Program, you: Mark, mine: Sequence[Square]) -> tuple[Square, ...]:
    """Return the moves of a game against a program: `mine`, and its moves by turns.

    Raises IllegalMoveError where one of mine breaks the rules.
    """
    position, moves, rest = Position(), list[Square](), list(mine)
    while rest or not (position.outcome() or position.turn == you):
        is_mine = position.turn == you or position.outcome()  # after the end, any move is refused
        square = rest.pop(0) if is_mine else program.choose(position)
        position = position.play(square)
        moves.append(square)
    return tuple(moves)


class Text(NamedTuple):
    """Hold a text in words and in Python."""

    words: str
    python: str


class Gapped(NamedTuple):
    """Hold a line up to its gap, if it has one, and the numbered pieces for that, as shown."""

    start: Text
    pieces: Sequence[tuple[int, Text]] = ()


def gapped(gaps: Collection[int]) -> list[Gapped]:
    """Return the nine lines, some with a gap; all others are right.

    >>> gapped([8])[7]  # doctest: +ELLIPSIS
    Gapped(start=Text(words='    and keep ', python='        best = '), pieces=[...])
    """
    words, right = WORDS["10"], Program((0,) * len(GAPS)).lines()
    both = zip(words["lines"], right, strict=True)
    lines = {n: Gapped(Text(*texts)) for n, texts in enumerate(both, 1)}
    for n in gaps:
        pieces = [Text(*piece) for piece in zip(words["pieces"][f"{n}"], GAPS[n], strict=True)]
        start = map(str.removesuffix, lines[n].start, pieces[0])
        lines[n] = Gapped(Text(*start), in_turn(n, pieces))
    return [*lines.values()]


def in_turn(line: int, gap: Sequence[Text]) -> list[tuple[int, Text]]:
    """Return the numbered pieces of a gap to show: the first is right, so not always first."""
    numbered = [*enumerate(gap)]
    first = line % len(gap)
    return numbered[first:] + numbered[:first]


def strip(moves: Sequence[Square]) -> list[tuple[Square, Position]]:
    """Return the moves of a game, each with the board after."""
    boards = [*accumulate(moves, Position.play, initial=Position())][1:]
    return [*zip(moves, boards, strict=True)]


class Seen(NamedTuple):
    """Hold a board with the square a program plays, its values and the true ones, as drawn.

    Plus is good for X. `scores` are the true value of the best square and that of the square
    played, each with what it says.
    """

    position: Position
    own: dict[Square, tuple[str, Mark | str]]
    true: dict[Square, tuple[str, Mark | str]]
    scores: tuple[tuple[str, Result], ...]


@cache
def seen(program: Program, position: Position) -> Seen:
    """Return how a program sees a board, ready to draw."""
    mark, scores, square = position.turn, analyze(position), program.choose(position)
    count = int if program.pieces[0] == 0 else sign
    true = {to: count(score if mark == X else -score) for to, score in scores.items()}
    return Seen(
        position,
        own=shown(program.values(position)),
        true=shown(true),
        scores=tuple(
            (signed(true[to]), result(scores[to], mark)) for to in (best_moves(position)[0], square)
        ),
    )


def shown(values: Mapping[Square, float]) -> dict[Square, tuple[str, Mark | str]]:
    """Return values as text, ∞ without its plus, and who gains: plus is good for X."""
    return {
        square: (signed(value).replace("+∞", "∞"), X if value > 0 else O if value else "")
        for square, value in values.items()
    }
