"""What a player shares about a game, duels by link, and the drawing of the nine squares."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from flask import Flask

from engine.position import LINES, SQUARE_NAMES, Line, Position
from teach.challenge import linked_opening
from tests import positions, textbook
from web.play import words
from web.play.ends import End, end_of
from web.play.game import Game, Help, SharedResult
from web.play.page import Page, friend_view
from web.play.record import Record
from web.play.share import share_text
from web.play.squares import ALL_NINE, earned_squares, nine_view

STOPPED, LOST = (0, 4, 8, 1, 7, 6, 2, 5, 3), (0, 4, 8, 1, 3, 7)
STOPPED_AS_O = (0, 4, 8, 2, 6, 3, 5, 7, 1)
FRIENDS_SQUARES = 0b1_0001_0111  # the top row, the center and bottom right
SITE = "https://example.org"


def share_lines(app: Flask, game: Game) -> list[str]:
    """Return the lines that a player shares about a game."""
    with app.test_request_context():
        return share_text(game, SITE).splitlines()


def duel(
    moves: tuple[int, ...], own_bits: int, friend_bits: int, result: SharedResult = "held"
) -> Game:
    """Return a game that answers a friend's link; the bits are the squares of each player."""
    return Game(
        moves,
        record=Record(earned_bits=own_bits),
        link_length=2,
        friend_result=result,
        friend_bits=friend_bits,
    )


# What a player shares


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
def test_a_shared_game_has_the_nine_squares_and_words_and_a_link(
    app: Flask, moves: tuple[int, ...], earned: int, lines: list[str]
) -> None:
    assert share_lines(app, Game(moves, record=Record(earned_bits=earned))) == lines


def test_a_shared_game_as_o_has_no_nine_squares(app: Flask) -> None:
    game = Game(STOPPED_AS_O, human="O", record=Record(earned_bits=0b111))
    address = f"{SITE}/challenge/0?was=held"
    assert share_lines(app, game) == ["Tic-tac-toe: I stopped it here.", "Can you?", address]


@pytest.mark.parametrize(
    ("moves", "friend_result", "own", "friends", "lines"),
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
    friend_result: SharedResult,
    own: int,
    friends: int,
    lines: list[str],
) -> None:
    assert share_lines(app, duel(moves, own, friends, friend_result)) == lines


def test_an_answer_is_for_a_square_that_the_sender_has_and_the_friend_lacks(app: Flask) -> None:
    """If there is none, it is for top left."""
    step = 31 if positions.is_soak else 127
    for own, friends in product(range(512), repeat=2):
        # One in `step` states of each side is paired with all states of the other.
        if own % step and friends % step:
            continue
        *_, address = share_lines(app, duel(STOPPED, own, friends))
        if own == ALL_NINE:  # then the text mentions no squares
            continue
        opening = tuple(map(int, address.partition("challenge/")[2].partition("?")[0]))
        assert linked_opening(opening) == opening
        first_square, reply = opening
        # The game shared began on top left, so the sender has that, too.
        own_squares, friends_squares = {0, *earned_squares(own)}, {*earned_squares(friends)}
        assert first_square == min(own_squares - friends_squares, default=0)
        assert reply in textbook.best(str(Position().play(first_square)))


# Duels


def test_the_leader_is_named_in_all_512_by_512_states() -> None:
    end = end_of(Game(STOPPED))
    assert isinstance(end, End)
    for own, friends in product(range(512), repeat=2):
        view = friend_view(friends, own, end)
        assert view
        own_count, friends_count = own.bit_count(), friends.bit_count()
        own_caption, friends_caption = view.captions
        assert (own_caption == "You lead") == (own_count > friends_count)
        assert (friends_caption == "Your friend leads") == (friends_count > own_count)


def test_a_duel_counts_the_squares_of_both_players() -> None:
    end = end_of(Game(STOPPED))
    for own, friends in product(range(512), repeat=2):
        view = friend_view(friends, own, end)
        assert view
        assert view.count_texts == (f"{own.bit_count()} of 9", f"{friends.bit_count()} of 9")


def test_no_leader_is_named_before_the_end() -> None:
    assert words.count_captions(None, 1, 2) == ("You", "Your friend")


@pytest.mark.parametrize("moves", [STOPPED[:2], STOPPED[:4], STOPPED, LOST])
@pytest.mark.parametrize("help_used", ["", "hint"])
def test_the_friends_squares_stay_throughout_a_duel(
    moves: tuple[int, ...], help_used: Help
) -> None:
    game = replace(duel(moves, own_bits=0, friend_bits=FRIENDS_SQUARES), help_used=help_used)
    player = Page(game).player
    assert player and player.friend
    assert player.friend.earned == (0, 1, 2, 4, 8)


def test_the_ninth_square_is_announced_without_the_friends_squares() -> None:
    player = Page(duel(STOPPED, own_bits=ALL_NINE - 1, friend_bits=FRIENDS_SQUARES)).player
    assert player and not player.friend


# The drawing of the nine squares


def complete_lines(squares: set[int]) -> list[Line]:
    return [line for line in LINES if {*line} <= squares]


def test_the_earned_squares_and_their_complete_lines_are_drawn() -> None:
    for bits in range(512):
        earned = earned_squares(bits)
        view, lines = nine_view(earned), complete_lines({*earned})
        assert (view.filled_squares, [*view.complete_lines], view.new_lines) == (earned, lines, ())


def test_gaps_close_in_rows_and_columns_and_in_all_lines_once_all_nine_are_earned() -> None:
    for bits in range(512):
        earned = earned_squares(bits)
        lines = complete_lines({*earned})
        straight_lines = [line for line in lines if line not in ((0, 4, 8), (2, 4, 6))]
        assert [*nine_view(earned).gapless_lines] == (lines if bits == ALL_NINE else straight_lines)


def test_a_line_is_struck_through_if_it_is_the_only_one_and_at_least_two_squares_are_left() -> None:
    for bits in range(512):
        earned = earned_squares(bits)
        lines = complete_lines({*earned})
        is_struck = len(lines) == 1 and len(earned) < 8
        assert [*nine_view(earned).struck_lines] == (lines if is_struck else [])


def test_the_unearned_square_is_drawn_if_it_is_the_last() -> None:
    for bits in range(512):
        earned = earned_squares(bits)
        unearned = [square for square in range(9) if square not in earned]
        assert nine_view(earned).unearned_square == (unearned[0] if len(unearned) == 1 else None)


def test_new_lines_are_struck_through_if_at_least_two_squares_are_left() -> None:
    for bits in range(512):
        earned = earned_squares(bits)
        unearned = [square for square in range(9) if square not in earned]
        for square in unearned[:-1]:
            view = nine_view(earned, (square,))
            new_lines = [line for line in complete_lines({*earned, square}) if square in line]
            assert [*view.new_lines] == new_lines
            assert [*view.struck_lines] == (new_lines if len(earned) < 7 else [])


# The names of squares


def test_share_texts_name_squares_as_the_board_does() -> None:
    for square, name in enumerate(SQUARE_NAMES):
        assert words.answer_lines("held", "held", 1, 1, square)[2] == f"Now you: {name}."
