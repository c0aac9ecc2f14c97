"""One game: its moves, its settings and its tallies."""

from dataclasses import replace
from random import Random

import pytest

from engine.players import Opponent
from engine.position import IllegalMoveError, Mark, Position
from web.play.game import Game
from web.play.record import Record, Tally

RNG = Random(5)

WON = Game((0, 3, 1, 4, 2), "random")
LOST = Game((0, 3, 1, 4, 8, 5), "random")
#  X | O | X
#  X | O | O
#  O | X | X
DRAWN = Game((0, 1, 2, 4, 3, 5, 7, 6, 8), "random")


def by_now(game: Game) -> Tally:
    """Return the tally against Random, this game's result in it."""
    return game.record_by_now.tallies["random"]


def test_a_first_game_is_x_against_a_perfect_that_speaks_and_the_next_keeps_the_voice() -> None:
    game = Game()
    assert (game.opponent, game.human, game.voice, game.hint) == ("perfect", "X", True, "off")
    for voice in (True, False):
        assert replace(WON, voice=voice).start("perfect", "X", RNG).voice == voice


def test_a_hint_is_for_one_move() -> None:
    hinted = replace(LEFT, hint="danger")
    for later in (hinted.play(8, RNG), hinted.undo(), hinted.start("perfect", "X", RNG)):
        assert later.hint == "off"
    assert hinted.start("perfect", "X", RNG).undo().hint == "off"


def test_take_back_returns_to_the_players_own_turn_whoever_moved_last() -> None:
    assert WON.undo().moves == (0, 3, 1, 4)
    assert LOST.undo().moves == (0, 3, 1, 4)
    assert DRAWN.undo().undo().moves == (0, 1, 2, 4, 3, 5)
    assert Game((4, 0, 8), human="O").undo().moves == (4,)


def test_there_is_nothing_to_take_back_before_the_players_first_move() -> None:
    for game in (Game(), Game((4,), human="O")):
        assert not game.has_moved
        with pytest.raises(IllegalMoveError, match="no move to take back"):
            game.undo()


# The game before

LEFT = Game((0, 4), "random", voice=False)  # left unfinished


@pytest.mark.parametrize(("opponent", "human"), [("random", "X"), ("perfect", "O")])
def test_a_game_left_comes_back_with_what_was_changed_since(
    opponent: Opponent, human: Mark
) -> None:
    game = LEFT.start(opponent, human, RNG)
    assert not game.has_moved
    assert game.undo() == LEFT
    assert replace(game, voice=True).undo() == replace(LEFT, voice=True)
    since = replace(game, record=Record({"random": Tally(1, 2, 3), "perfect": Tally(0, 1, 0)}))
    assert since.undo().record == since.record
    practice = Game((0, 1, 4, 2), set_up=2)
    assert practice.start(opponent, human, RNG).undo() == practice


def test_the_game_before_waits_behind_moves_and_settings_until_another_is_left() -> None:
    second = LEFT.start("perfect", "X", RNG).play(8, RNG)
    assert second.undo().moves == ()
    assert second.undo().undo() == LEFT
    assert LEFT.start("perfect", "X", RNG).start("perfect", "O", RNG).undo() == LEFT
    back = second.start("random", "X", RNG).undo()
    assert (back.moves, back.opponent, back.unfinished) == (second.moves, "perfect", None)


def test_a_game_that_was_finished_or_not_begun_is_not_gone_back_to() -> None:
    for game in (WON, LOST, DRAWN, Game(), Game((4,), human="O"), Game((0, 1), set_up=2)):
        assert not game.start("perfect", "X", RNG).unfinished
    assert not replace(WON, unfinished=LEFT).start("perfect", "X", RNG).unfinished


def test_the_opponents_last_reply_is_known() -> None:
    for game, last in (
        (Game(), None),
        (Game((0, 4)), 1),
        (WON, 3),
        (LOST, 5),
        (Game((4,), human="O"), 0),
        (Game((4, 0, 8), human="O"), 2),
        (Game(LOST.moves, human="O"), 4),
        (Game((0, 4), set_up=2), None),  # set up, not played
        (Game((0, 3, 1, 4, 2), set_up=4), None),
    ):
        assert game.last_reply == last, game


def test_a_game_knows_the_humans_last_move_and_where_it_was_made() -> None:
    for game, last in ((WON, 2), (LOST, 8), (Game((0, 4)), 0), (Game((4, 0, 8), human="O"), 0)):
        before = game.undo().position
        answered = [square for square in range(9) if game.has_just_played(before, square)]
        assert answered == [last]
        assert not game.has_just_played(game.position, last)
    assert not Game().has_just_played(Position(), 0)
    assert not Game((4,), human="O").has_just_played(Position(), 4)


def test_a_finished_game_counts_once_against_its_own_opponent_unless_taken_back() -> None:
    assert WON.record_by_now.tallies == {"random": Tally(won=1), "perfect": Tally()}
    assert by_now(Game(LOST.moves, "random", "O")) == Tally(won=1)
    assert by_now(DRAWN) == Tally(drawn=1, running=1)
    assert by_now(LOST) == Tally(lost=1, running=-1)
    next_game = WON.start("perfect", "X", RNG)
    assert next_game.record_by_now.tallies == WON.record_by_now.tallies
    assert next_game.start("random", "O", RNG).record_by_now.tallies == WON.record_by_now.tallies
    for game in (WON, DRAWN, LOST):
        again = replace(game, record=game.record_by_now)
        assert by_now(again) == Tally(*(2 * count for count in by_now(game)))
    assert by_now(LOST.undo()) == Tally()
    assert by_now(LOST.undo().play(2, RNG)) == Tally(won=1)


def test_draws_or_losses_running_are_counted_until_a_game_is_none() -> None:
    running = replace(DRAWN, record=Record().tallied("random", Tally(drawn=4, running=2)))
    assert by_now(running) == Tally(drawn=5, running=3)
    for ended, count in ((WON, 0), (LOST, -1)):
        after = replace(ended, record=running.record_by_now)
        assert by_now(after)[1::2] == (5, count)
        again = replace(LOST, record=after.record_by_now)
        assert by_now(again).running == count - 1
        assert by_now(replace(DRAWN, record=again.record_by_now)).running == 1
    left = replace(LEFT, record=DRAWN.record_by_now).start("random", "O", RNG)
    assert by_now(left).running == 1


def test_a_game_set_up_from_a_position_is_practice() -> None:
    #  X | O |      X, to move, can force a win even against perfect play
    game = Game().start("perfect", "X", RNG, (0, 1))
    assert not game.has_moved
    won = game.play(4, RNG).play(6, RNG)
    won = won.play(next(s for s in (2, 3, 8) if s in won.position.legal_moves()), RNG)
    assert won.position.outcome()
    assert won.record_by_now.tallies["perfect"] == Tally()
    assert won.record_by_now.beaten and won.undo().record_by_now.beaten
    assert won.undo().undo().undo().moves == (0, 1)
    assert not won.undo().undo().undo().has_moved
