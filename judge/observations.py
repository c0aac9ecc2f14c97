"""What the answers of a program show, without a guess at how the program works."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.position import LINES, OTHER, Line, Mark, Position, Square
from engine.results import sound_moves
from engine.search import WIN, analyze, score
from judge.hearing import Hearing, is_blunder
from judge.lines import Fact

MAX_FACTS = 3  # facts to report
MIN_BOARDS = 4  # that show a pattern of misses; a pattern of all answers takes one more
MIN_TURNS = 3  # before the end; if all blunders are this early, they suggest a depth limit

Moves = Sequence[tuple[Position, Square]]

# Other ways to read a number from 0 to 8 as a square, by the fact that says so. A number that is
# not an index is read as -1.
READINGS: dict[str, Callable[[Position, int], Square]] = {
    "read as indices": lambda board, number: (*board.legal_moves(), *[-1] * 9)[number],
    "read as pairs": lambda board, number: 3 * (number % 3) + number // 3,
}


def takes_first_free(moves: Moves) -> bool:
    """Return whether each answer is the first free square of its board."""
    return all(square == board.legal_moves()[0] for board, square in moves)


def observations(hearing: Hearing) -> list[Fact]:
    """Return up to MAX_FACTS facts that the answers show, the most important first."""
    return [*_facts(hearing)][:MAX_FACTS]


def _facts(hearing: Hearing) -> Iterator[Fact]:
    """Yield what the answers show, the most important first, until a fact explains the rest."""
    if hearing.carry_over_count is not None:
        count = hearing.carry_over_count
        yield ("carries over", count) if count > 1 else ("carries over on one",)
        return
    pairs = [(board, answer) for board, answers in hearing.answers.items() for answer in answers]
    moves = [(board, answer.number) for board, answer in pairs if answer.kind == "square"]
    blunders = [(board, square) for board, square in moves if is_blunder(board, square)]
    yield from _number_facts(hearing)
    if blunders or len(moves) < len(pairs):
        readings = [*_other_readings([(board, answer.number) for board, answer in pairs])]
        if readings:
            yield from readings
            return
    changed = {board: answer.changed_board for board, answer in pairs if answer.changed_board}
    if changed:
        board = min(changed, key=lambda board: (board.ply, board))
        yield "board changed", changed[board], len(changed), len(hearing.answers), str(board)
    if blunders:
        yield from hearing.player.source_faults()
        if 2 * len(changed) > len(hearing.answers):
            return
        yield from _first_free(moves)
        yield from _completes_or_blocks(moves)
        yield from _unseen_line(moves)
        yield from _search_depth(blunders)
    if hearing.answers_vary:
        yield ("random" if blunders else "random among equals",)


def _number_facts(hearing: Hearing) -> Iterator[Fact]:
    """Yield a fact if every answer is the same number, and one if answers look like scores."""
    pairs = [(board, answer) for board, answers in hearing.answers.items() for answer in answers]
    numbers = {answer.number for _, answer in pairs if answer.number >= 0}
    if len(numbers) == 1 and len(pairs) > MIN_BOARDS:
        yield "always", numbers.pop()
    if score_count := len({board for board, answer in pairs if answer.problem[:1] == ("score",)}):
        yield "scores", score_count, len(hearing.answers)


def _other_readings(numbers: Moves) -> Iterator[Fact]:
    """Yield each other way to read the answers in which they all keep the result."""
    if len(numbers) <= MIN_BOARDS or not all(0 <= n < 9 for _, n in numbers):
        return
    for name, read_square in READINGS.items():
        moves = [(board, read_square(board, n)) for board, n in numbers]
        if all(n in board.legal_moves() and not is_blunder(board, n) for board, n in moves):
            yield (name,)


def _first_free(moves: Moves) -> Iterator[Fact]:
    """Yield a fact if each answer is the first free square."""
    board_count = len({board for board, _ in moves})
    if takes_first_free(moves) and board_count > MIN_BOARDS:
        yield "first free", board_count


def _completes_or_blocks(moves: Moves) -> Iterator[Fact]:
    """Yield a fact if the program often fails to complete a line but always blocks, or vice versa.

    Where a program can complete a line of its own, blocking does not matter.
    """
    completions: list[bool] = []  # for each board where it can complete a line, whether it did
    blocks: list[bool] = []  # for each other board where it can block a line, whether it did
    for board, square in {*moves}:
        for mark, choices in ((board.turn, completions), (OTHER[board.turn], blocks)):
            lines = _lines_of_two(board, mark)
            if thirds := {next(n for n in line if not board.mark_at(n)) for line in lines}:
                choices.append(square in thirds)
                break
    for name, choices, other_choices in (
        ("never completes", completions, blocks), ("never blocks", blocks, completions),
    ):  # fmt: skip
        missed_count = choices.count(False)
        is_frequent = missed_count >= MIN_BOARDS and 2 * missed_count >= len(choices)
        if is_frequent and all(other_choices):
            yield name, missed_count, len(choices)


def _unseen_line(moves: Moves) -> Iterator[Fact]:
    """Yield a fact if one line is never completed or blocked, though others are.

    It looks at boards where the only sound move is on exactly one line with two equal marks.
    """
    # For each such board, by line: whether the program made the move.
    choices_by_line: dict[Line, list[bool]] = {line: [] for line in LINES}
    for board, square in {*moves}:
        sound = sound_moves(analyze(board))
        lines = {line for mark in OTHER for line in _lines_of_two(board, mark) if sound[0] in line}
        if len(sound) == len(lines) == 1 < len(board.legal_moves()):
            choices_by_line[lines.pop()].append(square == sound[0])
    never_taken = [
        line
        for line, choices in choices_by_line.items()
        if len(choices) >= MIN_BOARDS and not any(choices)
    ]
    if len(never_taken) == 1 and any(map(any, choices_by_line.values())):
        [line] = never_taken
        yield "line not seen", len(choices_by_line[line]), "-".join(map(str, line))


def _lines_of_two(board: Position, mark: Mark) -> Iterator[Line]:
    """Yield the lines with two of a mark and a free square."""
    for line in LINES:
        marks = [board.mark_at(n) for n in line]
        if marks.count(mark) == 2 and None in marks:
            yield line


def _search_depth(blunders: Moves) -> Iterator[Fact]:
    """Yield a fact if all blunders are MIN_TURNS or more turns before the end."""
    turns = min(
        WIN - score(board) if score(board) > 0 else WIN + analyze(board)[square]
        for board, square in blunders
    )
    if turns >= MIN_TURNS and len(blunders) >= MIN_BOARDS:
        yield "looks ahead", turns
