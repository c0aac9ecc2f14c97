"""What a player shares about a game, duels by link, and the drawing of the nine squares."""

from __future__ import annotations

from itertools import product

import pytest
from flask import Flask

from engine.position import LINES, SQUARE_NAMES, Position
from teach.challenge import linked_opening
from tests import positions, textbook
from web.play import words
from web.play.ends import End, end_of
from web.play.game import FriendResult, Game
from web.play.page import Page, friend_view
from web.play.record import Record
from web.play.share import share_text
from web.play.squares import ALL_NINE, earned_squares, nine_view

STOPPED, LOST = (0, 4, 8, 1, 7, 6, 2, 5, 3), (0, 4, 8, 1, 3, 7)
AS_O = (0, 4, 8, 2, 6, 3, 5, 7, 1)
FRIENDS_SQUARES = 0b1_0001_0111  # the top row, the center and bottom right
SITE = "https://example.org"


def share_lines(app: Flask, game: Game) -> list[str]:
    with app.test_request_context():
        return share_text(game, SITE).splitlines()


@pytest.mark.parametrize(
    ("moves", "earned", "lines"),
    [
        (STOPPED, 0b1_0001_0100,
         ["🟦⬜🟦 Tic-tac-toe: 4 of 9.", "⬜🟦⬜ I stopped it here.", "⬜⬜🟦 Can you?",
          f"{SITE}/challenge/04?was=held&nine=277"]),
        (LOST, 0b1_0001_0100,
         ["⬜⬜🟦 Tic-tac-toe: 3 of 9.", "⬜🟦⬜ It beat me here.", "⬜⬜🟦 Can you stop it?",
          f"{SITE}/challenge/04?was=lost&nine=276"]),
        (STOPPED, ALL_NINE - 1,
         ["🟦🟦🟦 Tic-tac-toe: all nine.", "🟦🟦🟦 It has none left.", "🟦🟦🟦 Can you stop it?",
          f"{SITE}/challenge/04?was=held&nine=511"]),
        (STOPPED, ALL_NINE,
         ["Tic-tac-toe: I stopped it here.", "Can you?", f"{SITE}/challenge/04?was=held"]),
        (LOST, ALL_NINE,
         ["Tic-tac-toe: it beat me here.", "Can you stop it?", f"{SITE}/challenge/04?was=lost"]),
    ],
)  # fmt: skip
def test_a_shared_game_has_the_nine_squares_words_and_a_link(
    app: Flask, moves: tuple[int, ...], earned: int, lines: list[str]
) -> None:
    assert share_lines(app, Game(moves, record=Record(earned_bits=earned))) == lines


def test_a_shared_game_as_o_has_no_nine_squares(app: Flask) -> None:
    game = Game(AS_O, human="O", record=Record(earned_bits=0b111))
    address = f"{SITE}/challenge/0?was=held"
    assert share_lines(app, game) == ["Tic-tac-toe: I stopped it here.", "Can you?", address]


@pytest.mark.parametrize(
    ("moves", "was", "earned", "friends", "lines"),
    [
        (STOPPED, "held", 0b1_0000_0101, FRIENDS_SQUARES,
         ["🟦⬜🟦 I stopped it too.", "⬜⬜⬜ 3 to your 5.", "⬜⬜🟦 Your turn.",
          f"{SITE}/challenge/04?was=held&nine=261"]),
        (STOPPED, "lost", 0b1_0110_0100, 0b1_0100_0100,
         ["🟦⬜🟦 I stopped it.", "⬜⬜🟦 5 to your 3.", "🟦⬜🟦 Now you: top left.",
          f"{SITE}/challenge/04?was=held&nine=357"]),
        (STOPPED, "lost", 0b1_0110_0101, 0b1_0100_0101,
         ["🟦⬜🟦 I stopped it.", "⬜⬜🟦 5 to your 4.", "🟦⬜🟦 Now you: middle right.",
          f"{SITE}/challenge/54?was=held&nine=357"]),
        (LOST, "lost", 0b1_0000_0100, FRIENDS_SQUARES,
         ["⬜⬜🟦 It beat me too.", "⬜⬜⬜ 2 to your 5.", "⬜⬜🟦 Your turn.",
          f"{SITE}/challenge/04?was=lost&nine=260"]),
        (LOST, "held", 0b1_0000_0100, 0b1_0000_0010,
         ["⬜⬜🟦 It beat me.", "⬜⬜⬜ 2 each.", "⬜⬜🟦 Now you: top right.",
          f"{SITE}/challenge/24?was=held&nine=260"]),
    ],
)  # fmt: skip
def test_an_answer_says_who_leads_and_challenges_the_friend(
    app: Flask,
    moves: tuple[int, ...],
    was: FriendResult,
    earned: int,
    friends: int,
    lines: list[str],
) -> None:
    game = Game(
        moves,
        record=Record(earned_bits=earned),
        link_length=2,
        friend_result=was,
        friend_bits=friends,
    )
    assert share_lines(app, game) == lines


def test_no_answer_offers_a_square_that_the_friend_has(app: Flask) -> None:
    """The challenge is for a square that the sender has and the friend lacks."""
    step = 31 if positions.is_soak else 127  # one in `step` states of a side, with all of the other
    for own, friends in product(range(512), repeat=2):
        if own % step and friends % step:
            continue
        game = Game(
            STOPPED,
            record=Record(earned_bits=own),
            link_length=2,
            friend_result="held",
            friend_bits=friends,
        )
        *_, address = share_lines(app, game)
        opening = tuple(map(int, address.partition("challenge/")[2].partition("?")[0]))
        has, lacks = {0, *earned_squares(own)}, {*range(9)} - {*earned_squares(friends)}
        if own == ALL_NINE:
            continue
        assert linked_opening(opening) == opening
        assert opening[0] == min(has & lacks, default=0)
        assert opening[1] in textbook.best(str(Position().play(opening[0])))


def test_the_leader_is_named_in_all_512_by_512_states() -> None:
    end = end_of(Game(STOPPED))
    assert isinstance(end, End)
    for own, friends in product(range(512), repeat=2):
        view = friend_view(friends, own, end)
        assert view
        own_count, friend_count = own.bit_count(), friends.bit_count()
        assert view.count_texts == (f"{own_count} of 9", f"{friend_count} of 9")
        assert (view.captions[0] == "You lead", view.captions[1] == "Your friend leads") == (
            own_count > friend_count,
            friend_count > own_count,
        )
    assert words.count_captions(None, 1, 2) == ("You", "Your friend")


def test_both_rows_of_nine_stay_throughout_a_duel() -> None:
    for moves in (STOPPED[:2], STOPPED[:4], STOPPED, LOST):
        for help_used in ("", "hint"):
            game = Game(
                moves,
                link_length=2,
                friend_result="held",
                friend_bits=FRIENDS_SQUARES,
                help_used="hint" if help_used else "",
            )
            player = Page(game).player
            assert player and player.friend
            assert player.friend.squares == (0, 1, 2, 4, 8)
    ninth = Game(
        STOPPED,
        record=Record(earned_bits=ALL_NINE - 1),
        link_length=2,
        friend_result="held",
        friend_bits=FRIENDS_SQUARES,
    )
    player = Page(ninth).player
    assert player and not player.friend, "all nine must be announced without the friend"


def test_the_nine_close_up_and_the_new_square_is_struck_through() -> None:
    """They do so in all 512 states, and in each with one more square."""
    for bits in range(512):
        earned = earned_squares(bits)
        view = nine_view(earned)
        whole = [line for line in LINES if {*line} <= {*earned}]
        straight = [line for line in whole if line not in ((0, 4, 8), (2, 4, 6))]
        assert (view.filled_squares, [*view.complete_lines], view.new_lines) == (earned, whole, ())
        assert [*view.gapless_lines] == (whole if bits == ALL_NINE else straight)
        assert [*view.struck_lines] == (whole if len(whole) == 1 and len(earned) < 8 else [])
        last = [square for square in range(9) if square not in earned]
        assert view.unearned_square == (last[0] if len(last) == 1 else None)
        for square in last[:-1]:
            after = nine_view(earned, (square,))
            new = [line for line in LINES if {*line} <= {*earned, square} and square in line]
            assert [*after.new_lines] == new
            assert [*after.struck_lines] == (new if len(earned) < 7 else [])


def test_share_texts_name_squares_as_the_board_does() -> None:
    for square, name in enumerate(SQUARE_NAMES):
        assert words.reply_lines("held", "held", 1, 1, square)[2] == f"Now you: {name}."
