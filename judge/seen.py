"""What the answers of a program show, without a guess at how the program works."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.position import LINES, OTHER, Mark, Position, Square
from engine.results import sound_moves
from engine.search import WIN, analyze, score
from judge.hearing import Hearing, lowers
from judge.lines import Fact

MOST = 3  # facts to report
FEW = 4  # boards; fewer do not show a pattern
TURNS = 3  # before the end; blunders only this far off suggest a depth limit

Moves = Sequence[tuple[Position, Square]]

READ_AS: dict[str, Callable[[Position, int], Square]] = {
    "read as places": lambda board, n: (*board.legal_moves(), *[-1] * 9)[n],
    "read as pairs": lambda board, n: 3 * (n % 3) + n // 3,
}


def takes_first_free(moves: Moves) -> bool:
    """Return whether each answer is the first free square of its board."""
    return all(square == board.legal_moves()[0] for board, square in moves)


def seen(hearing: Hearing) -> list[Fact]:
    """Return up to MOST facts that the answers show, the most important first."""
    return [*_facts(hearing)][:MOST]


def _facts(hearing: Hearing) -> Iterator[Fact]:
    given = [(board, one) for board, answers in hearing.answers.items() for one in answers]
    moves = [(board, one.number) for board, one in given if one.kind == "square"]
    blunders = [(board, square) for board, square in moves if lowers(board, square)]
    if hearing.afresh is not None:
        yield ("afresh", hearing.afresh) if hearing.afresh > 1 else ("afresh on one",)
        return  # which explains anything else
    numbers = {one.number for _, one in given if one.number >= 0}
    if len(numbers) == 1 and len(given) > FEW:
        yield "always", numbers.pop()
    asked = len(hearing.answers)
    if scores := len({board for board, one in given if one.came[:1] == ("score",)}):
        yield "scores", scores, asked
    if blunders or len(moves) < len(given):
        otherwise = [*_otherwise([(board, one.number) for board, one in given])]
        if otherwise:
            yield from otherwise
            return  # which explains anything else
    changed = {board: one.left for board, one in given if one.left}
    if changed:
        board = min(changed, key=lambda board: (board.ply, board))
        yield "board changed", changed[board], len(changed), asked, str(board)
    if blunders:
        yield from hearing.player.notes()
        if 2 * len(changed) > asked:
            return  # which explains anything else
        yield from _first_free(moves)
        yield from _near(moves)
        yield from _lines(moves)
        yield from _ahead(blunders)
    if hearing.random:
        yield ("random" if blunders else "random among equals",)


def _otherwise(numbers: Moves) -> Iterator[Fact]:
    """Yield each other way to read the answers in which they all keep the result."""
    if len(numbers) <= FEW or not all(0 <= n < 9 for _, n in numbers):
        return
    for how, read in READ_AS.items():
        meant = [(board, read(board, n)) for board, n in numbers]
        if all(n in board.legal_moves() and not lowers(board, n) for board, n in meant):
            yield (how,)


def _first_free(moves: Moves) -> Iterator[Fact]:
    """Yield a fact if each answer is the first free square."""
    boards = len({board for board, _ in moves})
    if takes_first_free(moves) and boards > FEW:
        yield "first free", boards


def _near(moves: Moves) -> Iterator[Fact]:
    """Yield a fact if the program completes lines but does not block, or vice versa."""
    done: dict[bool, list[bool]] = {True: [], False: []}  # by whether the line is the program's own
    for board, square in {*moves}:
        for mark in (board.turn, OTHER[board.turn]):
            ends = {next(n for n in line if not board.mark_at(n)) for line in _twos(board, mark)}
            if ends:
                done[mark == board.turn].append(square in ends)
                break
    for own, name in ((True, "never completes"), (False, "never closes")):
        missed = done[own].count(False)
        if missed >= FEW and 2 * missed >= len(done[own]) and all(done[not own]):
            yield name, missed, len(done[own])


def _lines(moves: Moves) -> Iterator[Fact]:
    """Yield a fact if one line is never completed or blocked, though others are."""
    closed: dict[tuple[int, ...], list[bool]] = {line: [] for line in LINES}
    for board, square in {*moves}:
        alone = sound_moves(analyze(board))
        twos = {line for mark in OTHER for line in _twos(board, mark) if alone[0] in line}
        if len(alone) == len(twos) == 1 < len(board.legal_moves()):
            closed[twos.pop()].append(square == alone[0])
    never = [line for line, did in closed.items() if len(did) >= FEW and not any(did)]
    if len(never) == 1 and any(map(any, closed.values())):
        yield "line not seen", len(closed[never[0]]), "-".join(map(str, never[0]))


def _twos(board: Position, mark: Mark) -> Iterator[tuple[int, ...]]:
    """Yield the lines with two of a mark and a free square."""
    for line in LINES:
        marks = [board.mark_at(n) for n in line]
        if marks.count(mark) == 2 and None in marks:
            yield line


def _ahead(blunders: Moves) -> Iterator[Fact]:
    """Yield a fact if all blunders are TURNS or more turns before the end."""
    turns = min(
        WIN - score(board) if score(board) > 0 else WIN + analyze(board)[square]
        for board, square in blunders
    )
    if turns >= TURNS and len(blunders) >= FEW:
        yield "looks ahead", turns
