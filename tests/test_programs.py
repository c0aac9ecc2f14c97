"""The search put together: every program against a second evaluation, written from the table."""

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
from engine.search import analyse
from engine.symmetry import representatives
from teach.programs import (
    MISTAKES,
    Mistake,
    Program,
    name,
    node,
    programs,
    read_program,
    report_on,
    table,
    ways_to_play,
)
from teach.searches import code as shown
from tests import positions, textbook
from tests.positions import UNFINISHED, one_in

OPENING = Program((2, 2, 1, 1, 1))
PERFECT, WITHOUT_TURNS = Program((0, 0, 0, 0, 0)), Program((1, 0, 0, 0, 0))
Picks = tuple[Callable[[Iterable[float]], float], ...]  # at one turn below the top, at two
BOARDS = [board for board in dict.fromkeys(representatives().values()) if not board.outcome()]
SMALL = [board for board in BOARDS if board.ply >= 6]


@pytest.mark.long
def test_mending_what_is_told_of_leads_from_the_opening_program_to_the_perfect() -> None:
    told = [OPENING]
    while mistakes := told[-1].mistakes():
        told.append(mended(told[-1], mistakes[0]))
    assert [report_on(program).lost for program in told] == [521, 415, 392, 361, 115, 0]
    assert told[-1] == PERFECT


def mended(program: Program, mistake: Mistake) -> Program:
    at = (3, 4, 5, 7, 8).index(mistake.line)
    assert program.pieces[at] == mistake.piece
    return read_program(f"{program.code[:at]}0{program.code[at + 1 :]}")


# A second evaluation, on strings. It knows the pieces by the table alone. Of a program that
# keeps the last value it searches the last square alone, of another one of all mirror images.


class Second:
    def __init__(self, three: int, four: int, five: int, seven: int, eight: int) -> None:
        self.three, self.four, self.five, self.eight = three, four, five, eight
        self.turned = -1 if seven else 1
        self.known: dict[tuple[str, int], float] = {}
        self.asked: dict[str, int] = {}
        self.games = [
            (side, *game)
            for side in "XO"
            for game in textbook.games_of(self.choose, side, self.asked)
        ]

    def worth(self, board: str, turns: int) -> float:
        key = board if self.eight else standing_for(board), turns
        if key not in self.known:
            self.known[key] = (self.leaf if textbook.over(board) else self.inner)(*key)
        return self.turned * self.known[key]

    def leaf(self, board: str, turns: int) -> float:
        x = {"X": 1, "O": -1, None: 0}[textbook.winner(board)]
        mine = x if (textbook.turn(board) == "X") == (turns % 2 == 0) else -x
        return (mine * (10 - turns), mine, x)[self.three]

    def inner(self, board: str, turns: int) -> float:
        below = [self.worth(child, turns + 1) for child in textbook.children(board).values()]
        lowest = turns % 2
        pick = ((max, min)[lowest], max, (min, max)[lowest])[self.four]
        best = (-inf if pick is max else inf, 0, -inf)[self.five]
        return below[-1] if self.eight else pick(best, *below)

    def values(self, board: str) -> dict[int, float]:
        return {square: self.worth(child, 1) for square, child in textbook.children(board).items()}

    def choose(self, board: str) -> int:
        values = self.values(board)
        return min(values, key=lambda square: (-values[square], square))


second_with = cache(Second)


def second_of(program: Program) -> Second:
    """Return the evaluation; lines 4 and 5 play no part where the last value is kept."""
    three, four, five, seven, eight = program.pieces
    return second_with(three, 0, 0, seven, 1) if eight else second_with(three, four, five, seven, 0)


@cache
def standing_for(board: str) -> str:
    return min(textbook.images(board))


def played(moves: str) -> str:
    board = textbook.EMPTY
    for square in map(int, moves):
        board = textbook.children(board)[square]
    return board


@pytest.mark.long
def test_every_program_plays_as_the_second_evaluation_and_as_the_table_says() -> None:
    """One after the other: a program that has just searched knows what it is asked next."""
    first: dict[tuple[int, ...], Program] = {}
    late = [board for board in UNFINISHED if board.ply >= 5]  # where all of the ways differ
    told_apart = UNFINISHED if positions.all_images else one_in(4, late)
    played_out = one_in(5, programs())  # among which any two pieces stand together
    for row, program in zip(table(), programs(), strict=True):
        way = first.setdefault(tuple(map(program.choose, told_apart)), program)
        assert (row.program, row.way) == (program, way)
        if program not in played_out:
            continue
        second = second_of(program)
        games = second.games
        lost = [(side, moves) for side, moves, winner in games if winner not in (None, side)]
        drawn = [winner for *_, winner in games].count(None)
        report = report_on(program)
        assert (report.games, report.lost, report.drawn) == (len(games), len(lost), drawn)
        assert row[1:4] == report[:3]
        for board in one_in(4, [*second.asked]):
            assert program.values(Position.parse(board)) == second.values(board)
        if lost:
            assert report.shortest and not report.gives_up
            side, moves = min(lost, key=lambda game: (len(game[1]), game[0] == "O", game[1]))
            assert (report.shortest.mark, to_digits(report.shortest.moves)) == (side, moves)
            at = max(at for at in range(len(moves)) if loses(side, moves, at))
            assert report.shortest.at == at
            board = played(moves[:at])
            assert report.shortest.slip == Position.parse(board)
            assert program.choose(report.shortest.slip) == int(moves[at])
    assert ways_to_play() == tuple(first.values())


def loses(side: str, moves: str, at: int) -> bool:
    scores = textbook.move_scores(played(moves[:at]))
    mine = textbook.turn(played(moves[:at])) == side
    return mine and scores[int(moves[at])] < 0 <= max(scores.values())


def test_two_lose_none_and_that_without_turns_wins_late_and_gives_up() -> None:
    assert [row.program for row in table() if not row.lost] == [PERFECT, WITHOUT_TURNS]
    assert report_on(PERFECT) == (642, 0, 185, None, None)
    games, _, drawn, shortest, gives_up = report_on(WITHOUT_TURNS)
    assert (games, drawn) == (782, 185)
    assert shortest and (shortest.mark, to_digits(shortest.moves)) == ("X", "0132456")
    assert shortest.slip == Position().after(shortest.moves[:4])
    scores = textbook.move_scores(str(shortest.slip))
    assert (scores[6], scores[WITHOUT_TURNS.choose(shortest.slip)]) == (9, 7)
    assert gives_up and str(gives_up) == "XO-X-----"
    scores = textbook.move_scores(str(gives_up))
    assert scores[WITHOUT_TURNS.choose(gives_up)] == -8 < max(scores.values()) == -6
    assert str(gives_up) not in second_of(WITHOUT_TURNS).asked


# What is said of each, on one board of all that are mirror images


def told(line: int, piece: int) -> Iterator[Program]:
    """Yield each program of which a mistake is the first, and with that the sentence told."""
    yield from (each for each in programs() if each.mistakes()[:1] == (Mistake(line, piece),))


def searched(program: Program, position: Position, distance: int) -> float:
    """Return what the nine lines return of a board so many turns below the top."""
    return float(compiled(program)(node(position, distance, False)))


@cache
def compiled(program: Program) -> Any:
    names: dict[str, Any] = {"inf": inf, "sign": textbook.sign}
    exec("\n".join(program.lines()), names)
    return names["minimax"]


def test_a_sentence_is_told_of_every_program_but_the_perfect() -> None:
    said = Counter(program.mistakes()[:1] for program in programs())
    assert said.pop(()) == 1
    counts = [36, 36, 18, 6, 6, 2, 2, 1]
    assert said == {(mistake,): n for mistake, n in zip(MISTAKES, counts, strict=True)}


@pytest.mark.long
def test_the_value_that_came_last_is_kept_and_lines_4_and_5_play_no_part() -> None:
    for program in told(8, 1):
        three, _, _, seven, _ = program.pieces
        alike = Program((three, 0, 0, seven, 1))
        for position in (Position(), *SMALL):
            assert program.values(position) == alike.values(position)
        for position in SMALL:
            *_, last = position.children().values()
            turned = searched(program, last, 2) * (-1 if seven else 1)
            assert searched(program, position, 1) == turned


@pytest.mark.long
def test_its_own_win_is_taken_for_a_loss_where_the_minus_turns_values_round() -> None:
    for program in told(7, 1):
        for position in BOARDS:
            values = program.values(position)
            for square, child in position.children().items():
                assert not wins(child) or values[square] < 0
        for position, distance in product(SMALL, (1, 2)):
            below = [-searched(program, c, distance + 1) for c in position.children().values()]
            assert searched(program, position, distance) in (*below, 0, inf, -inf)


def wins(position: Position) -> bool:
    return textbook.winner(str(position)) is not None


@pytest.mark.parametrize(("piece", "picks"), [(1, (max, max)), (2, (max, min))])
def test_line_4_takes_on_min_s_boards_the_highest(piece: int, picks: Picks) -> None:
    for program in told(4, piece):
        start = {0: None, 1: 0, 2: -inf}[program.pieces[2]]
        for position, (distance, pick) in product(SMALL, enumerate(picks, 1)):
            below = [searched(program, c, distance + 1) for c in position.children().values()]
            begun = below if start is None else [start, *below]
            assert searched(program, position, distance) == pick(begun)


def test_from_0_it_sees_two_turns_ahead_and_no_further() -> None:
    for program in told(5, 1):
        for position in SMALL:
            assert searched(program, position, 1) <= 0 <= searched(program, position, 2)
        for position in BOARDS:
            for square, value in program.values(position).items():
                child = position.play(square)
                ends = [reply for reply in child.children().values() if reply.outcome()]
                seen = [searched(program, reply, 2) for reply in ends]
                assert value == (
                    searched(program, child, 1) if child.outcome() else min(0, *seen, 0)
                )


def test_where_min_starts_from_minus_infinity_only_ends_are_worth_more() -> None:
    for program in told(5, 2):
        for position in BOARDS:
            for square, value in program.values(position).items():
                assert (value == -inf) == (position.play(square).outcome() is None)


def test_without_turns_a_win_later_is_as_good_as_a_win_now() -> None:
    assert [*told(3, 1)] == [WITHOUT_TURNS]
    for position in BOARDS:
        signs = {square: textbook.sign(score) for square, score in analyse(position).items()}
        assert WITHOUT_TURNS.values(position) == signs


def test_wrong_pieces_can_hide_each_other() -> None:
    lost = {row.program: row.lost for row in table()}
    for wrong in (2, 3, 4):
        assert any(
            lost[mended(program, mistake)] > lost[program]
            for program in programs()
            for mistake in program.mistakes()
            if len(program.mistakes()) == wrong
        )


# All of them


def test_there_are_108_that_play_in_42_ways_and_those_with_fewer_wrong_pieces_come_first() -> None:
    wrong = [len(program.mistakes()) for program in programs()]
    assert (len(set(programs())), len(ways_to_play())) == (108, 42) and wrong == sorted(wrong)
    assert wrong == [sum(map(bool, program.pieces)) for program in programs()]


def test_the_right_pieces_make_the_search_that_the_lesson_and_study_show() -> None:
    assert PERFECT.lines() == shown("minimax")
    assert searched(PERFECT, Position.parse("XX-OO----"), 0) == 9


def test_a_code_names_a_program_and_anything_else_is_refused() -> None:
    assert [read_program(program.code) for program in programs()] == list(programs())
    for code in ("", "0000", "000000", "30000", "00020", "00002", "abcde"):
        with pytest.raises(ValueError, match="five digits"):
            read_program(code)


def test_it_is_named_by_its_wrong_pieces() -> None:
    assert name(PERFECT) == "a perfect minimax"
    assert name(WITHOUT_TURNS) == "a minimax in which turns are not counted"
    both = "a minimax in which both sides maximise and turns are not counted"
    assert name(Program((1, 1, 0, 0, 0))) == both
    assert len(set(map(name, programs()))) == 108


def test_once_the_game_is_over_there_is_nothing_to_choose() -> None:
    over = Position.parse("XXXOO----")
    assert PERFECT.values(over) == {}
    with pytest.raises(ValueError, match="empty"):
        PERFECT.choose(over)
