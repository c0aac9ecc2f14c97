"""What is seen in the answers of a program, without any guess at how the program works."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.position import LINES, OTHER, SQUARE_NAMES, Mark, Position, Square
from engine.results import holding_moves
from engine.search import WIN, analyse, score, sign
from judge.hearing import Hearing, lowers

MOST = 3  # sentences to tell
FEW = 4  # boards that show something
TURNS = 3  # from the end, at which a slip is no oversight

Moves = Sequence[tuple[Position, Square]]

READ_AS: dict[str, Callable[[Position, int], Square]] = {
    "a place among the free squares": lambda board, n: (*board.legal_moves(), *[-1] * 9)[n],
    "(column, row)": lambda board, n: 3 * (n % 3) + n // 3,
}


def takes_first_free(moves: Moves) -> bool:
    """Say whether each answer is the first free square."""
    return all(square == board.legal_moves()[0] for board, square in moves)


def seen(hearing: Hearing) -> list[str]:
    """Return the sentences that hold, the weightiest first."""
    return [*_sentences(hearing)][:MOST]


def _sentences(hearing: Hearing) -> Iterator[str]:
    given = [(board, one) for board, answers in hearing.answers.items() for one in answers]
    moves = [(board, one.number) for board, one in given if one.kind == "square"]
    slips = [(board, square) for board, square in moves if lowers(board, square)]
    if hearing.afresh is not None:
        boards = "the board" if hearing.afresh == 1 else f"{hearing.afresh} boards"
        yield (
            f"Started afresh for each, it is right on {boards} where it went wrong: it keeps"
            " something from before."
        )
        return  # whatever else is seen comes of that
    numbers = {one.number for _, one in given if one.number >= 0}
    if len(numbers) == 1 and len(given) > FEW:
        yield f"It answers {numbers.pop()} on every board."
    asked = len(hearing.answers)
    scores = len({board for board, one in given if "a score, not a move?" in one.came})
    if scores:
        where = "every board" if scores == asked else f"{scores} of {asked} boards"
        yield (
            f"On {where} the answer looks like a score, -1, 0 or 1, not like a move: return the"
            " move that brought the score."
        )
    if slips or len(moves) < len(given):
        otherwise = [*_otherwise([(board, one.number) for board, one in given])]
        if otherwise:
            yield from otherwise
            return  # whatever else is seen comes of that
    changed = {board: one.left for board, one in given if one.left}
    if changed and (slips or len(next(iter(changed.values()))) == 9):
        board = min(changed, key=lambda board: (board.ply, board))
        left, on = changed[board], f"on {len(changed)} of {asked} boards"
        if "=" in left:
            yield (
                f"Once it has answered, {left} {on}, first on {board}, though no move was"
                " made. A search must put back whatever it changes."
            )
        else:
            yield (
                f"The board it was given comes back changed {on}: {board} as {left}. Each"
                " mark that a search sets must be taken back."
            )
    if slips:
        yield from hearing.player.notes()
        if 2 * len(changed) > asked:
            return  # whatever else is seen comes of that
        yield from _first_free(moves)
        yield from _one_for_both(moves, slips)
        yield from _near(moves)
        yield from _squares(moves, slips)
        yield from _lines(moves)
        yield from _ahead(slips)
    if hearing.random:
        alike = "and not among equals only"
        if not slips:
            alike = "among squares with the same result only, which is fine"
        yield f"Asked again it answers otherwise, {alike}."


def _otherwise(numbers: Moves) -> Iterator[str]:
    """Tell that answers would be right if they were read in another way."""
    if len(numbers) <= FEW or not all(0 <= n < 9 for _, n in numbers):
        return
    for how, read in READ_AS.items():
        meant = [(board, read(board, n)) for board, n in numbers]
        if all(n in board.legal_moves() and not lowers(board, n) for board, n in meant):
            yield f"Read as {how}, each answer keeps the result; as they stand, they do not."


def _first_free(moves: Moves) -> Iterator[str]:
    """Tell that each answer is the first free square."""
    boards = len({board for board, _ in moves})
    if takes_first_free(moves) and boards > FEW:
        yield (
            f"It takes the first free square on all {boards} boards: every move seems worth the"
            " same, or none but the first is looked at."
        )


def _one_for_both(moves: Moves, slips: Moves) -> Iterator[str]:
    """Tell of one side that gives nothing away while the opponent takes the best for that side."""
    for side, other in OTHER.items():
        if any(board.turn == side for board, _ in slips):
            continue
        worth = [(board, _results(board), square) for board, square in moves if board.turn == other]
        differ = [one for one in worth if len({*one[1].values()}) > 1]
        if len(differ) >= FEW and all(of[square] == min(of.values()) for _, of, square in differ):
            pick = "max" if side == "X" else "min"
            yield (
                f"As {side} it gives nothing away; as {other}, too, it takes a square that is best"
                f" for {side}, on each of {len({board for board, *_ in differ})} boards where"
                f" squares differ: {pick}, whoever is to move?"
            )


def _results(board: Position) -> dict[Square, int]:
    return {square: sign(value) for square, value in analyse(board).items()}


def _near(moves: Moves) -> Iterator[str]:
    """Tell that lines are completed and not closed, or closed and not completed."""
    done: dict[bool, list[bool]] = {True: [], False: []}  # by whether the line is its own
    for board, square in {*moves}:
        for mark in (board.turn, OTHER[board.turn]):
            ends = {next(n for n in line if not board.mark_at(n)) for line in _twos(board, mark)}
            if ends:
                done[mark == board.turn].append(square in ends)
                break
    for own, never, always in (
        (True, "complete a line of its own", "closes each line of the other"),
        (False, "close the other's line", "completes each line of its own"),
    ):
        missed = done[own].count(False)
        if missed >= FEW and 2 * missed >= len(done[own]) and all(done[not own]):
            yield (
                f"On {missed} of {len(done[own])} boards where it could, it did not {never}, though"
                f" it {always} where it can."
            )


def _squares(moves: Moves, slips: Moves) -> Iterator[str]:
    """Tell a square never taken, though no other kept the result."""
    taken = {square for board, square in moves if len(board.legal_moves()) > 1}
    for square in sorted({*range(9)} - taken):
        alone = {board for board, _ in slips if holding_moves(analyse(board)) == (square,)}
        if len(alone) >= FEW:
            yield (
                f"While another square is free it never takes {SQUARE_NAMES[square]} ({square}),"
                f" although that alone kept the result on {len(alone)} boards."
            )


def _lines(moves: Moves) -> Iterator[str]:
    """Tell a line never completed nor closed, where other lines are."""
    closed: dict[tuple[int, ...], list[bool]] = {line: [] for line in LINES}
    for board, square in {*moves}:
        alone = holding_moves(analyse(board))
        twos = {line for mark in OTHER for line in _twos(board, mark) if alone[0] in line}
        if len(alone) == len(twos) == 1 < len(board.legal_moves()):
            closed[twos.pop()].append(square == alone[0])
    never = [line for line, did in closed.items() if len(did) >= FEW and not any(did)]
    if len(never) == 1 and any(map(any, closed.values())):
        yield (
            f"On none of {len(closed[never[0]])} boards with two on {'-'.join(map(str, never[0]))}"
            " did it complete or close that line, although that alone kept the result."
        )


def _twos(board: Position, mark: Mark) -> Iterator[tuple[int, ...]]:
    """Yield the lines that hold two of a mark, and a free square."""
    for line in LINES:
        marks = [board.mark_at(n) for n in line]
        if marks.count(mark) == 2 and None in marks:
            yield line


def _ahead(slips: Moves) -> Iterator[str]:
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
