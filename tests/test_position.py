"""The rules, compared with the textbook in every position, and the parsing of boards and moves."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest

from engine.notation import parse_moves, parse_squares, parse_swapped
from engine.position import OTHER, SQUARE_NAMES, IllegalMoveError, O, Position, X
from tests import textbook
from tests.positions import ALL_POSITIONS


def test_there_are_255168_games_with_the_known_ends_and_lengths() -> None:
    ends, perft = Counter[str | None](), list[int]()
    game_counts = Counter({Position(): 1})  # how many games reach each position of this ply
    while game_counts:
        perft.append(game_counts.total())
        next_counts = Counter[Position]()
        for position, number in game_counts.items():
            if outcome := position.outcome():
                ends[outcome.winner] += number
            for square in position.legal_moves():
                next_counts[position.play(square)] += number
        game_counts = next_counts
    assert ends == {X: 131_184, O: 77_904, None: 46_080}
    assert perft == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(perft) == 549_946


def test_there_are_5478_positions_and_958_of_them_are_over() -> None:
    ends = Counter(outcome.winner for position in ALL_POSITIONS if (outcome := position.outcome()))
    assert len(ALL_POSITIONS) == len(set(ALL_POSITIONS)) == 5478
    assert ends == {X: 626, O: 316, None: 16}


def test_every_position_matches_the_textbook() -> None:
    assert {str(position) for position in ALL_POSITIONS} == textbook.all_boards()
    for position in ALL_POSITIONS:
        board = str(position)
        winner = textbook.winner(board)
        won = (line for line in textbook.LINES if {board[int(n)] for n in line} == {winner})
        lines = tuple(tuple(map(int, line)) for line in won)
        assert position.outcome() == ((winner, lines) if textbook.is_over(board) else None)
        assert position.turn == textbook.turn(board) or position.ply == 9
        assert OTHER[position.turn] == ("O" if position.turn == "X" else "X")
        assert position.ply == 9 - board.count("-")
        children = {square: str(position.play(square)) for square in position.legal_moves()}
        assert children == textbook.children(board)


def test_parse_accepts_reachable_boards_and_refuses_the_other_14205() -> None:
    parsed = dict[str, str]()
    for marks in map("".join, product("XO-", repeat=9)):
        with suppress(ValueError):
            parsed[marks] = str(Position.parse(marks))
    assert parsed == {board: board for board in textbook.all_boards()}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nine characters"),
        ("X---O---", "nine characters"),
        ("X---O-----", "nine characters"),
        ("x--------", "nine characters"),
        ("X---0----", "nine characters"),
        ("XX-------", "^X goes first and the sides take turns, .* 2 X’s and 0 O’s$"),
        ("O--------", "0 X’s and 1 O’s"),
        ("XXXOOO---", "both sides have three in a row"),
        ("XXXOO-O--", "X already had three in a row"),
        ("OOOXX-X-X", "O already had three in a row"),
    ],
)
def test_parse_explains_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Position.parse(text)


def test_a_move_off_the_board_is_refused() -> None:
    for square in (-1, 9, 99):
        with pytest.raises(IllegalMoveError, match=f"there is no square {square}: .* 0 to 8"):
            Position().play(square)


def test_a_move_to_a_taken_square_is_refused_by_name() -> None:
    for square, name in enumerate(SQUARE_NAMES):
        with pytest.raises(IllegalMoveError, match=f"^{name} is taken$"):
            Position().play(square).play(square)


def test_a_move_after_the_end_of_the_game_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="bottom left cannot be played: the game is over"):
        Position.parse("XXXOO----").play(6)


def test_digits_are_parsed_as_squares_in_any_order() -> None:
    assert parse_squares("") == ()
    assert parse_squares("876543210") == (8, 7, 6, 5, 4, 3, 2, 1, 0)
    assert parse_squares("00") == (0, 0)


@pytest.mark.parametrize("parse_text", [parse_squares, parse_moves])
@pytest.mark.parametrize("text", ["9", "-1", "0,4", " 4", "x", "\N{FULLWIDTH DIGIT FOUR}"])
def test_anything_but_a_square_is_refused(
    parse_text: Callable[[str], tuple[int, ...]], text: str
) -> None:
    with pytest.raises(ValueError, match="a move is a digit from 0 to 8"):
        parse_text(text)


def test_a_legal_game_is_replayed_from_its_digits() -> None:
    assert parse_moves("") == ()
    assert parse_moves("048") == (0, 4, 8)
    assert str(Position().after(parse_moves("048"))) == "X---O---X"
    for text, reason in (("040", "top left is taken"), ("031425", "the game is over")):
        with pytest.raises(IllegalMoveError, match=reason):
            parse_moves(text)


def test_a_board_where_o_started_is_read_with_the_marks_swapped() -> None:
    assert str(parse_swapped("-O-------")) == "-X-------"
    assert parse_swapped("XX-------") is None
    assert parse_swapped("hello") is None
