"""Today's square: which boards are asked, and on which days."""

from __future__ import annotations

from datetime import timedelta

from teach.today import FIRST, board_of, in_order
from tests import textbook


def test_a_board_of_the_day_is_each_on_which_one_square_is_right_and_no_line_is_near() -> None:
    fitting = {
        board
        for board in textbook.every_board()
        if board.count("-") > 1
        and not textbook.over(board)
        and len(textbook.holding(board)) == 1
        and not textbook.wins_at(board, "X")
        and not textbook.wins_at(board, "O")
    }
    one_each = [board for board in fitting if board == min(textbook.images(board))]
    level = [board for board in one_each if not max(textbook.move_scores(board).values())]
    assert fitting == {str(board) for board in in_order()}
    assert (len(fitting), len(one_each), len(level)) == (176, 25, 6)
    assert {textbook.turn(board) for board in level} == {"O"}


def test_all_25_come_before_any_image_of_one_and_no_board_comes_again_for_176_days() -> None:
    days = [str(board_of(FIRST + timedelta(days=day))) for day in range(2 * 176)]
    assert len({min(textbook.images(board)) for board in days[:25]}) == 25
    assert len({*days[:176]}) == 176
    assert days[:176] == days[176:]
