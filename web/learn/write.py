"""The program of nine lines to complete, how its games end, and a game against it.

The address of each page contains the program.

The lines are in the words of screen 10, or in Python. Line 3 has a switch instead of a gap: if
turns are not counted, `node.value` is +1, 0 or -1, as on screen 10.
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
from teach.programs import GAPS, Mistake, Program, Report, report_on
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_choice, get_number, get_single, parse_or_refuse
from web.learn import words
from web.view.figures import game_grid
from web.view.return_links import get_screen, screen_url
from web.view.squares import Cell, cells_of

write = Blueprint("write", __name__)
write.after_request(allow_caching)

# The lines with a gap, by level.
LEVELS: Mapping[str, Sequence[int]] = {"1": (4,), "2": (4, 5), "3": (4, 5, 7, 8)}

# What to show after a run. `run=on` shows how all games end, `run=loss` the shortest loss, and
# `look=on` also the wrong line.
RUN_ARGS = {"run": ("on", "loss"), "look": ("on",)}

# The switches: whether turns are counted, and whether the lines are in Python.
SWITCH_ARGS = {"turns": ("on",), "at": ("python",)}

PROGRAM_ARGS = ("level", *(f"l{line}" for line in LEVELS["3"]), *SWITCH_ARGS)


class WriteQuery(NamedTuple):
    """The program in the query of an address."""

    level: str
    pieces: Mapping[int, int]  # by line: the index in GAPS of the piece in its gap
    counts_turns: bool = False
    in_python: bool = False

    @property
    def gaps(self) -> Sequence[int]:
        """The lines with a gap, which the page calls a blank."""
        return LEVELS[self.level]

    @property
    def args(self) -> dict[str, Any]:
        """The query parameters of the address."""
        return {
            "level": self.level,
            **{f"l{line}": piece for line, piece in self.pieces.items()},
            "turns": "on" if self.counts_turns else None,
            "at": "python" if self.in_python else None,
        }

    @property
    def is_complete(self) -> bool:
        """Whether every gap has a piece."""
        return self.pieces.keys() >= {*self.gaps}

    @property
    def program(self) -> Program:
        """The program, with the right piece in each empty gap."""
        line_3_piece = 0 if self.counts_turns else 1  # `node.value` or its sign
        return Program((line_3_piece, *(self.pieces.get(line, 0) for line in [*GAPS][1:])))

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The wrong pieces, starting with the one to name. Not counting turns is not a mistake."""
        return tuple(mistake for mistake in self.program.mistakes() if mistake.line in self.gaps)


def parse_query() -> WriteQuery:
    """Parse the program in the query.

    The level defaults to 1, or to 3 if there is a piece for a line that has no gap at level 1.
    """
    optional_pieces = {
        line: get_number(request.args, f"l{line}", len(GAPS[line]) - 1) for line in LEVELS["3"]
    }
    pieces = {line: piece for line, piece in optional_pieces.items() if piece is not None}
    has_more_gaps = any(line not in LEVELS["1"] for line in pieces)
    level = get_choice(request.args, "level", (*LEVELS,)) or ("3" if has_more_gaps else "1")
    for line in pieces:
        if line not in LEVELS[level]:
            abort(400, f"l{line} isn’t a blank at level {level}.")
    counts_turns, in_python = (
        get_choice(request.args, name, values) is not None for name, values in SWITCH_ARGS.items()
    )
    return WriteQuery(level, pieces, counts_turns, in_python)


@write.get("/learn/write")
@takes(*PROGRAM_ARGS, *RUN_ARGS, "lesson")
def page() -> str:
    """Show the program in the address, and after a run how its games end, or its shortest loss.

    A program with an empty gap does not run. The wrong line is shown only on request.
    """
    query = parse_query()
    run_choice, look_choice = (
        get_choice(request.args, name, values) for name, values in RUN_ARGS.items()
    )
    lesson = get_screen(request.args)
    way_back = screen_url(lesson) if lesson else url_for("learn.lesson_page")
    shared_values: dict[str, Any] = {"query": query, "lesson": lesson, "back": way_back}
    loss, shows_line = None, False
    if run_choice and query.is_complete:
        report = report_on(query.program)
        shared_values["report"] = report
        if run_choice == "on":
            return verdict_page(report, shared_values)
        if loss := report.shortest_loss:
            shows_line = look_choice is not None
            view = program_view(query.program, loss.blunder_position)
            shared_values |= {
                "strip": board_strip(loss.moves),
                "program_view": view,
                "meanings": words.score_meanings(view.scores, query.counts_turns),
            }
    return render_template(
        "learn/write.html",
        **shared_values,
        shows_line=shows_line,
        instruction=words.program_instruction(len(query.gaps), loss is not None, shows_line),
        mistake_sentences=words.MISTAKE_SENTENCES,
        other_mistakes=words.other_mistakes(len(query.mistakes)),
        levels={level: len(gaps) for level, gaps in LEVELS.items()},
        lines=code_lines(query.gaps),
    )


def verdict_page(report: Report, shared_values: Mapping[str, Any]) -> str:
    """Return the page that shows how all games of a program end."""
    columns, games = game_grid(
        {"won": report.win_count, "drawn": report.draw_count, "lost": report.loss_count}
    )
    return render_template(
        "learn/verdict.html",
        columns=columns,
        games=games,
        verdict=words.verdict_sentence(report),
        game_count=words.game_count_sentence(report),
        **shared_values,
    )


@write.get("/learn/write/play")
@takes(*PROGRAM_ARGS, "you", "moves", "lesson")
def play_page() -> str:
    """Show a game against the program in the address; `moves` are the human's."""
    query = parse_query()
    if not query.is_complete:
        abort(400, "A blank is still empty: choose a piece.")
    human = get_choice(request.args, "you", OTHER) or X
    human_moves = get_single(request.args, "moves") or ""
    moves = parse_or_refuse(
        partial(game_against, query.program, human), parse_or_refuse(parse_squares, human_moves)
    )
    position = Position().after(moves)
    outcome, is_right = position.outcome(), not query.mistakes
    lesson = get_screen(request.args)
    url = partial(url_for, ".play_page", **query.args, you=human, lesson=lesson)
    cells = cells_of(position, moves[-1] if moves else None)
    return render_template(
        "learn/write_play.html",
        query=query,
        you=human,
        position=position,
        outcome=outcome,
        is_right=is_right,
        verdict=outcome and words.outcome_sentence(outcome, human),
        reason=outcome and words.outcome_comment(outcome, human, is_right),
        has_begun=bool(human_moves),
        cells=[
            _playable_cell(cell, human, url(moves=f"{human_moves}{cell.square}"))
            if cell.square in position.legal_moves()
            else cell
            for cell in cells
        ],
        again_url=url(),
        other_side_url=url(you=OTHER[human]),
        program_url=url_for(".page", **query.args, lesson=lesson),
    )


def _playable_cell(cell: Cell, human: Mark, url: str) -> Cell:
    return cell._replace(url=url, hover=human, label_suffix=f": play {human} here")


def game_against(
    program: Program, human: Mark, human_moves: Sequence[Square]
) -> tuple[Square, ...]:
    """Return all moves of a game against a program, given the human's moves.

    Raises IllegalMoveError if a move of the human is illegal.
    """
    position, moves, human_moves_left = Position(), list[Square](), list(human_moves)
    while human_moves_left or not (position.outcome() or position.turn == human):
        # A move left once the game is over is the human's; playing it raises the error.
        is_human_move = position.turn == human or position.outcome()
        square = human_moves_left.pop(0) if is_human_move else program.choose(position)
        position = position.play(square)
        moves.append(square)
    return tuple(moves)


class LineText(NamedTuple):
    """A line of the program, or a part of one, in words and in Python."""

    words: str
    python: str


class CodeLine(NamedTuple):
    """A line of the program with its gap, if it has one."""

    start: LineText  # the line up to its gap, which is at its end; without a gap, all of it
    pieces: Sequence[tuple[int, LineText]] = ()  # in display order, each with its index in GAPS


def code_lines(gaps: Collection[int]) -> list[CodeLine]:
    """Return the nine lines, with a gap in those whose numbers are in `gaps`.

    >>> code_lines([8])[7]  # doctest: +ELLIPSIS
    CodeLine(start=LineText(words='    and keep ', python='        best = '), pieces=[...])
    """
    screen_words, right_lines = WORDS["10"], Program((0,) * len(GAPS)).lines()
    texts_by_line = zip(screen_words["lines"], right_lines, strict=True)
    lines = {n: CodeLine(LineText(*texts)) for n, texts in enumerate(texts_by_line, 1)}
    for n in gaps:
        piece_texts = zip(screen_words["pieces"][f"{n}"], GAPS[n], strict=True)
        pieces = [LineText(*texts) for texts in piece_texts]
        full_line, right_piece = lines[n].start, pieces[0]
        start = LineText(
            words=full_line.words.removesuffix(right_piece.words),
            python=full_line.python.removesuffix(right_piece.python),
        )
        lines[n] = CodeLine(start, display_order(n, pieces))
    return [*lines.values()]


def display_order(line: int, pieces: Sequence[LineText]) -> list[tuple[int, LineText]]:
    """Return the pieces of a line with their indices, rotated by the number of the line.

    The right piece has index 0; without the rotation, it would come first in each line.
    """
    indexed = [*enumerate(pieces)]
    first = line % len(pieces)
    return indexed[first:] + indexed[:first]


def board_strip(moves: Sequence[Square]) -> list[tuple[Square, Position]]:
    """Return the moves of a game, each with the board after it."""
    boards = [*accumulate(moves, Position.play, initial=Position())][1:]
    return [*zip(moves, boards, strict=True)]


class ProgramView(NamedTuple):
    """A board with the program's value of each move, and the correct one. Positive values favor X.

    Each value is a text and the side that it favors; see `value_labels`. The scores are correct
    values, with the results they stand for.
    """

    position: Position
    own_values: dict[Square, tuple[str, Mark | str]]
    true_values: dict[Square, tuple[str, Mark | str]]
    scores: tuple[tuple[str, Result], ...]  # of the best move, then of the program's


@cache
def program_view(program: Program, position: Position) -> ProgramView:
    """Return a board with a program's values and the correct ones."""
    mark, scores, own_move = position.turn, analyze(position), program.choose(position)
    to_value = int if program.pieces[0] == 0 else sign  # as line 3 values a leaf
    true_values = {move: to_value(score if mark == X else -score) for move, score in scores.items()}
    return ProgramView(
        position,
        own_values=value_labels(program.values(position)),
        true_values=value_labels(true_values),
        scores=tuple(
            (signed(true_values[move]), result(scores[move], mark))
            for move in (best_moves(position)[0], own_move)
        ),
    )


def value_labels(values: Mapping[Square, float]) -> dict[Square, tuple[str, Mark | str]]:
    """Return each value as a text without a plus before ∞, and the side it favors, or ""."""
    labels: dict[Square, tuple[str, Mark | str]] = {}
    for square, value in values.items():
        text = signed(value).replace("+∞", "∞")
        if value == 0:
            labels[square] = text, ""
        else:
            labels[square] = text, X if value > 0 else O
    return labels
