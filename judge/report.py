"""The report on a program: which of the words stand in it, in which order, and how boards look."""

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
from judge.mistakes import look
from judge.words import FAULTS, STOPS, TROUBLES, Report

MOST = 3  # boards of each kind
WIDTH = 79
STRIP = 8  # boards side by side


def in_one_line(name: str, report: Report) -> str:
    """Return the games lost and the first thing wrong, in a line."""
    if report["counts_from_1"]:
        return f"{name}: {first_thing(report)}"
    return f"{words.games(name, report)}; {first_thing(report)}"


def first_thing(report: Report) -> str:
    """Return the first thing wrong, in a few words; if nothing is, say so."""
    for wrong in report["wrong"]:
        return words.wrong_function(wrong)
    mistakes = [*words.mistakes(report)]
    things = [*words.remarks(report), *mistakes, *report["seen"]]
    troubles = [f"{kind}: {report[kind]}" for kind in TROUBLES if report[kind]]
    if troubles and (report["given_up"] or not things):
        first = next(each for each in report["found"] if each["kind"] in STOPS)
        things = [f"{troubles[0]} ({first['board']}: {first['came']})"]
    if not report["lost"] and not troubles:
        things = [*words.accepts(report), *mistakes, *words.started(report), words.slower(report)]
    if not things and report["compared_with_ways"]:
        return words.NO_SINGLE
    return things[0] if things else words.given_away(report)


def in_words(name: str, report: Report) -> str:
    """Return the whole report."""
    return "\n\n".join(_paragraphs(name, report))


def _paragraphs(name: str, report: Report) -> Iterator[str]:
    how = " ".join([report["called"] or words.BY_LINES_ASKED, *words.how_loaded(report["loaded"])])
    yield _fill(f"{name}: {how}")
    if functions := words.functions(report):
        yield _fill(functions)
    for wrong in report["wrong"][:1]:
        yield _beside(wrong["board"], words.first_wrong(wrong))
    if not report["counts_from_1"]:
        yield _fill(f"{words.games('It', report)}.{words.sides(report)}")
    if not report["lost"] and not any(report[key] for key in TROUBLES):
        yield _fill(words.slower(report))
    elif any(report[key] for key in FAULTS) and not report["counts_from_1"]:
        yield _fill(words.given_away(report))
    yield from _found(TROUBLES, report)
    mistakes = [*words.mistakes(report)]
    for remark in words.remarks(report):
        yield _fill(words.upper(remark))
    yield from map(_fill, mistakes or report["seen"])
    faults = report["lost"] and not report["counts_from_1"]
    nothing = not (report["wrong"] or mistakes or report["seen"])
    if faults and nothing and report["compared_with_ways"]:
        yield words.GO_BY
    if not report["counts_from_1"]:  # else no square below is the one meant
        if report["shortest_loss"]:
            yield from _shortest(report)
        elif any(report[kind] for kind in FAULTS):
            yield from _found(FAULTS, report)
    yield from map(_fill, _look(report))
    yield _fill(words.how_often(report))
    if not any(report[key] for key in ("lost", "wrong", *TROUBLES, *FAULTS)):
        yield _fill(words.next_step())


def _fill(text: str) -> str:
    return fill(text, WIDTH, break_on_hyphens=False)


def _beside(board: str, text: str) -> str:
    """Return a board, and a text beside."""
    rows = [" ".join(board[start : start + 3]) for start in (0, 3, 6)]
    lines = zip_longest(rows, wrap(text, WIDTH - 12), fillvalue="")
    return "\n".join(f"  {row:5}   {line}".rstrip() for row, line in lines)


def _look(report: Report) -> Iterator[str]:
    """Yield what to look for, and the lines where to look."""
    named = (way for of in (report, *report["sides"].values()) for way in of["plays_as"])
    mistakes = dict.fromkeys(mistake for way in named for mistake in way["name"])
    looks = [one["look"] for one in report["wrong"][:1]] or [f"{look(one)}." for one in mistakes]
    yield from filter(None, (words.look_for(one, report["lines"]) for one in looks))


def _found(kinds: Mapping[str, str], report: Report) -> Iterator[str]:
    """Yield for each kind the number and the first boards, each with the answer."""
    for kind, name in kinds.items():
        of_kind = [each for each in report["found"] if each["kind"] == kind]
        # A random player's answers to a board stand together; the first is shown.
        firsts = [next(answers) for _, answers in groupby(of_kind, itemgetter("board"))]
        came = [f"  {first['board']}  {first['came']}" for first in firsts[:MOST]]
        if came:
            more = words.more(len(of_kind) - len(came))
            yield "\n".join([f"{name}: {len(of_kind)}", *came, *more])


def _shortest(report: Report) -> Iterator[str]:
    """Yield a lost game board after board, and the losing move, with the values."""
    game = report["shortest_loss"]
    moves = parse_squares(game)
    loser = (X, O)[len(game) % 2]  # has not moved last
    turn = turning_point([one for one in review(moves) if one.mark == loser])
    assert turn, "a lost game turned"
    boards = [*map(str, accumulate(moves, Position.play, initial=Position()))][1:]
    heads = [
        f"{n} {X if n % 2 else O}{' ??' * (n == turn.number)}" for n in range(1, len(game) + 1)
    ]
    heads[-1] += " wins"
    yield _fill(words.shortest(game, loser))
    for start in range(0, len(boards), STRIP):
        part = boards[start : start + STRIP]
        rows = [heads[start : start + STRIP]]
        rows += [[" ".join(board[row : row + 3]) for board in part] for row in (0, 3, 6)]
        yield "\n".join("  " + "".join(f"{cell:9}" for cell in row).rstrip() for row in rows)
    yield _fill(words.turned(turn.position, turn.square))
    values = _values(turn.position, turn.square)
    yield "\n".join(["  the truth", *(f"  {row}".rstrip() for row in values)])


def _values(position: Position, chosen: Square) -> list[str]:
    """Return three rows of marks and values, +1 a win for X, the chosen move in brackets."""
    side, cells = 1 if position.turn == X else -1, []
    values = {n: signed(side * sign(value)) for n, value in analyze(position).items()}
    for n in range(9):
        text = position.mark_at(n) or values[n].replace("−", "-")
        cells.append(f"[{text:>2}]" if n == chosen else f" {text:>2} ")
    return ["".join(cells[start : start + 3]) for start in (0, 3, 6)]
