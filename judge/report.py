"""The layout of a report: which sentences are in it, in which order, and how boards look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter
from textwrap import fill, wrap

from engine.notation import parse_squares, signed
from engine.position import O, Position, Square, X
from engine.review import review, turning_point
from engine.search import analyze, sign
from judge import words
from judge.mistakes import advice
from judge.words import MOVE_FAULTS, TROUBLES, Report

MAX_EXAMPLES = 3  # boards shown for each kind of fault
WIDTH = 79  # characters of a line
BOARD_WIDTH = 12  # characters that a board takes from a line of the text beside it
BOARDS_PER_STRIP = 8  # boards side by side


def first_line(report: Report) -> str:
    """Return the result, and how the program was called if that was found by trying."""
    return " ".join(filter(None, (words.result_sentence(report), report["called"])))


def format_report(report: Report, site: str = "") -> str:
    """Return the whole report as text; `site` is put before the paths of links."""
    has_problems = any(report[key] for key in ("lost", "wrong", "unwritten", "given_up", *TROUBLES))
    if not has_problems:
        return "\n".join(_correct_report(report))
    return "\n\n".join([first_line(report), *_paragraphs(report, site)])


def _correct_report(report: Report) -> Iterator[str]:
    """Yield the lines of the report on a program with nothing wrong."""
    yield first_line(report)
    yield words.games_by_side(report)
    yield " ".join([words.slowness_sentence(report), *words.known_mistake_sentences(report)])
    last_line = [words.move_times(report), *_circumstances(report)]
    if report["accepts"]:  # a report on a program with a fault says so beside its functions
        last_line.append(words.accepted_action_text(report))
    yield " ".join(last_line)


def _circumstances(report: Report) -> Iterator[str]:
    """Yield what is unusual about a program, which may be no mistake."""
    yield from words.loading_problems(report["loaded"])
    if report["plays_one"]:
        yield words.one_side_sentence([*report["sides"]])
    yield from words.remarks(report)


def _paragraphs(report: Report, site: str) -> Iterator[str]:
    """Yield the paragraphs that follow the first line if something is wrong."""
    if report["shortest_loss"] and not report["unplayable"]:
        yield from _shortest_loss(report, site)
    if report["wrong"]:
        first_wrong = report["wrong"][0]
        yield _board_and_text(first_wrong["board"], words.first_wrong_board_text(first_wrong))
    if not report["unplayable"]:
        yield from map(_fill, _advice(report))
    if functions := words.functions_text(report):
        yield _fill(functions)
    if report["unwritten"]:
        return
    if not report["unplayable"]:
        yield from map(_fill, _games(report))
    yield from _examples(TROUBLES, report)
    if not (report["shortest_loss"] or report["unplayable"]):
        yield from _examples(MOVE_FAULTS, report)
    yield _fill(" ".join([*_circumstances(report), words.move_times(report)]))


def _games(report: Report) -> Iterator[str]:
    """Yield how the games end, what explains it, and how many moves could be better."""
    yield words.games_by_side(report)
    explanations = [*words.known_mistake_sentences(report)] or report["seen"]
    yield from explanations
    if report["lost"] and report["compared_with_ways"] and not explanations:
        yield words.NO_KNOWN_MISTAKE
    if improvable := words.improvable_moves(report):
        yield improvable


def _fill(text: str) -> str:
    return fill(text, WIDTH, break_on_hyphens=False)


def _board_and_text(board: str, text: str) -> str:
    """Return a board with a text beside it."""
    rows = [" ".join(board[start : start + 3]) for start in (0, 3, 6)]
    lines = zip_longest(rows, wrap(text, WIDTH - BOARD_WIDTH), fillvalue="")
    return "\n".join(f"  {row:5}   {line}".rstrip() for row, line in lines)


def _advice(report: Report) -> Iterator[str]:
    """Yield what to look for, and in which lines."""
    if report["wrong"]:
        targets = [report["wrong"][0]["look"]]
    else:
        sides = (report, *report["sides"].values())
        mistakes = dict.fromkeys(way["name"] for side in sides for way in side["plays_as"])
        targets = [f"{advice(name)}." for name in mistakes]
    yield from filter(None, (words.look_for(target, report["lines"]) for target in targets))


def _examples(headings: Mapping[str, str], report: Report) -> Iterator[str]:
    """Yield a paragraph for each kind of fault: the count, and examples with their answers."""
    for kind, heading in headings.items():
        faults = [fault for fault in report["found"] if fault["kind"] == kind]
        # A random player may answer a board in several ways; only the first is shown.
        examples = [next(answers) for _, answers in groupby(faults, itemgetter("board"))]
        lines = [
            f"  {example['board']}  {example['answer']}" for example in examples[:MAX_EXAMPLES]
        ]
        if lines:
            more = words.more_lines(len(faults) - len(lines))
            yield "\n".join([f"{heading}: {len(faults)}", *lines, *more])


def _shortest_loss(report: Report, site: str) -> Iterator[str]:
    """Yield the shortest lost game, board by board, and the losing move with all values."""
    game = report["shortest_loss"]
    moves = parse_squares(game)
    loser = (X, O)[len(moves) % 2]  # the one who did not move last
    losing_move = turning_point([move for move in review(moves) if move.mark == loser])
    assert losing_move, "a lost game has a blunder"
    yield words.shortest_loss_heading(loser)
    yield from _strips(moves, losing_move.number)
    yield _fill(words.losing_move_text(losing_move.position, losing_move.square))
    rows = _value_rows(losing_move.position, losing_move.square)
    yield "\n".join(
        ["  correct values, its move in brackets", *(f"  {row}".rstrip() for row in rows)]
    )
    yield words.board_link(game[: losing_move.number], site)


def _strips(moves: Sequence[Square], losing_number: int) -> Iterator[str]:
    """Yield a lost game as strips of boards; `losing_number` is the number of the losing move."""
    boards = [*map(str, accumulate(moves, Position.play, initial=Position()))][1:]
    headings = []
    for number in range(1, len(moves) + 1):
        mark = X if number % 2 else O
        headings.append(f"{number} {mark} ??" if number == losing_number else f"{number} {mark}")
    headings[-1] += " wins"
    for start in range(0, len(boards), BOARDS_PER_STRIP):
        strip = boards[start : start + BOARDS_PER_STRIP]
        rows = [headings[start : start + BOARDS_PER_STRIP]]
        rows += [[" ".join(board[row : row + 3]) for board in strip] for row in (0, 3, 6)]
        yield "\n".join("  " + "".join(f"{cell:9}" for cell in row).rstrip() for row in rows)


def _value_rows(position: Position, chosen: Square) -> list[str]:
    """Return three rows of marks and values (+1: X wins), the chosen move in brackets."""
    sign_for_x = 1 if position.turn == X else -1  # scores are those of the side to move
    cells = []
    values = {
        square: signed(sign_for_x * sign(score)) for square, score in analyze(position).items()
    }
    for square in range(9):
        text = position.mark_at(square) or values[square].replace("−", "-")
        cells.append(f"[{text:>2}]" if square == chosen else f" {text:>2} ")
    return ["".join(cells[start : start + 3]) for start in (0, 3, 6)]
