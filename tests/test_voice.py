"""What the opponent says in play, its hints and its invitations: all of it is true, and short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

import pytest

from engine.hints import hint
from engine.position import LINES, SQUARE_NAMES, Mark, Position
from tests import positions, textbook
from tests.games import boards, one_game_to_each_board
from tests.positions import UNFINISHED, whole
from tests.sentences import NUMBERS, assert_as_last_read
from web.play import words
from web.play.game import FriendResult, Game, position_after
from web.play.opponents import OPPONENTS
from web.play.page import Page
from web.play.record import Record
from web.play.squares import NINE
from web.view.words import line_names, number


def test_a_game_that_no_longer_counts_promises_no_square() -> None:
    """A first move taken back leaves an empty board, or for O only the opponent's first mark."""
    games: list[tuple[Mark, tuple[int, ...]]] = [("X", ()), ("O", (4,)), ("O", (0,))]
    for mark, moves in games:
        for held in (0, 1 << 4, NINE):
            for notice in (None, "undone"):
                game = Game(moves, human=mark, record=Record(earned=held), help_used="back")
                note = Page(game, notice=notice).player
                assert note and note.note == f"You are {mark}. Now it does not count."
                assert words.note(replace(game, help_used="")) != note.note


# The facts behind the hints are tested in test_hints.py.
OF_ALL = "-of-all-images" if positions.all_images else ""
MOST = 60  # letters


def replies() -> Iterator[Page]:
    """Yield the page after each reply of Perfect, in every game from the empty board."""
    ways = {
        (game[:n], human)
        for human in get_args(Mark)
        for game in textbook.games_against_perfect(human)
        for n in range(2 + (human == "O"), len(game), 2)
    }
    for moves, human in sorted(ways):
        yield Page(Game(moves, human=human))


@pytest.mark.long
def test_what_perfect_says_of_its_reply_is_true_short_and_never_repeated_in_a_game() -> None:
    told: dict[tuple[tuple[int, ...], Mark], str] = {}
    for page in replies():
        moves, human = page.game.moves, page.game.human
        before, after = (str(position_after(moves[:n])) for n in (len(moves) - 1, len(moves)))
        scores, foe = textbook.move_scores(before), textbook.other(human)
        score, top = scores[moves[-1]], max(scores.values())
        said = told[moves, human] = page.reply
        wins = textbook.wins_at(after, foe)
        if "had to" in said:
            assert moves[-1] in textbook.wins_at(before, human)
            assert [s for s in scores if scores[s] >= 0] == [moves[-1]]
        elif found := re.fullmatch(r"(\w+) threats now. You have one move.", said):
            assert len(wins) == NUMBERS.index(found[1].lower()) > 1
            assert not textbook.wins_at(after, human)
        elif "only this square" in said.lower():
            assert [s for s in scores if scores[s] >= 0] == [moves[-1]]
        elif said == "From here I win, whatever you do.":
            assert score > 0 and len(wins) < 2
        elif said == "You cannot go wrong any more.":
            assert top == 0 and not textbook.chance_of_best(after)
        else:
            found = re.fullmatch(r"I had (\w+) safe squares.", said)
            held = [s for s in scores if scores[s] == 0]
            assert found and top == 0 and NUMBERS.index(found[1]) == len(held)
        assert len(said) <= MOST
        if not said.endswith("safe squares."):  # which counts other squares
            earlier = [told.get((moves[:n], human)) for n in range(2, len(moves))]
            assert said not in earlier, (moves, said)
    where = (("".join(map(str, moves)) + human, said) for (moves, human), said in told.items())
    assert_as_last_read("voice", where)


def test_perfect_says_when_no_square_can_lose_anymore() -> None:
    """X | X | O
    O | O | X
    X | O |     O could have gone bottom right as well."""
    assert Page(Game((0, 4, 1, 2, 6, 3, 5, 7))).reply == "You cannot go wrong any more."


@pytest.mark.long
def test_each_kind_of_hint_is_as_last_read_and_short() -> None:
    told = []
    for position in whole(UNFINISHED):
        for by_perfect in (True, False):
            told.append((str(position), words.hinted(hint(position), by_perfect)))
    assert_as_last_read(f"hints{OF_ALL}", told)
    assert max(len(said) for _, said in told) <= MOST


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("---------", "Nothing to fear: every square holds the draw."),
        ("XOXOOX-XO", "One square is left, and it holds the draw."),
        ("X--------", "Careful: only one of eight squares holds."),
        ("----X----", "Careful: only four of eight squares hold."),
        ("-X--O----", "Careful: one of seven squares loses."),
        ("-X-O-----", "You can force a win: make two threats."),
        ("-X-OX---O", "You win at bottom center."),
        ("XO------X", "Mind the center: I win there next."),
        ("XO-----X-", "Mind bottom left: there I would make two threats."),
        ("XOX------", "Do not force me to the center: that makes two threats."),
        ("X-O-----X", "Every square loses now. The center lasts longest."),
        ("XO--O-XX-", "Every square loses now. None lasts longer."),
    ],
)
def test_examples_of_all_hints(board: str, said: str) -> None:
    assert words.hinted(hint(Position.parse(board)), by_perfect=True) == said


def test_the_square_that_lasts_longest_is_named_if_there_is_one() -> None:
    named = Counter[str]()
    for position in whole(UNFINISHED):
        scores = textbook.move_scores(str(position))
        if max(scores.values()) > -1:
            continue
        said = words.hinted(hint(position), True)
        longest = [SQUARE_NAMES[s] for s in scores if scores[s] == max(scores.values())]
        named[said] += 1
        if len(longest) == len(scores):
            assert said == "Every square loses now. None lasts longer."
        else:
            (name,) = longest
            the = f"the {name}" if name == "center" else name
            assert said == f"Every square loses now. {the.capitalize()} lasts longest."
    assert len(named) > 2


def test_if_all_squares_have_the_same_result_it_is_said_once() -> None:
    for moves, said in (
        ((0, 1, 2, 3, 4, 5, 7, 6), None),
        ((0, 4), "Every square holds the draw."),
        ((0, 1, 4, 2), None),
    ):
        game = Game(moves, setup_length=len(moves), hint="results")
        page = Page(game)
        scores = textbook.move_scores(str(game.position))
        alike = len({textbook.sign(score) for score in scores.values()}) == 1
        assert (len(page.winners) == 1) == alike
        assert all(cell.result for cell in page.cells if cell.is_live) != alike
        if said:
            assert page.hinted == said
    assert words.results_shown({"X"}, "X") == "Every square wins."
    assert words.results_shown({"X"}, "O") == "Every square loses."


def test_the_greeting_counts_the_earned_squares() -> None:
    sides: list[tuple[int, Mark, str]] = [
        (0, "X", "I have never lost. Hold me to a draw, if you can."),
        (1, "X", "One is yours. Eight are still mine."),
        (0b11111111, "X", "Eight are yours. One is still mine."),
        (NINE, "X", "All nine are yours. I would like one back."),
        (0, "O", "I have never lost. Hold me to a draw, if you can."),
        (NINE, "O", "I have never lost. Hold me to a draw, if you can."),
    ]
    for held, human, said in sides:
        game = Game((0,) if human == "O" else (), human=human, record=Record(earned=held))
        assert words.hello(game) == said
        assert len(said) <= MOST
    beaten = Game(record=Record(has_beaten_perfect=True))
    assert words.hello(beaten) == "Nobody has beaten me from the empty board."
    linked = Game((0, 4), link_length=2, friend_result="lost")
    friends: list[tuple[FriendResult | None, str]] = [
        ("lost", "Your friend lost from here. Can you hold me?"),
        ("held", "Your friend held me from here. Can you?"),
        (None, "Somebody began here. Can you hold me?"),
    ]
    for was, said in friends:
        assert words.hello(replace(linked, friend_result=was)) == said


def test_the_greeting_of_a_board_set_up_and_every_notice_are_short() -> None:
    for game in one_game_to_each_board():
        if game and len(game) < 9 and not textbook.over(boards(game)[-1]):
            human: Mark = "X" if len(game) % 2 == 0 else "O"
            for opponent in OPPONENTS:
                placed = Game(game, opponent, human, setup_length=len(game))
                assert len(words.hello(placed)) <= MOST
    for notice in words.NOTICES:
        assert len(words.notice(notice, True)) <= MOST


def test_numbers_and_lines_have_their_names() -> None:
    assert [number(count) for count in range(10)] == NUMBERS
    rows, columns = ("top", "middle", "bottom"), ("left", "center", "right")
    lines = [f"{name} row" for name in rows] + [f"{name} column" for name in columns]
    assert [line_names([line]) for line in LINES] == [*lines, "diagonal", "diagonal"]
