"""One game: its moves, its settings and its record."""

from dataclasses import replace
from random import Random

import pytest

from engine.position import IllegalMoveError, Mark, Position
from web.play.game import Game
from web.play.opponents import OpponentName
from web.play.record import Record, Tally

RNG = Random(5)

WON = Game((0, 3, 1, 4, 2), "random")
LOST = Game((0, 3, 1, 4, 8, 5), "random")
#  X | O | X
#  X | O | O
#  O | X | X
DRAWN = Game((0, 1, 2, 4, 3, 5, 7, 6, 8), "random")


def test_the_first_game_is_as_x_against_perfect_without_a_hint() -> None:
    game = Game()
    assert (game.opponent_name, game.human) == ("perfect", "X")
    assert (game.hint, game.record) == ("off", Record())


def test_a_hint_lasts_for_one_move() -> None:
    hinted = replace(UNFINISHED, hint="danger")
    for later in (hinted.play(8, RNG), hinted.undo(), hinted.start_next("perfect", "X", RNG)):
        assert later.hint == "off"
    assert hinted.start_next("perfect", "X", RNG).undo().hint == "off"


def test_take_back_returns_to_the_humans_turn() -> None:
    assert WON.undo().moves == (0, 3, 1, 4)
    assert LOST.undo().moves == (0, 3, 1, 4)
    assert DRAWN.undo().undo().moves == (0, 1, 2, 4, 3, 5)
    assert Game((4, 0, 8), human="O").undo().moves == (4,)


def test_nothing_can_be_taken_back_before_the_humans_first_move() -> None:
    for game in (Game(), Game((4,), human="O")):
        assert not game.has_moved
        with pytest.raises(IllegalMoveError, match="no move to take back"):
            game.undo()


# The unfinished game

UNFINISHED = Game((0, 4), "random")


@pytest.mark.parametrize(("opponent", "human"), [("random", "X"), ("perfect", "O")])
def test_take_back_in_a_new_game_resumes_the_unfinished_one(
    opponent: OpponentName, human: Mark
) -> None:
    for unfinished in (UNFINISHED, Game((0, 1, 4, 2), setup_length=2)):
        game = unfinished.start_next(opponent, human, RNG)
        assert not game.has_moved
        assert game.undo() == unfinished


@pytest.mark.parametrize(("opponent", "human"), [("random", "X"), ("perfect", "O")])
def test_a_resumed_game_keeps_the_record_of_later_games(
    opponent: OpponentName, human: Mark
) -> None:
    game = UNFINISHED.start_next(opponent, human, RNG)
    later_record = Record((Tally("random", 1, 3),), losing_streak=2)
    assert replace(game, record=later_record).undo() == replace(UNFINISHED, record=later_record)


def test_the_unfinished_game_is_kept_until_another_is_left_unfinished() -> None:
    empty = UNFINISHED.start_next("perfect", "X", RNG)
    assert empty.start_next("perfect", "O", RNG).undo() == UNFINISHED
    second = empty.play(8, RNG)
    assert second.undo().moves == ()
    assert second.undo().undo() == UNFINISHED
    resumed = second.start_next("random", "X", RNG).undo()
    assert (resumed.moves, resumed.opponent_name) == (second.moves, "perfect")
    assert not resumed.unfinished


def test_a_finished_or_empty_game_cannot_be_resumed() -> None:
    for game in (WON, LOST, DRAWN, Game(), Game((4,), human="O"), Game((0, 1), setup_length=2)):
        assert not game.start_next("perfect", "X", RNG).unfinished
    assert not replace(WON, unfinished=UNFINISHED).start_next("perfect", "X", RNG).unfinished


def test_a_game_knows_the_opponents_last_reply() -> None:
    for game, index in (
        (Game(), None),
        (Game((0, 4)), 1),
        (WON, 3),
        (LOST, 5),
        (Game((4,), human="O"), 0),
        (Game((4, 0, 8), human="O"), 2),
        (Game(LOST.moves, human="O"), 4),
        (Game((0, 4), setup_length=2), None),  # set up, not played
        (Game((0, 3, 1, 4, 2), setup_length=4), None),
    ):
        assert game.last_reply_index == index, game


def test_a_game_knows_the_humans_last_move_and_its_position() -> None:
    for game, last_move in (
        (WON, 2),
        (LOST, 8),
        (Game((0, 4)), 0),
        (Game((4, 0, 8), human="O"), 0),
    ):
        before = game.undo().position
        moves = [square for square in range(9) if game.has_just_played(before, square)]
        assert moves == [last_move]
        assert not game.has_just_played(game.position, last_move)
    assert not Game().has_just_played(Position(), 0)
    assert not Game((4,), human="O").has_just_played(Position(), 4)


def test_a_win_or_a_loss_counts_and_a_draw_does_not() -> None:
    assert WON.updated_record == Record((Tally("random", wins=1),))
    assert Game(LOST.moves, "random", "O").updated_record == Record((Tally("random", wins=1),))
    assert DRAWN.updated_record == Record()
    assert LOST.updated_record == Record((Tally("random", losses=1),))


def test_a_finished_game_counts_once() -> None:
    next_game = WON.start_next("perfect", "X", RNG)
    assert next_game.updated_record == WON.updated_record
    assert next_game.start_next("random", "O", RNG).updated_record == WON.updated_record


def test_a_finished_game_does_not_count_once_its_last_move_is_taken_back() -> None:
    lost_after_win = replace(LOST, record=WON.updated_record)
    assert lost_after_win.updated_record.tally("random") == ("random", 1, 1)
    unfinished = lost_after_win.undo()
    assert unfinished.updated_record.tally("random") == ("random", 1, 0)
    assert unfinished.play(2, RNG).updated_record.tally("random") == ("random", 2, 0)


def test_each_opponent_has_a_tally() -> None:
    record = Record((Tally("random", wins=1, losses=1),))
    record = replace(WON, opponent_name="hasty", record=record).updated_record
    assert record.tallies == (("random", 1, 1), ("hasty", 1, 0))
    record = replace(LOST, record=record).updated_record
    assert record.tallies == (("random", 1, 2), ("hasty", 1, 0))


def test_a_losing_streak_lasts_until_a_game_against_perfect_is_not_lost() -> None:
    lost, drawn = Game((0, 4, 8, 1, 3, 7)), Game((0, 4, 8, 1, 7, 6, 2, 5, 3))
    second_loss = replace(lost, record=lost.updated_record)
    record = second_loss.updated_record
    assert record.losing_streak == 2
    assert second_loss.undo().updated_record.losing_streak == 1
    assert replace(drawn, record=record).updated_record.losing_streak == 0
    for other in (WON, LOST, replace(lost, setup_length=2)):
        assert replace(other, record=record).updated_record.losing_streak == 2


def test_a_challenge_counts_and_its_opening_cannot_be_taken_back() -> None:
    game = Game().start_next("perfect", "X", RNG, (0, 4), link_length=2)
    assert (game.setup_length, game.counts, game.has_moved) == (0, True, False)
    opening = game.play(8, RNG).undo()
    assert opening.moves == (0, 4)
    assert not opening.has_moved
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        opening.undo()


def test_a_game_from_a_board_set_up_is_practice() -> None:
    #  X | O |      X, to move, can force a win even against perfect play
    game = Game().start_next("perfect", "X", RNG, (0, 1))
    assert not game.has_moved
    won = game.play(4, RNG).play(6, RNG)
    # Each of these squares completes a line of X, and O has replied only twice.
    last_move = next(square for square in (2, 3, 8) if square in won.position.legal_moves())
    won = won.play(last_move, RNG)
    assert won.position.outcome()
    assert won.updated_record == Record()
    beginning = won.undo().undo().undo()
    assert beginning.moves == (0, 1)
    assert not beginning.has_moved
