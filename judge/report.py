"""The layout of a report: which sentences are in it, in which order, and how boards look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter
from textwrap import fill, wrap

from engine.notation import parse_squares, signed
from engine.position import O, Position, Square, X
from engine.review import review, turning_point
from engine.search import analyze, sign
from judge import words
from judge.mistakes import advice
from judge.words import FAULTS, TROUBLES, Report

MAX_SHOWN = 3  # boards shown of each kind
WIDTH = 79
BOARDS_PER_STRIP = 8  # boards side by side


def first_line(report: Report) -> str:
    """Return the result, and how the program was called if that was found by trying."""
    return " ".join(filter(None, (words.result(report), report["called"])))


def format_report(report: Report, site: str = "") -> str:
    """Return the whole report as text; `site` is put before the paths of links."""
    if not any(report[key] for key in ("lost", "wrong", "unwritten", "given_up", *TROUBLES)):
        return "\n".join(_correct_report(report))
    return "\n\n".join([first_line(report), *_paragraphs(report, site)])


def _correct_report(report: Report) -> Iterator[str]:
    """Yield the lines of the report on a program with nothing wrong."""
    yield first_line(report)
    yield words.games_by_side(report)
    yield " ".join([words.slowness(report), *words.mistake_sentences(report)])
    yield " ".join([words.move_times(report), *_circumstances(report)])


def _circumstances(report: Report) -> Iterator[str]:
    """Yield what is unusual, though it may be right."""
    yield from words.loading_problems(report["loaded"])
    if report["plays_one"]:
        yield words.one_side_sentence([*report["sides"]])
    if report["accepts"]:
        yield words.functions_text({**report, "right": [], "wrong": []})
    yield from words.remarks(report)


def _paragraphs(report: Report, site: str) -> Iterator[str]:
    if report["shortest_loss"] and not report["unplayable"]:
        yield from _shortest_loss(report, site)
    for wrong in report["wrong"][:1]:
        yield _beside(wrong["board"], words.first_wrong_board_text(wrong))
    if not report["unplayable"]:
        yield from map(_fill, _advice(report))
    if functions := words.functions_text(report):
        yield _fill(functions)
    if report["unwritten"]:
        return
    if not report["unplayable"]:
        yield _fill(words.games_by_side(report))
        explanations = [*words.mistake_sentences(report)] or report["seen"]
        yield from map(_fill, explanations)
        if report["lost"] and report["compared_with_ways"] and not explanations:
            yield _fill(words.NO_KNOWN_MISTAKE)
        if improvable := words.improvable_moves(report):
            yield _fill(improvable)
    yield from _examples(TROUBLES, report)
    if not (report["shortest_loss"] or report["unplayable"]):
        yield from _examples(FAULTS, report)
    yield _fill(" ".join([*_circumstances(report), words.move_times(report)]))


def _fill(text: str) -> str:
    return fill(text, WIDTH, break_on_hyphens=False)


def _beside(board: str, text: str) -> str:
    """Return a board with a text beside it."""
    rows = [" ".join(board[start : start + 3]) for start in (0, 3, 6)]
    lines = zip_longest(rows, wrap(text, WIDTH - 12), fillvalue="")
    return "\n".join(f"  {row:5}   {line}".rstrip() for row, line in lines)


def _advice(report: Report) -> Iterator[str]:
    """Yield what to look for, and in which lines."""
    sides = (report, *report["sides"].values())
    mistakes = dict.fromkeys(way["name"] for side in sides for way in side["plays_as"])
    targets = [function["look"] for function in report["wrong"][:1]] or [
        f"{advice(name)}." for name in mistakes
    ]
    yield from filter(None, (words.look_for(target, report["lines"]) for target in targets))


def _examples(headings: Mapping[str, str], report: Report) -> Iterator[str]:
    """Yield a paragraph for each kind: the count, and the first boards with their answers."""
    for kind, heading in headings.items():
        faults = [fault for fault in report["found"] if fault["kind"] == kind]
        # A random player may answer a board in several ways; only the first is shown.
        examples = [next(answers) for _, answers in groupby(faults, itemgetter("board"))]
        lines = [f"  {example['board']}  {example['answer']}" for example in examples[:MAX_SHOWN]]
        if lines:
            more = words.more_lines(len(faults) - len(lines))
            yield "\n".join([f"{heading}: {len(faults)}", *lines, *more])


def _shortest_loss(report: Report, site: str) -> Iterator[str]:
    """Yield the shortest lost game, board by board, and the losing move with all values."""
    game = report["shortest_loss"]
    moves = parse_squares(game)
    loser = (X, O)[len(game) % 2]  # the one who did not move last
    turning_move = turning_point([move for move in review(moves) if move.mark == loser])
    assert turning_move, "a lost game has a blunder"
    boards = [*map(str, accumulate(moves, Position.play, initial=Position()))][1:]
    heads = [
        f"{n} {X if n % 2 else O}{' ??' * (n == turning_move.number)}"
        for n in range(1, len(game) + 1)
    ]
    heads[-1] += " wins"
    yield words.shortest_loss_heading(loser)
    for start in range(0, len(boards), BOARDS_PER_STRIP):
        strip = boards[start : start + BOARDS_PER_STRIP]
        rows = [heads[start : start + BOARDS_PER_STRIP]]
        rows += [[" ".join(board[row : row + 3]) for board in strip] for row in (0, 3, 6)]
        yield "\n".join("  " + "".join(f"{cell:9}" for cell in row).rstrip() for row in rows)
    yield _fill(words.mistake_sentence(turning_move.position, turning_move.square))
    values = _values(turning_move.position, turning_move.square)
    yield "\n".join(
        ["  correct values, its move in brackets", *(f"  {row}".rstrip() for row in values)]
    )
    yield words.board_link(game[: turning_move.number], site)


def _values(position: Position, chosen: Square) -> list[str]:
    """Return three rows of marks and values (+1: X wins), the chosen move in brackets."""
    side, cells = 1 if position.turn == X else -1, []
    values = {n: signed(side * sign(value)) for n, value in analyze(position).items()}
    for n in range(9):
        text = position.mark_at(n) or values[n].replace("−", "-")
        cells.append(f"[{text:>2}]" if n == chosen else f" {text:>2} ")
    return ["".join(cells[start : start + 3]) for start in (0, 3, 6)]
