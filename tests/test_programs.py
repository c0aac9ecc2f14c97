"""The programs of the page Write, compared with a second evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from math import inf
from typing import Any

import pytest

from engine.notation import to_digits
from engine.position import Position
from engine.symmetry import representatives
from teach.programs import (
    GAPS,
    MISTAKES,
    Mistake,
    Program,
    cached_node,
    parse_program,
    programs,
    report_on,
)
from teach.searches import code_lines
from tests import textbook
from tests.positions import sample

OPENING = Program((1, 2, 1, 1, 1))
RIGHT, WITHOUT_TURNS = Program((0, 0, 0, 0, 0)), Program((1, 0, 0, 0, 0))
Pick = Callable[[Iterable[float]], float]
BOARDS = [board for board in dict.fromkeys(representatives().values()) if not board.outcome()]
SMALL = [board for board in BOARDS if board.ply >= 6]


@pytest.mark.long
def test_following_the_advice_leads_from_the_first_program_to_the_right_one() -> None:
    versions = [OPENING]
    while versions[-1] != WITHOUT_TURNS:
        versions.append(correct(versions[-1], versions[-1].mistakes()[0]))
    assert [report_on(program).loss_count for program in versions] == [
        320,
        417,
        361,
        115,
        0,
    ]


def correct(program: Program, mistake: Mistake) -> Program:
    at = [*GAPS].index(mistake.line)
    assert program.pieces[at] == mistake.piece
    return parse_program(f"{program.code[:at]}0{program.code[at + 1 :]}")


# A second evaluation, on strings. It knows the pieces only by a table. For a program that keeps the
# last value it searches only the last square; otherwise only one of each set of symmetric boards.


class SecondEvaluation:
    def __init__(self, three: int, four: int, five: int, seven: int, eight: int) -> None:
        self.three, self.four, self.five, self.eight = three, four, five, eight
        self.sign = -1 if seven else 1
        self.known: dict[tuple[str, int], float] = {}
        self.choices: dict[str, int] = {}
        self.games = [
            (side, *game)
            for side in "XO"
            for game in textbook.games_of(self.choose, side, self.choices)
        ]

    def worth(self, board: str, turns: int) -> float:
        key = board if self.eight else canonical_board(board), turns
        if key not in self.known:
            self.known[key] = (self.leaf if textbook.is_over(board) else self.inner)(*key)
        return self.sign * self.known[key]

    def leaf(self, board: str, turns: int) -> float:
        x = {"X": 1, "O": -1, None: 0}[textbook.winner(board)]
        return (x * (10 - turns), x, x)[self.three]

    def inner(self, board: str, turns: int) -> float:
        below = [self.worth(child, turns + 1) for child in textbook.children(board).values()]
        is_min = textbook.turn(board) == "O"
        pick = ((max, min)[is_min], max, (min, max)[is_min])[self.four]
        best = (-inf if pick is max else inf, 0, -inf)[self.five]
        return below[-1] if self.eight else pick(best, *below)

    def values(self, board: str) -> dict[int, float]:
        return {square: self.worth(child, 1) for square, child in textbook.children(board).items()}

    def choose(self, board: str) -> int:
        values = self.values(board)
        side = 1 if textbook.turn(board) == "X" else -1
        return min(values, key=lambda square: (-side * values[square], square))


@cache
def second_evaluation(program: Program) -> SecondEvaluation:
    """Return the second evaluation; lines 4 and 5 are irrelevant if the last value is kept."""
    three, four, five, seven, eight = program.pieces
    return (
        SecondEvaluation(three, 0, 0, seven, 1)
        if eight
        else SecondEvaluation(three, four, five, seven, 0)
    )


@cache
def canonical_board(board: str) -> str:
    return min(textbook.symmetric_boards(board))


def board_after(moves: str) -> str:
    board = textbook.EMPTY
    for square in map(int, moves):
        board = textbook.children(board)[square]
    return board


@pytest.mark.long
def test_every_program_matches_the_second_evaluation() -> None:
    """They are evaluated in order, because the last programs to search still have their values."""
    for program in sample(5, programs()):  # which combines any two pieces
        second = second_evaluation(program)
        games = second.games
        losses = [(side, moves) for side, moves, winner in games if winner not in (None, side)]
        drawn = [winner for *_, winner in games].count(None)
        report = report_on(program)
        assert report[:3] == (len(games), len(losses), drawn)
        for board in sample(4, [*second.choices]):
            assert program.values(Position.parse(board)) == second.values(board)
        if losses:
            side, moves = min(losses, key=lambda game: (len(game[1]), game[0] == "O", game[1]))
            assert report.shortest_loss
            assert (report.shortest_loss.mark, to_digits(report.shortest_loss.moves)) == (
                side,
                moves,
            )
            at = max(at for at in range(len(moves)) if loses(side, moves, at))
            assert report.shortest_loss.blunder_index == at
            board = board_after(moves[:at])
            assert report.shortest_loss.blunder_position == Position.parse(board)
            assert program.choose(report.shortest_loss.blunder_position) == int(moves[at])


def loses(side: str, moves: str, at: int) -> bool:
    scores = textbook.move_scores(board_after(moves[:at]))
    is_own_turn = textbook.turn(board_after(moves[:at])) == side
    return is_own_turn and scores[int(moves[at])] < 0 <= max(scores.values())


def test_the_right_program_never_loses_with_or_without_counting_turns() -> None:
    assert report_on(RIGHT) == (642, 0, 185, None)
    assert report_on(WITHOUT_TURNS) == (782, 0, 185, None)


# What is said about each mistake, on one of each set of symmetric boards


def programs_with_first_mistake(line: int, piece: int) -> Iterator[Program]:
    """Yield the programs whose first mistake is this one."""
    yield from (
        program for program in programs() if program.mistakes()[:1] == (Mistake(line, piece),)
    )


def searched(program: Program, position: Position, distance: int) -> float:
    """Return what the nine lines return for a board at a distance from the root."""
    return float(compiled(program)(cached_node(position, distance, False)))


@cache
def compiled(program: Program) -> Any:
    names: dict[str, Any] = {"inf": inf, "sign": textbook.sign}
    exec("\n".join(program.lines()), names)
    return names["minimax"]


def test_every_wrong_program_has_a_named_mistake() -> None:
    names = Counter(program.mistakes()[:1] for program in programs())
    assert names.pop(()) == 1
    counts = [36, 36, 18, 6, 6, 2, 2, 1]
    assert names == {(mistake,): n for mistake, n in zip(MISTAKES, counts, strict=True)}


@pytest.mark.long
def test_keeping_the_last_value_makes_lines_4_and_5_irrelevant() -> None:
    for program in programs_with_first_mistake(8, 1):
        three, _, _, seven, _ = program.pieces
        alike = Program((three, 0, 0, seven, 1))
        for position in (Position(), *SMALL):
            assert program.values(position) == alike.values(position)
        for position in SMALL:
            *_, last = position.children().values()
            turned = searched(program, last, 2) * (-1 if seven else 1)
            assert searched(program, position, 1) == turned


@pytest.mark.long
def test_a_minus_too_many_takes_a_win_for_a_loss() -> None:
    for program in programs_with_first_mistake(7, 1):
        for position in BOARDS:
            values, side = program.values(position), 1 if position.turn == "X" else -1
            for square, child in position.children().items():
                assert not wins(child) or values[square] * side < 0
        for position, distance in product(SMALL, (1, 2)):
            below = [-searched(program, c, distance + 1) for c in position.children().values()]
            assert searched(program, position, distance) in (*below, 0, inf, -inf)


def wins(position: Position) -> bool:
    return textbook.winner(str(position)) is not None


@pytest.mark.parametrize(("piece", "for_x", "for_o"), [(1, max, max), (2, min, max)])
def test_a_wrong_line_4_takes_the_highest_value_for_o(piece: int, for_x: Pick, for_o: Pick) -> None:
    for program in programs_with_first_mistake(4, piece):
        for position in SMALL:
            pick = for_x if position.turn == "X" else for_o
            start = {0: -inf if pick is max else inf, 1: 0, 2: -inf}[program.pieces[2]]
            below = [searched(program, c, 2) for c in position.children().values()]
            assert searched(program, position, 1) == pick([start, *below])


def test_a_best_that_starts_at_0_sees_only_two_moves_ahead() -> None:
    for program in programs_with_first_mistake(5, 1):
        for position in SMALL:
            value = searched(program, position, 1)
            assert value >= 0 if position.turn == "X" else value <= 0
        for position in BOARDS:
            pick = min if position.turn == "X" else max
            for square, value in program.values(position).items():
                child = position.play(square)
                ends = [reply for reply in child.children().values() if reply.outcome()]
                values = [searched(program, reply, 2) for reply in ends]
                assert value == (
                    searched(program, child, 1) if child.outcome() else pick(0, *values, 0)
                )


def test_if_min_starts_at_minus_infinity_its_boards_are_worth_that() -> None:
    for program in programs_with_first_mistake(5, 2):
        for position in SMALL:
            value = searched(program, position, 1)
            assert position.turn == "X" or value == -inf


def test_wrong_pieces_can_hide_each_other() -> None:
    """A program with one piece corrected may lose more games, as the page says."""
    assert (
        report_on(OPENING).loss_count
        < report_on(correct(OPENING, OPENING.mistakes()[0])).loss_count
    )


# All of them


def test_there_are_108_programs_sorted_by_wrong_pieces() -> None:
    wrong = [len(program.mistakes()) for program in programs()]
    assert len(set(programs())) == 108 and wrong == sorted(wrong)
    assert wrong == [sum(map(bool, program.pieces)) for program in programs()]


def test_the_right_pieces_make_the_search_of_the_lesson_and_study() -> None:
    assert RIGHT.lines() == code_lines("minimax")
    assert searched(RIGHT, Position.parse("XX-OO----"), 0) == 9


def test_a_code_names_a_program_and_anything_else_is_refused() -> None:
    assert [parse_program(program.code) for program in programs()] == list(programs())
    for code in ("", "0000", "000000", "30000", "00020", "00002", "abcde"):
        with pytest.raises(ValueError, match="five digits"):
            parse_program(code)


def test_a_finished_game_has_nothing_to_choose() -> None:
    over = Position.parse("XXXOO----")
    assert RIGHT.values(over) == {}
    with pytest.raises(ValueError, match="empty"):
        RIGHT.choose(over)
