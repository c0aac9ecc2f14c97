"""The programs of the page Write: their values and games, and what each mistake does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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

FIRST_PROGRAM = Program((1, 2, 1, 1, 1))
RIGHT, WITHOUT_TURNS = Program((0, 0, 0, 0, 0)), Program((1, 0, 0, 0, 0))
Pick = Callable[[Iterable[float]], float]
# One of each set of symmetric unfinished boards
BOARDS = [board for board in dict.fromkeys(representatives().values()) if not board.outcome()]
SMALL = [board for board in BOARDS if board.ply >= 6]  # at most three empty squares


@pytest.mark.long
def test_following_the_advice_leads_from_the_first_program_to_the_right_one() -> None:
    versions = [FIRST_PROGRAM]
    while versions[-1] != WITHOUT_TURNS:
        versions.append(correct(versions[-1], versions[-1].mistakes()[0]))
    loss_counts = [report_on(program).loss_count for program in versions]
    assert loss_counts == [320, 417, 361, 115, 0]


def correct(program: Program, mistake: Mistake) -> Program:
    """Return a program with the right piece instead of one of its mistakes."""
    index = [*GAPS].index(mistake.line)
    assert program.pieces[index] == mistake.piece
    return parse_program(f"{program.code[:index]}0{program.code[index + 1 :]}")


# A second evaluation


class SecondEvaluation:
    """The values and the games of a program, found without running its lines.

    Each parameter is the index of a piece in a gap. A program that keeps the last value depends on
    the order of the squares; for any other, symmetric boards have the same value.
    """

    def __init__(
        self, leaf_piece: int, pick_piece: int, start_piece: int, flips_sign: int, keeps_last: int
    ) -> None:
        self.leaf_piece, self.pick_piece, self.start_piece = leaf_piece, pick_piece, start_piece
        self.sign = -1 if flips_sign else 1
        self.keeps_last = keeps_last
        self.memo: dict[tuple[str, int], float] = {}
        self.choices: dict[str, int] = {}  # the square played, by board
        self.games = [  # the side, the moves and the winner of each
            (side, *game)
            for side in "XO"
            for game in textbook.games_of(self.choose, side, self.choices)
        ]

    def value_on_line_7(self, board: str, distance: int) -> float:
        """Return what line 7 makes of a child that is `distance` plies below the root."""
        key = (board if self.keeps_last else canonical_board(board)), distance
        if key not in self.memo:
            is_leaf = textbook.is_over(board)
            self.memo[key] = self.leaf_value(*key) if is_leaf else self.inner_value(*key)
        return self.sign * self.memo[key]

    def leaf_value(self, board: str, distance: int) -> float:
        """Return what line 3 returns for a finished board."""
        winner_sign = {"X": 1, "O": -1, None: 0}[textbook.winner(board)]
        return (winner_sign * (10 - distance), winner_sign, winner_sign)[self.leaf_piece]

    def inner_value(self, board: str, distance: int) -> float:
        """Return what line 9 returns for an unfinished board."""
        children = textbook.children(board).values()
        values = [self.value_on_line_7(child, distance + 1) for child in children]
        if self.keeps_last:
            return values[-1]
        is_min = textbook.turn(board) == "O"
        pick = ((max, min)[is_min], max, (min, max)[is_min])[self.pick_piece]
        start = (-inf if pick is max else inf, 0, -inf)[self.start_piece]
        return pick(start, *values)

    def values(self, board: str) -> dict[int, float]:
        """Return the value of each move; empty once the game is over."""
        children = textbook.children(board)
        return {square: self.value_on_line_7(child, 1) for square, child in children.items()}

    def choose(self, board: str) -> int:
        """Return the square played: the first of those with the best value."""
        values = self.values(board)
        side = 1 if textbook.turn(board) == "X" else -1
        return min(values, key=lambda square: (-side * values[square], square))


@cache
def second_evaluation(program: Program) -> SecondEvaluation:
    """Return the second evaluation; lines 4 and 5 are irrelevant if the last value is kept."""
    leaf_piece, pick_piece, start_piece, flips_sign, keeps_last = program.pieces
    if keeps_last:
        pick_piece = start_piece = 0
    return SecondEvaluation(leaf_piece, pick_piece, start_piece, flips_sign, keeps_last)


@cache
def canonical_board(board: str) -> str:
    return min(textbook.symmetric_boards(board))


def board_after(moves: str) -> str:
    """Return the board after the digits of some moves."""
    board = textbook.EMPTY
    for square in map(int, moves):
        board = textbook.children(board)[square]
    return board


def sampled_programs() -> Sequence[Program]:
    """Return some programs, in which any two pieces are combined; in `make soak` all."""
    return sample(5, programs())


@pytest.mark.long
def test_the_report_on_every_program_matches_the_second_evaluation() -> None:
    for program in sampled_programs():
        games = second_evaluation(program).games
        winners = [winner for *_, winner in games]
        counts = (len(games), len(lost_games(program)), winners.count(None))
        assert report_on(program)[:3] == counts


@pytest.mark.long
def test_the_values_of_every_program_match_the_second_evaluation() -> None:
    for program in sampled_programs():
        second = second_evaluation(program)
        for board in sample(4, [*second.choices]):
            assert program.values(Position.parse(board)) == second.values(board)


@pytest.mark.long
def test_the_shortest_loss_of_every_program_matches_the_second_evaluation() -> None:
    for program in sampled_programs():
        loss, losses = report_on(program).shortest_loss, lost_games(program)
        if not losses:
            assert loss is None
            continue
        # Of equally short games, those of X come first, then those with the lowest squares.
        side, moves = min(losses, key=lambda game: (len(game[1]), game[0] == "O", game[1]))
        assert loss and (loss.mark, to_digits(loss.moves)) == (side, moves)
        blunder_index = max(i for i in range(len(moves)) if is_losing_blunder(side, moves, i))
        assert loss.blunder_index == blunder_index
        assert loss.blunder_position == Position.parse(board_after(moves[:blunder_index]))
        assert program.choose(loss.blunder_position) == int(moves[blunder_index])


def lost_games(program: Program) -> list[tuple[str, str]]:
    """Return the side and the moves of each game that a program loses."""
    games = second_evaluation(program).games
    return [(side, moves) for side, moves, winner in games if winner not in (None, side)]


def is_losing_blunder(side: str, moves: str, index: int) -> bool:
    """Return whether a move of a game is by `side` and loses, although another would not."""
    board = board_after(moves[:index])
    scores = textbook.move_scores(board)
    is_own_move = textbook.turn(board) == side
    return is_own_move and scores[int(moves[index])] < 0 <= max(scores.values())


def test_the_right_program_never_loses_with_or_without_counting_turns() -> None:
    assert report_on(RIGHT) == (642, 0, 185, None)
    assert report_on(WITHOUT_TURNS) == (782, 0, 185, None)


# What the page says about each mistake


def programs_with_first_mistake(line: int, piece: int) -> Iterator[Program]:
    """Yield the programs for which the page names this mistake."""
    for program in programs():
        if program.mistakes()[:1] == (Mistake(line, piece),):
            yield program


def value_of_node(program: Program, position: Position, distance: int) -> float:
    """Return what the nine lines return for a board at a distance from the root."""
    return float(compiled(program)(cached_node(position, distance, False)))


def child_values(program: Program, position: Position, distance: int) -> list[float]:
    """Return what the nine lines return for each child of a board at a distance from the root."""
    children = position.children().values()
    return [value_of_node(program, child, distance + 1) for child in children]


@cache
def compiled(program: Program) -> Any:
    """Return the function that the nine lines define."""
    names: dict[str, Any] = {"inf": inf, "sign": textbook.sign}
    exec("\n".join(program.lines()), names)
    return names["minimax"]


def test_every_wrong_program_has_a_named_mistake() -> None:
    counts = Counter(program.mistakes()[:1] for program in programs())
    assert counts.pop(()) == 1  # the right program
    first_mistakes = [(mistake,) for mistake in MISTAKES]
    expected_counts = [36, 36, 18, 6, 6, 2, 2, 1]
    assert counts == dict(zip(first_mistakes, expected_counts, strict=True))


@pytest.mark.long
def test_keeping_the_last_value_makes_lines_4_and_5_irrelevant() -> None:
    for program in programs_with_first_mistake(8, 1):
        leaf_piece, _, _, flips_sign, _ = program.pieces
        with_right_lines = Program((leaf_piece, 0, 0, flips_sign, 1))
        for position in (Position(), *SMALL):
            assert program.values(position) == with_right_lines.values(position)


@pytest.mark.long
def test_a_program_that_keeps_the_last_value_returns_that_of_the_last_child() -> None:
    for program in programs_with_first_mistake(8, 1):
        flips_sign = program.pieces[3]
        for position in SMALL:
            last_value = child_values(program, position, 1)[-1]
            expected = -last_value if flips_sign else last_value
            assert value_of_node(program, position, 1) == expected


@pytest.mark.long
def test_a_minus_too_many_takes_a_win_for_a_loss() -> None:
    for program in programs_with_first_mistake(7, 1):
        for position in BOARDS:
            values, side = program.values(position), 1 if position.turn == "X" else -1
            for square, child in position.children().items():
                assert not is_won(child) or values[square] * side < 0


@pytest.mark.long
def test_a_minus_too_many_flips_the_value_of_a_child_at_every_level() -> None:
    for program in programs_with_first_mistake(7, 1):
        for position, distance in product(SMALL, (1, 2)):
            flipped = [-value for value in child_values(program, position, distance)]
            # With a wrong line 5, the value at the start may be the best.
            assert value_of_node(program, position, distance) in (*flipped, 0, inf, -inf)


def is_won(position: Position) -> bool:
    return textbook.winner(str(position)) is not None


@pytest.mark.parametrize(("piece", "pick_for_x"), [(1, max), (2, min)])
def test_a_wrong_line_4_takes_the_highest_value_for_o(piece: int, pick_for_x: Pick) -> None:
    for program in programs_with_first_mistake(4, piece):
        for position in SMALL:
            pick: Pick = pick_for_x if position.turn == "X" else max
            start = (-inf if pick is max else inf, 0, -inf)[program.pieces[2]]
            values = child_values(program, position, 1)
            assert value_of_node(program, position, 1) == pick([start, *values])


def test_with_a_best_that_starts_at_0_no_board_seems_lost_to_its_mover() -> None:
    for program in programs_with_first_mistake(5, 1):
        for position in SMALL:
            value = value_of_node(program, position, 1)
            assert value >= 0 if position.turn == "X" else value <= 0


def test_with_a_best_that_starts_at_0_only_the_next_two_moves_count() -> None:
    for program in programs_with_first_mistake(5, 1):
        for position in BOARDS:
            pick = min if position.turn == "X" else max
            for square, value in program.values(position).items():
                child = position.play(square)
                if child.outcome():
                    assert value == value_of_node(program, child, 1)
                    continue
                replies = [reply for reply in child.children().values() if reply.outcome()]
                final_values = [value_of_node(program, reply, 2) for reply in replies]
                assert value == pick([0, *final_values])


def test_if_min_starts_at_minus_infinity_its_boards_are_worth_that() -> None:
    for program in programs_with_first_mistake(5, 2):
        for position in SMALL:
            if position.turn == "O":
                assert value_of_node(program, position, 1) == -inf


def test_wrong_pieces_can_hide_each_other() -> None:
    """A program with one piece corrected may lose more games, as the page says."""
    corrected = correct(FIRST_PROGRAM, FIRST_PROGRAM.mistakes()[0])
    assert report_on(FIRST_PROGRAM).loss_count < report_on(corrected).loss_count


# All programs


def test_there_are_108_programs_sorted_by_wrong_pieces() -> None:
    mistake_counts = [len(program.mistakes()) for program in programs()]
    assert len(set(programs())) == 108 and mistake_counts == sorted(mistake_counts)
    assert mistake_counts == [sum(map(bool, program.pieces)) for program in programs()]


def test_the_right_pieces_make_the_search_of_the_lesson_and_study() -> None:
    assert RIGHT.lines() == code_lines("minimax")
    assert value_of_node(RIGHT, Position.parse("XX-OO----"), 0) == 9


def test_a_code_names_a_program_and_anything_else_is_refused() -> None:
    assert [parse_program(program.code) for program in programs()] == list(programs())
    for code in ("", "0000", "000000", "30000", "00020", "00002", "abcde"):
        with pytest.raises(ValueError, match="five digits"):
            parse_program(code)


def test_a_finished_game_has_nothing_to_choose() -> None:
    finished = Position.parse("XXXOO----")
    assert RIGHT.values(finished) == {}
    with pytest.raises(ValueError, match="empty"):
        RIGHT.choose(finished)
