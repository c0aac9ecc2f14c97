"""What is seen in the answers of a program, without any guess at how the program works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.position import LINES, OTHER, SQUARE_NAMES, Position, Square
from engine.results import holding_moves
from engine.search import WIN, analyse, score, sign

if TYPE_CHECKING:
    from teach.check.judge import Exam

MOST = 3  # sentences to tell
FEW = 4  # boards that show something
TURNS = 3  # from the end, at which a slip is no oversight


def lowers(position: Position, square: Square) -> bool:
    """Say whether a move turns a win into less, or a draw into a loss."""
    return sign(analyse(position)[square]) < sign(score(position))


def seen(exam: Exam) -> list[str]:
    """Return the sentences that hold, those that weigh most."""
    return [*_sentences(exam)][:MOST]


def _sentences(exam: Exam) -> Iterator[str]:
    given = [(board, one) for board, answers in exam.answers.items() for one in answers]
    moves = [(board, one.number) for board, one in given if one.kind == "square"]
    slips = [(board, square) for board, square in moves if lowers(board, square)]
    if exam.afresh is not None:
        boards = "the board" if exam.afresh == 1 else f"{exam.afresh} boards"
        yield (
            f"Started afresh for each, it is right on {boards} where it went wrong: it keeps"
            " something from before."
        )
        return  # whatever else is seen comes of that
    numbers = {one.number for _, one in given if one.number >= 0}
    if len(numbers) == 1 and len(given) > FEW:
        yield f"It answers {numbers.pop()} on every board."
    asked = len({board for board, _ in given})
    scores = len({board for board, one in given if "a score, not a move?" in one.came})
    if scores:
        where = "every board" if scores == asked else f"{scores} of {asked} boards"
        yield (
            f"On {where} the answer looks like a score, -1, 0 or 1, not like a move: return the"
            " move that brought the score."
        )
    changed = {board: one.left for board, one in given if one.left}
    if changed:
        board = min(changed, key=lambda board: (board.ply, board))
        yield (
            f"The board it was given comes back changed on {len(changed)} of {asked} boards:"
            f" {board} as {changed[board]}. Each mark that a search sets must be taken back."
        )
    if exam.random:
        alike = all(not lowers(board, square) for board, square in moves)
        which = (
            "among squares with the same result only, which is fine"
            if alike
            else ("and not among equals only")
        )
        yield f"Asked again it answers otherwise, {which}."
    if slips:
        yield from _one_for_both(moves, slips)
        yield from _squares(moves, slips)
        yield from _lines(moves, slips)
        yield from _ahead(slips)


def _one_for_both(
    moves: list[tuple[Position, Square]], slips: list[tuple[Position, Square]]
) -> Iterator[str]:
    """Tell that one side gives nothing away, and the other takes the best for that side."""
    for side, other in OTHER.items():
        if any(board.turn == side for board, _ in slips):
            continue
        theirs = [(b, square) for b, square in moves if b.turn == other]
        differ = [(b, square) for b, square in theirs if len(_results(b)) > 1]
        if len(differ) >= FEW and all(
            sign(analyse(b)[square]) == min(_results(b)) for b, square in differ
        ):
            boards = len({b for b, _ in differ})
            most = "highest" if side == "X" else "lowest"
            yield (
                f"As {side} it gives nothing away; as {other}, too, it takes a square that is best"
                f" for {side}, on each of {boards} boards where squares differ: the {most}, whoever"
                " is to move?"
            )


def _results(board: Position) -> set[int]:
    return {sign(value) for value in analyse(board).values()}


def _squares(
    moves: list[tuple[Position, Square]], slips: list[tuple[Position, Square]]
) -> Iterator[str]:
    """Tell a square that is never taken, though it alone kept the result."""
    taken = {square for board, square in moves if len(board.legal_moves()) > 1}
    for square in range(9):
        alone = {board for board, _ in slips if holding_moves(analyse(board)) == (square,)}
        if square not in taken and len(alone) >= FEW:
            yield (
                f"While another square is free it never takes {SQUARE_NAMES[square]} ({square}),"
                f" although that alone kept the result on {len(alone)} boards."
            )


def _lines(
    moves: list[tuple[Position, Square]], slips: list[tuple[Position, Square]]
) -> Iterator[str]:
    """Tell a line that is never completed nor closed, where others are."""
    closed: dict[tuple[int, ...], list[bool]] = {line: [] for line in LINES}
    for board, square in {*moves}:
        alone = holding_moves(analyse(board))
        if len(alone) != 1 or len(board.legal_moves()) == 1:
            continue
        for line in LINES:
            marks = [board.mark_at(n) for n in line]
            two = any(marks.count(mark) == 2 for mark in (board.turn, OTHER[board.turn]))
            others = [one for one in LINES if one != line and alone[0] in one and _two(board, one)]
            if two and alone[0] in line and not others:
                closed[line].append(square == alone[0])
    never = [line for line, did in closed.items() if len(did) >= FEW and not any(did)]
    if len(never) == 1 and any(any(did) for did in closed.values()):
        boards = len(closed[never[0]])
        yield (
            f"On none of {boards} boards with two on {'-'.join(map(str, never[0]))} did it complete"
            " or close that line, although that alone kept the result."
        )


def _two(board: Position, line: tuple[int, ...]) -> bool:
    marks = [board.mark_at(n) for n in line]
    return any(marks.count(mark) == 2 for mark in OTHER)


def _ahead(slips: list[tuple[Position, Square]]) -> Iterator[str]:
    """Tell from how far off no result is ever lost."""
    turns = min(
        WIN - score(board) if score(board) > 0 else WIN + analyse(board)[square]
        for board, square in slips
    )
    if turns >= TURNS and len(slips) >= FEW:
        yield (
            f"Where it loses a result, the end is {turns} turns away or more: nothing nearer is"
            " ever missed. How far does it look?"
        )
