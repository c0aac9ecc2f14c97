"""One game: its moves, its settings, its score, and its way to text and back."""

from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.players import Difficulty
from engine.position import IllegalMoveError, Mark, O, Position, X
from web.play.game import WRITTEN, Game, Tally

RNG = Random(5)

WON = Game((0, 3, 1, 4, 2), "random")
LOST = Game((0, 3, 1, 4, 8, 5), "random")
#  X | O | X
#  X | O | O
#  O | X | X
DRAWN = Game((0, 1, 2, 4, 3, 5, 7, 6, 8), "random")


def test_a_move_is_answered_until_the_game_is_over() -> None:
    game = Game()
    while not game.position.outcome():
        played = game.play(game.position.legal_moves()[0], RNG)
        assert len(played.moves) - len(game.moves) == (1 if len(played.moves) == 9 else 2)
        assert played.position.turn == "X" or played.position.outcome()
        game = played


def test_a_first_game_is_x_against_perfect_without_hints_but_with_reasons() -> None:
    assert Game().text == "hidden told 0 0 0 0 0 0 perfect X 0 "


def test_as_o_the_computer_opens() -> None:
    game = Game().start("perfect", "O", RNG)
    assert len(game.moves) == 1
    assert game.position.turn == game.human == "O"


def test_a_new_game_goes_on_showing_results() -> None:
    for shown in (True, False):
        assert replace(WON, show_results=shown).start("perfect", "X", RNG).show_results == shown


def test_a_new_game_goes_on_giving_reasons_or_not() -> None:
    for shown in (True, False):
        assert replace(WON, show_reasons=shown).start("perfect", "X", RNG).show_reasons == shown


def test_a_game_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        WON.given = 3  # type: ignore[misc]


def test_an_illegal_move_changes_nothing() -> None:
    with pytest.raises(IllegalMoveError, match="top left is taken"):
        WON.undo().play(0, RNG)


def test_take_back_returns_to_the_players_own_turn_whoever_moved_last() -> None:
    assert WON.undo().moves == (0, 3, 1, 4)
    assert LOST.undo().moves == (0, 3, 1, 4)
    assert DRAWN.undo().undo().moves == (0, 1, 2, 4, 3, 5)
    assert Game((4, 0, 8), human="O").undo().moves == (4,)


@pytest.mark.parametrize("game", [Game(), Game((4,), human="O")])
def test_there_is_nothing_to_take_back_before_the_players_first_move(game: Game) -> None:
    assert not game.has_moved
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        game.undo()


# The game before

LEFT = Game((0, 4), "random", show_reasons=False)  # left unfinished


@pytest.mark.parametrize(("difficulty", "human"), [("random", "X"), ("perfect", "O")])
def test_a_game_left_unfinished_can_be_taken_back(difficulty: Difficulty, human: Mark) -> None:
    game = LEFT.start(difficulty, human, RNG)
    assert not game.has_moved
    assert game.undo() == LEFT


def test_what_was_changed_since_stays_when_the_game_before_comes_back() -> None:
    shown = replace(LEFT.start("perfect", "X", RNG), show_results=True, show_reasons=True)
    assert shown.undo() == replace(LEFT, show_results=True, show_reasons=True)


def test_the_game_before_waits_behind_the_moves_made_since() -> None:
    game = LEFT.start("perfect", "X", RNG).play(8, RNG)
    assert game.undo().moves == ()
    assert game.undo().undo() == LEFT


def test_the_game_before_outlives_settings_tried_before_a_move() -> None:
    assert LEFT.start("perfect", "X", RNG).start("perfect", "O", RNG).undo() == LEFT


def test_a_game_left_later_takes_the_place_of_the_one_before() -> None:
    second = LEFT.start("perfect", "X", RNG).play(8, RNG)
    back = second.start("random", "X", RNG).undo()
    assert (back.moves, back.difficulty) == (second.moves, "perfect")
    assert not back.before


def test_a_game_that_was_finished_or_not_begun_is_not_gone_back_to() -> None:
    for game in (WON, LOST, DRAWN, Game(), Game((4,), human="O"), Game((0, 1), given=2)):
        assert not game.start("perfect", "X", RNG).before
    assert not replace(WON, before=LEFT).start("perfect", "X", RNG).before


def test_a_practice_game_that_is_gone_back_to_is_still_practice() -> None:
    practice = Game((0, 1, 4, 2), given=2)
    assert practice.start("random", "O", RNG).undo() == practice


def test_results_since_are_kept_when_the_game_before_comes_back() -> None:
    second = LEFT.start("perfect", "X", RNG)
    game = replace(second, earlier={"random": Tally(1, 2, 3), "perfect": Tally(0, 1, 0)})
    assert game.undo().earlier == game.earlier


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (Game(), 0),
        (Game((0, 4)), 2),
        (WON, 4),
        (LOST, 6),
        (Game((4,), human="O"), 1),
        (Game((4, 0, 8), human="O"), 3),
        (Game(LOST.moves, human="O"), 5),
    ],
)
def test_the_last_reply_is_known_with_all_that_led_to_it(game: Game, moves: int) -> None:
    assert game.moves_to_last_reply == game.moves[:moves]


def test_what_was_set_up_is_no_reply() -> None:
    assert Game((0, 4), given=2).moves_to_last_reply == ()
    over = Game((0, 3, 1, 4, 2), given=4)
    assert over.outcome
    assert over.moves_to_last_reply == ()


def test_a_game_knows_the_humans_last_move_and_where_it_was_made() -> None:
    for game, last in ((WON, 2), (LOST, 8), (Game((0, 4)), 0), (Game((4, 0, 8), human="O"), 0)):
        before = game.undo().position
        answered = [square for square in range(9) if game.has_played(before, square)]
        assert answered == [last]
        assert not game.has_played(game.position, last)
    assert not Game().has_played(Position(), 0)
    assert not Game((4,), human="O").has_played(Position(), 4)


def test_a_finished_game_counts_once_against_its_own_opponent() -> None:
    assert WON.tallies == {"random": Tally(won=1), "perfect": Tally()}
    assert DRAWN.tallies["random"] == Tally(drawn=1)
    assert LOST.tallies["random"] == Tally(lost=1)
    next_game = WON.start("perfect", "X", RNG)
    assert next_game.tallies == WON.tallies
    assert next_game.start("random", "O", RNG).tallies == WON.tallies


@pytest.mark.parametrize("game", [WON, DRAWN, LOST])
def test_a_game_that_ends_the_same_way_again_counts_again(game: Game) -> None:
    again = replace(game, earlier=game.tallies)
    assert again.tallies["random"] == Tally(*(2 * count for count in game.tallies["random"]))


def test_a_win_as_o_is_a_win() -> None:
    assert Game(LOST.moves, "random", "O").tallies["random"] == Tally(won=1)


def test_a_result_taken_back_does_not_count_until_the_game_ends_again() -> None:
    assert LOST.undo().tallies["random"] == Tally()
    assert LOST.undo().play(2, RNG).tallies["random"] == Tally(won=1)


def test_a_game_set_up_from_a_position_is_practice() -> None:
    #  X | O |      X, to move, can force a win even against perfect play
    game = Game().start("perfect", "X", RNG, (0, 1))
    assert not game.has_moved
    won = game.play(4, RNG).play(6, RNG)
    won = won.play(next(s for s in (2, 3, 8) if s in won.position.legal_moves()), RNG)
    assert won.position.outcome()
    assert won.tallies["perfect"] == Tally()
    assert won.undo().undo().undo().moves == (0, 1)
    assert not won.undo().undo().undo().has_moved


FULL = Game(
    (0, 4), "random", X, {"random": Tally(1, 2, 3), "perfect": Tally(0, 10, 400)}, True, given=2
)
LAST = Game((0, 4, 1, 5), given=1)


@pytest.mark.parametrize(
    "game",
    [
        Game(),
        WON,
        LOST,
        DRAWN,
        Game((4,), "perfect", "O"),
        DRAWN.start("perfect", "O", RNG),
        FULL,
        replace(FULL, human=O, moves=(4,), given=1, before=LAST),
        LEFT.start("perfect", "O", RNG),
    ],
)
def test_a_game_survives_the_way_to_text_and_back(game: Game) -> None:
    assert Game.parse(game.text) == game


def test_a_game_is_written_as_one_short_line() -> None:
    assert FULL.text == "shown told 1 2 3 0 10 400 random X 2 04"
    other = replace(FULL, human=O, moves=(4,), show_results=False, show_reasons=False, given=0)
    assert other.text == "hidden untold 1 2 3 0 10 400 random O 0 4"
    before = replace(other, before=LAST)
    assert before.text == other.text + "/perfect X 1 0415"
    assert len(before.text) < 100


NEW = "hidden told 0 0 0 0 0 0 perfect X 0 "


@pytest.mark.parametrize(
    "text",
    [
        "",
        "None",
        "048",
        NEW.strip(),
        " " + NEW,
        NEW + "\n",
        NEW + "0 4",
        NEW + "09",
        NEW + "\N{ARABIC-INDIC DIGIT ONE}",
        NEW + "00",
        NEW.replace("0", "007", 1),
        NEW.replace("0", "\N{ARABIC-INDIC DIGIT ZERO}", 1),
        NEW[:-2] + "\N{ARABIC-INDIC DIGIT ZERO} ",
        NEW.replace("0 ", " ", 1),
        NEW.replace("0 ", "0  ", 1),
        NEW[:-2] + "00 ",
        NEW + "0",  # O, the computer, has not answered
        NEW + "031425",  # a move after the end
        NEW + "0123456780",
        NEW.replace("X", "O"),  # X, the computer, has not opened
        NEW.replace("X", "Z"),
        NEW.replace("X", "Z") + "4",
        NEW.replace("perfect", "godlike"),
        NEW.replace("hidden", "yes"),
        NEW.replace("told", "yes"),
        NEW.replace("told ", ""),
        "perfect X hidden 0 0 0 0 0 0 0 ",  # as it was written before there were reasons
        NEW[:-2] + "1 ",  # a move given, and none there
        NEW[:-2] + "-1 ",
        NEW[:-2],
        NEW.replace("0", "-1", 1),
        NEW.replace("0", "1.5", 1),
        NEW.replace("0", "0 0", 1),
        NEW.replace("0", "9" * 5000, 1),  # more digits than Python will read
        NEW + "/",
        NEW + "/perfect X 0 ",  # a game before that was not begun
        NEW + "/perfect X 2 04",
        NEW + "/perfect X 0 03142",  # that was finished
        NEW + "/perfect X 0 0",  # in which the computer has not answered
        NEW + "/perfect X 0 00",
        NEW + "/perfect X 3 04",
        NEW + "/godlike X 0 04",
        NEW + "/perfect X 0 04/perfect X 0 04",
    ],
)
def test_what_no_legal_game_could_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Game.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "this is not a game"),
        (NEW + "00", "top left is taken"),
        (NEW + "0", "the computer has not answered"),
        (NEW[:-2] + "1 ", "more moves were given than there are"),
        (NEW[:-2] + "5 03142", "what was set up was over"),
        (NEW + "/perfect X 0 03142", "the game before was not left unfinished"),
        (NEW + "/perfect X 0 ", "the game before was not left unfinished"),
    ],
)
def test_the_refusal_of_a_game_says_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Game.parse(text)


@given(
    st.text()
    | st.from_regex(WRITTEN, fullmatch=True)
    | st.lists(st.sampled_from([*NEW.split(), "random", "O", "shown", "04", "", "/perfect"])).map(
        " ".join
    )
)
def test_any_text_reads_as_a_legal_game_or_is_refused(text: str) -> None:
    try:
        game = Game.parse(text)
    except ValueError:
        return
    assert Game.parse(game.text) == game
    assert game.position.outcome() or game.position.turn == game.human
